/** One question: who asks, what they ask, and the possible answers. The focus never starts on a button that allows something. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { assertNever } from '../../../shared/failure.ts';
import { userName } from '../../../shared/model/call.ts';
import type { DisabledReason, Question } from '../../../shared/model/question.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { Countdown } from '../../components/countdown.tsx';
import { asksForFolder } from '../../components/field-input.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import { newDestinationId } from './approval-destinations.tsx';
import { ApprovalBody } from './question-approval.tsx';
import { BatchBody } from './question-batch.tsx';
import type { BodyProps } from './question-body.tsx';
import { ConnectionBody } from './question-connection.tsx';
import { EnableRequestBody } from './question-enable-request.tsx';
import { FormBody } from './question-form.tsx';
import { UrlBody } from './question-url.tsx';
import questionsStyles from './questions.module.css';

export function QuestionCard({ question, onLater }: { question: Question; onLater(): void }) {
  const { questions } = useStores();
  const { queue } = useStore(questions.state);
  const card = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const index = queue.findIndex(({ id }) => id === question.id);
  // Screen readers read it with the title, which gets the focus.
  const added = question.approval?.destinations?.new.map(newDestinationId).join(' ');

  useEffect(() => {
    // Focus the first field of a form, else the heading; never a button.
    const field = card.current?.querySelector<HTMLElement>('form :is(input, textarea, select)');
    // Don't scroll: the question is above the first field and should be read first.
    (field ?? heading.current)?.focus({ preventScroll: true });
  }, []);

  return (
    <article
      ref={card}
      className={
        question.kind === 'approval'
          ? `${questionsStyles.question} ${questionsStyles.questionApproval}`
          : questionsStyles.question
      }
    >
      <header className={questionsStyles.questionHead}>
        <div className={questionsStyles.questionTitle}>
          <h1 ref={heading} tabIndex={-1} aria-describedby={added || undefined}>
            <Title question={question} />
          </h1>
          <Countdown from={question.createdAt} to={question.expiresAt} />
        </div>
        <Chain from={question.from} />
      </header>
      <Body question={question} />
      <footer className={questionsStyles.questionFoot}>
        {queue.length > 1 ? (
          <span className={questionsStyles.questionSteps}>
            <IconButton label={t('Previous question')} icon={ChevronLeft} onClick={() => questions.step(-1)} />
            <span role="status">
              {t('{number, number} of {count, number}', { number: index + 1, count: queue.length })}
            </span>
            <IconButton label={t('Next question')} icon={ChevronRight} onClick={() => questions.step(1)} />
          </span>
        ) : (
          <span />
        )}
        <Button look="quiet" onClick={onLater}>
          <T text="Decide later <kbd>Esc</kbd>" kbd={(text) => <kbd aria-hidden>{text}</kbd>} />
        </Button>
      </footer>
    </article>
  );
}

function Body({ question }: BodyProps) {
  switch (question.kind) {
    case 'approval':
      return question.rows ? (
        <BatchBody question={question} rows={question.rows} />
      ) : (
        <ApprovalBody question={question} />
      );
    case 'enable-request':
      return <EnableRequestBody question={question} />;
    case 'connection':
      return <ConnectionBody question={question} />;
    case 'url':
      return <UrlBody question={question} />;
    case 'confirmation':
    case 'text':
    case 'select':
    case 'multiselect':
    case 'form':
    case 'file':
    case 'secret':
      return <FormBody question={question} />;
    default:
      return assertNever(question.kind);
  }
}

/** Contains no text from a server or agent, except the name that the user gave the server. */
function Title({ question }: BodyProps) {
  const { kind, fields, from, approval, enableRequest, rows, connection } = question;
  if (rows) return t('Allow these calls to run?');
  if (enableRequest?.added) return t('Accept the tools that a call has added?');
  if (enableRequest) return (from.client === userName ? ownRequestTitles : requestTitles)[enableRequest.reason];
  if (approval?.covers === 'destinations') return t('Allow a new destination?');
  if (approval?.isDangerous) return t('Allow this dangerous call?');
  if (connection && 'folder' in connection) return t('Allow this server to use a folder?');
  if (connection?.secret !== undefined) return t('Allow this server to send a secret?');
  if (kind === 'file' && fields.every(asksForFolder)) return t('A tool asks for a folder');
  if (!from.isToolkeep) return titles[kind];
  const server = <VisibleText text={from.server ?? t('A server')} />;
  return fields.some((field) => field.kind === 'secret') ? (
    <T text="{server} needs a secret to start" server={server} />
  ) : (
    <T text="{server} needs a value to start" server={server} />
  );
}

const requestTitles: Record<DisabledReason, string> = {
  rule: t('An agent tried to use a disabled tool'),
  override: t('An agent tried to use a disabled tool'),
  changed: t('An agent tried to use a tool that has changed'),
  suspicious: t('An agent tried to use a suspicious tool'),
  new: t('An agent tried to use a new tool'),
  server: t('An agent tried to use a disabled server'),
};

const ownRequestTitles: Record<DisabledReason, string> = {
  rule: t('This tool is disabled'),
  override: t('This tool is disabled'),
  changed: t('This tool has changed'),
  suspicious: t('This tool is suspicious'),
  new: t('This tool is new'),
  server: t('This server is disabled'),
};

const titles: Record<Question['kind'], string> = {
  approval: t('Allow this tool to run?'),
  'enable-request': requestTitles.rule,
  connection: t('Allow this server to reach a host?'),
  confirmation: t('A tool asks for confirmation'),
  text: t('A tool asks a question'),
  select: t('A tool asks you to choose'),
  multiselect: t('A tool asks you to choose'),
  form: t('A tool asks for details'),
  file: t('A tool asks for a file'),
  secret: t('A tool asks for a secret'),
  url: t('A tool asks you to open a web page'),
};

/** client → server → tool. Each name has its own box, so that it cannot imitate another part. */
function Chain({ from }: { from: Question['from'] }) {
  const { client, server, tool } = from;
  const links: [string, ReactNode][] = [
    [t('Client'), client !== undefined && <ClientName name={client} />],
    [t('Server'), server !== undefined && <VisibleText text={server} />],
    [t('Tool'), tool !== undefined && <VisibleText text={tool} />],
  ];
  const known = links.filter(([, name]) => name);
  if (known.length === 0) return null;
  return (
    <ol className={questionsStyles.chain} aria-label={t('Asked by')}>
      {known.map(([role, name]) => (
        <li key={role}>
          <span className={questionsStyles.chainRole}>{role}</span>
          <span className={questionsStyles.chainName}>{name}</span>
        </li>
      ))}
    </ol>
  );
}
