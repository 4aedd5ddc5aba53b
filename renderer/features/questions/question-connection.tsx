/** A confined server tries to reach a host, to send it a secret, or to use a folder, that it has not been allowed. */
import { FolderOpen, Globe, KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { GrantScope, Question } from '../../../shared/model/question.ts';
import { partsOfPlace } from '../../../shared/secret-place.ts';
import { Button } from '../../components/button.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import { type BodyProps, RequestBody } from './question-body.tsx';

export function ConnectionBody({ question }: BodyProps) {
  const { questions } = useStores();
  const { connection, from } = question;
  if (!connection) return null;
  const allow = (scope: GrantScope) => void questions.answer(question, { action: 'accept', scope });
  return (
    <RequestBody
      question={question}
      {...('folder' in connection ? folderParts(from, connection) : hostParts(from, connection))}
      allow={
        <>
          <Button onClick={() => allow('always')}>{t('Always allow')}</Button>
          <Button onClick={() => allow('session')}>{t('Allow until Toolkeep ends')}</Button>
        </>
      }
      refuse={t('Refuse')}
    />
  );
}

type Connection = NonNullable<Question['connection']>;
type Folder = Extract<Connection, { folder: string }>;

const strong = (text: ReactNode) => <strong>{text}</strong>;
const serverName = (from: Question['from']) => <VisibleText text={from.server ?? t('A server')} />;

function folderParts(from: Question['from'], { folder }: Folder) {
  return {
    icon: FolderOpen,
    wish: (
      <T
        text="A call of {server} names files in <b>{folder}</b>."
        server={serverName(from)}
        folder={<VisibleText text={folder} />}
        b={strong}
      />
    ),
    note: t('The server is confined. It could read and change everything in this folder, and it restarts to see it.'),
  };
}

// translated: in hostParts
const secretWishes = {
  header:
    '{server} tries to send its secret <b>{secret}</b> to <b>{host}</b>, port {port}, in the header <b>{place}</b>.',
  query:
    '{server} tries to send its secret <b>{secret}</b> to <b>{host}</b>, port {port}, in the parameter <b>{place}</b> of the address.',
  path: '{server} tries to send its secret <b>{secret}</b> to <b>{host}</b>, port {port}, in the path after <b>{place}</b>.',
};

function hostParts(from: Question['from'], { host, port, secret, place }: Exclude<Connection, Folder>) {
  const parts = {
    server: serverName(from),
    host: <VisibleText text={host} />,
    port: String(port),
    b: strong,
  };
  if (secret === undefined)
    return {
      icon: Globe,
      wish: <T text="{server} tries to connect to <b>{host}</b>, port {port}." {...parts} />,
      note: t(
        'The server is confined. It can send this host everything that it has received from you and your agents.',
      ),
    };
  const { kind, name } = partsOfPlace(place ?? '');
  return {
    icon: KeyRound,
    wish: (
      <T
        text={secretWishes[kind === 'header' || kind === 'query' ? kind : 'path']}
        secret={<VisibleText text={secret} />}
        place={<VisibleText text={name} />}
        {...parts}
      />
    ),
    note: t(
      'The server does not know the secret. Toolkeep adds it to the requests to this host only, and only in this place.',
    ),
  };
}
