/** One question: who asks through whom, in whose words, and the answers there are. Nothing that allows has the focus. */
import { ChevronLeft, ChevronRight, CornerDownRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { assertNever } from '../../shared/failure.ts';
import type { Question } from '../../shared/model.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Countdown } from '../parts/countdown.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { useStores } from '../stores/stores.ts';
import { ApprovalBody } from './question-approval.tsx';
import type { BodyProps } from './question-body.tsx';
import { FormBody } from './question-form.tsx';
import { OfferBody } from './question-offer.tsx';
import { UrlBody } from './question-url.tsx';

export function QuestionCard({ question, onLater }: { question: Question; onLater(): void }) {
  const { questions } = useStores();
  const { queue } = useStore(questions.state);
  const card = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const index = queue.findIndex(({ id }) => id === question.id);

  useEffect(() => {
    // A question that is answered by typing starts in its first field; any other at its heading, never at a button.
    const field = card.current?.querySelector<HTMLElement>('.question-form :is(input, textarea, select)');
    // Without scrolling: what is asked stands above the first field and is read first.
    (field ?? heading.current)?.focus({ preventScroll: true });
  }, []);

  return (
    <article ref={card} className={`question question-${question.kind}`}>
      <header className="question-head">
        <div className="question-title">
          <h1 ref={heading} tabIndex={-1}>
            {titleOf(question)}
          </h1>
          <Countdown from={question.createdAt} to={question.expiresAt} />
        </div>
        <Chain from={question.from} />
      </header>
      <Body question={question} />
      <footer className="question-foot">
        {queue.length > 1 ? (
          <span className="question-steps">
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
    case 'offer':
      return <OfferBody question={question} />;
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

/** Our own words, without anything that a server or an agent wrote. */
function titleOf({ kind }: Question): string {
  switch (kind) {
    case 'approval':
      return 'May this tool run?';
    case 'offer':
      return 'An agent wants something that is off';
    case 'confirmation':
      return 'A tool asks for a yes or no';
    case 'text':
      return 'A tool asks you something';
    case 'select':
      return 'A tool asks you to choose';
    case 'multiselect':
      return 'A tool asks you to choose';
    case 'form':
      return 'A tool asks for some details';
    case 'file':
      return 'A tool asks for a file';
    case 'secret':
      return 'A tool asks for a secret';
    case 'url':
      return 'A tool asks you to open a web page';
  }
}

/** client → server → tool, each in a frame of its own, so that no name can pretend to be another part. */
function Chain({ from }: { from: Question['from'] }) {
  const links: [string, string | undefined][] = [
    ['Client', from.client],
    ['Server', from.server],
    ['Tool', from.tool],
  ];
  const known = links.filter((link): link is [string, string] => link[1] !== undefined);
  if (known.length === 0) return null;
  return (
    <ol className="chain" aria-label="Who asks">
      {known.map(([role, name], index) => (
        <li key={role}>
          {index > 0 && <CornerDownRight className="icon chain-arrow" aria-hidden />}
          <span className="chain-role">{role}</span>
          <span className="chain-name">
            <VisibleText text={name} />
          </span>
        </li>
      ))}
    </ol>
  );
}
