/** A server wants the person to open a web page: the whole address, its host set apart, and what looks wrong with it. */

import { ExternalLink, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { Button } from '../parts/button.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { FoldableText, Quoted, VisibleText } from '../parts/server-text.tsx';
import { useArmed } from '../parts/use-armed.ts';
import { useStores } from '../stores/stores.ts';
import { AnswerProblem, type BodyProps } from './question-body.tsx';

export function UrlBody({ question }: BodyProps) {
  const { questions } = useStores();
  const { problems, sending } = useStore(questions.state);
  const isArmed = useArmed(question.id);
  const url = question.url ?? '';
  const { address } = question;

  function open(): void {
    window.open(url, '_blank', 'noopener,noreferrer');
    void questions.answer(question, { action: 'accept' });
  }
  return (
    <>
      <ScrollRegion className="question-body stack" label="The question">
        <Quoted by={`${question.from.server ?? 'A tool'} asks`}>
          {question.message ? <FoldableText text={question.message} /> : <span className="muted">without a word</span>}
        </Quoted>
        <div>
          <h2>The page would open in your browser</h2>
          <p className="url">
            {address ? (
              <>
                <span className="url-dim">
                  <VisibleText text={address.before} />
                </span>
                <strong>
                  <VisibleText text={address.host} />
                </strong>
                <span className="url-dim">
                  <VisibleText text={address.after} />
                </span>
              </>
            ) : (
              <VisibleText text={url} />
            )}
          </p>
        </div>
        {address && address.warnings.length > 0 && (
          <div className="why">
            <TriangleAlert className="icon" aria-hidden />
            <ul>
              {address.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </div>
        )}
      </ScrollRegion>
      <AnswerProblem text={problems['']} />
      <div className="question-actions">
        <fieldset className="allow" disabled={!isArmed || sending || !address}>
          <legend className="sr-only">Answer</legend>
          <Button look="primary" icon={ExternalLink} onClick={open}>
            Open in browser
          </Button>
        </fieldset>
        <Button disabled={sending} onClick={() => void questions.answer(question, { action: 'decline' })}>
          Decline
        </Button>
      </div>
    </>
  );
}
