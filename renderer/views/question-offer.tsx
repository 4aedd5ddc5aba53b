/** An agent wants a tool that is off: why it is off, what changed where something did, and whether to switch it on. */

import { Ban, Power, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import type { OffReason } from '../../shared/model.ts';
import { Button } from '../parts/button.tsx';
import { DefinitionDiff } from '../parts/definition-diff.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useArmed } from '../parts/use-armed.ts';
import { useStores } from '../stores/stores.ts';
import { AnswerProblem, type BodyProps } from './question-body.tsx';

const reasonWords: Record<OffReason, { why: string; allow: string }> = {
  rule: { why: 'One of your rules switches this tool off.', allow: 'Switch the tool on' },
  changed: {
    why: 'The server changed this tool since you accepted it. Read what is different before you accept it again.',
    allow: 'Accept the change',
  },
  server: { why: 'You switched this server off, with all of its tools.', allow: 'Switch the server on' },
};

export function OfferBody({ question }: BodyProps) {
  const { questions } = useStores();
  const { problems, sending } = useStore(questions.state);
  const isArmed = useArmed(question.id);
  const { offer } = question;
  if (!offer) return null;
  const { why, allow } = reasonWords[offer.reason];
  return (
    <>
      <ScrollRegion className="question-body stack" label="What is wanted">
        <div className="why">
          <TriangleAlert className="icon" aria-hidden />
          <p>{why}</p>
        </div>
        {offer.change && <DefinitionDiff before={offer.change.before} after={offer.change.after} />}
        <p className="muted">Nothing has run. Dangerous tools still ask before each call.</p>
      </ScrollRegion>
      <AnswerProblem text={problems['']} />
      <div className="question-actions">
        <fieldset className="allow" disabled={!isArmed || sending}>
          <legend className="sr-only">Allow</legend>
          <Button icon={Power} onClick={() => void questions.answer(question, { action: 'accept' })}>
            {allow}
          </Button>
        </fieldset>
        <Button
          look="primary"
          icon={Ban}
          disabled={sending}
          onClick={() => void questions.answer(question, { action: 'decline' })}
        >
          Leave it off
        </Button>
      </div>
    </>
  );
}
