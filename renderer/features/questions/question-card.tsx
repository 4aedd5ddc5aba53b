/** One question: who asks, what they ask, and the possible answers. The focus never starts on a button that allows something. */
import { ChevronLeft, ChevronRight, CornerDownRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { assertNever } from '../../../shared/failure.ts';
import type { DisabledReason, Question } from '../../../shared/model/question.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { Countdown } from '../../components/countdown.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { ApprovalBody } from './question-approval.tsx';
import type { BodyProps } from './question-body.tsx';
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
          <h1 ref={heading} tabIndex={-1}>
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
            <IconButton label="Previous question" icon={ChevronLeft} onClick={() => questions.step(-1)} />
            <span role="status">
              {index + 1} of {queue.length}
            </span>
            <IconButton label="Next question" icon={ChevronRight} onClick={() => questions.step(1)} />
          </span>
        ) : (
          <span />
        )}
        <Button look="quiet" onClick={onLater}>
          Decide later <kbd aria-hidden>Esc</kbd>
        </Button>
      </footer>
    </article>
  );
}

function Body({ question }: BodyProps) {
  switch (question.kind) {
    case 'approval':
      return <ApprovalBody question={question} />;
    case 'enable-request':
      return <EnableRequestBody question={question} />;
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
  const { kind, fields, from, enableRequest } = question;
  if (enableRequest) return requestTitles[enableRequest.reason];
  if (!from.isGatehouse) return titleOf(kind);
  return (
    <>
      <VisibleText text={from.server ?? 'A server'} /> needs{' '}
      {fields.some((field) => field.kind === 'secret') ? 'a secret' : 'a value'} to start
    </>
  );
}

const requestTitles: Record<DisabledReason, string> = {
  rule: 'An agent tried to use a disabled tool',
  changed: 'An agent tried to use a tool that has changed',
  server: 'An agent tried to use a disabled server',
};

function titleOf(kind: Question['kind']): string {
  switch (kind) {
    case 'approval':
      return 'Allow this tool to run?';
    case 'enable-request':
      return requestTitles.rule;
    case 'confirmation':
      return 'A tool asks for confirmation';
    case 'text':
      return 'A tool asks a question';
    case 'select':
      return 'A tool asks you to choose';
    case 'multiselect':
      return 'A tool asks you to choose';
    case 'form':
      return 'A tool asks for details';
    case 'file':
      return 'A tool asks for a file';
    case 'secret':
      return 'A tool asks for a secret';
    case 'url':
      return 'A tool asks you to open a web page';
  }
}

/** client → server → tool. Each name has its own box, so that it cannot imitate another part. */
function Chain({ from }: { from: Question['from'] }) {
  const links: [string, string | undefined][] = [
    ['Client', from.client],
    ['Server', from.server],
    ['Tool', from.tool],
  ];
  const known = links.filter((link): link is [string, string] => link[1] !== undefined);
  if (known.length === 0) return null;
  return (
    <ol className={questionsStyles.chain} aria-label="Asked by">
      {known.map(([role, name], index) => (
        <li key={role}>
          {index > 0 && <CornerDownRight className={`icon ${questionsStyles.chainArrow}`} aria-hidden />}
          <span className={questionsStyles.chainRole}>{role}</span>
          <span className={questionsStyles.chainName}>
            {role === 'Client' ? <ClientName name={name} /> : <VisibleText text={name} />}
          </span>
        </li>
      ))}
    </ol>
  );
}
