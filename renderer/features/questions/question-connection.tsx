/** A confined server tries to reach a host, to send it a secret, or to use a folder, that it has not been allowed. */
import { Ban, FolderOpen, Globe, KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { GrantScope, Question } from '../../../shared/model/question.ts';
import { Button } from '../../components/button.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useArmed } from '../../components/use-armed.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import { AnswerProblem, type BodyProps } from './question-body.tsx';
import questionsStyles from './questions.module.css';

export function ConnectionBody({ question }: BodyProps) {
  const { questions } = useStores();
  const { problems, sending } = useStore(questions.state);
  const isArmed = useArmed(question.id);
  const { connection, from } = question;
  if (!connection) return null;
  const { Icon, wish, note } = 'folder' in connection ? folderParts(from, connection) : hostParts(from, connection);
  const allow = (scope: GrantScope) => void questions.answer(question, { action: 'accept', scope });
  return (
    <>
      <ScrollRegion className={`${questionsStyles.questionBody} stack`} label={t('The request')}>
        <div className={questionsStyles.why}>
          <Icon className="icon" aria-hidden />
          <p>{wish}</p>
        </div>
        <p className="muted">{note}</p>
      </ScrollRegion>
      <AnswerProblem text={problems['']} />
      <div className={questionsStyles.questionActions}>
        <fieldset disabled={!isArmed || sending}>
          <legend className="sr-only">{t('Allow')}</legend>
          <Button onClick={() => allow('always')}>{t('Always allow')}</Button>
          <Button onClick={() => allow('session')}>{t('Allow until Toolkeep ends')}</Button>
        </fieldset>
        <Button
          look="primary"
          icon={Ban}
          disabled={sending}
          onClick={() => void questions.answer(question, { action: 'decline' })}
        >
          {t('Refuse')}
        </Button>
      </div>
    </>
  );
}

type Connection = NonNullable<Question['connection']>;
type Folder = Extract<Connection, { folder: string }>;

const strong = (text: ReactNode) => <strong>{text}</strong>;
const serverName = (from: Question['from']) => <VisibleText text={from.server ?? t('A server')} />;

function folderParts(from: Question['from'], { folder }: Folder) {
  return {
    Icon: FolderOpen,
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

function hostParts(from: Question['from'], { host, port, secret }: Exclude<Connection, Folder>) {
  const parts = {
    server: serverName(from),
    host: <VisibleText text={host} />,
    port: String(port),
    b: strong,
  };
  if (secret === undefined)
    return {
      Icon: Globe,
      wish: <T text="{server} tries to connect to <b>{host}</b>, port {port}." {...parts} />,
      note: t(
        'The server is confined. It can send this host everything that it has received from you and your agents.',
      ),
    };
  return {
    Icon: KeyRound,
    wish: (
      <T
        text="{server} tries to send its secret <b>{secret}</b> to <b>{host}</b>, port {port}."
        secret={<VisibleText text={secret} />}
        {...parts}
      />
    ),
    note: t('The server does not know the secret. Toolkeep adds it to the requests to this host only.'),
  };
}
