/** A call that waits for a yes: its arguments in full, why it is thought dangerous, and for how long a yes holds. */

import { Ban, Check, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Answer, Condition, GrantScope } from '../../shared/model.ts';
import { ArgumentsView } from '../parts/arguments-view.tsx';
import { Button } from '../parts/button.tsx';
import { conditionWords } from '../parts/condition-words.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { FoldableText, Quoted, VisibleText } from '../parts/server-text.tsx';
import { useArmed } from '../parts/use-armed.ts';
import { useStores } from '../stores/stores.ts';
import { AnswerProblem, type BodyProps } from './question-body.tsx';

const scopeWords: Record<GrantScope, string> = {
  once: 'Once',
  session: 'This session',
  minutes: '15 minutes',
  always: 'Always',
};

export function ApprovalBody({ question }: BodyProps) {
  const { questions } = useStores();
  const { problems, sending } = useStore(questions.state);
  const isArmed = useArmed(question.id);
  const { approval, from } = question;
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const answer = (given: Answer) => void questions.answer(question, given);
  return (
    <>
      <ScrollRegion className="question-body" label="The call">
        {question.message && (
          <Quoted by={`${from.server ?? 'The server'} says`}>
            <FoldableText text={question.message} />
          </Quoted>
        )}
        {approval && approval.reasons.length > 0 && (
          <div className="why">
            <ShieldAlert className="icon" aria-hidden />
            <div>
              <h2>Why you are asked</h2>
              <ul>
                {approval.reasons.map((reason) => (
                  <li key={reason}>
                    <VisibleText text={reason} />
                  </li>
                ))}
              </ul>
            </div>
          </div>
        )}
        <h2>Arguments</h2>
        <ArgumentsView values={approval?.arguments ?? {}} />
        <Conditions conditions={approval?.conditions ?? []} chosen={chosen} onChange={setChosen} />
      </ScrollRegion>
      <AnswerProblem text={problems['']} />
      <div className="question-actions">
        <fieldset className="allow" disabled={!isArmed || sending}>
          <legend>Allow</legend>
          {(approval?.scopes ?? ['once']).map((scope) => (
            <Button
              key={scope}
              look={scope === 'once' ? 'primary' : 'plain'}
              icon={scope === 'once' ? Check : undefined}
              onClick={() => answer({ action: 'accept', scope, ...(scope !== 'once' && { conditions: [...chosen] }) })}
            >
              {scopeWords[scope]}
            </Button>
          ))}
        </fieldset>
        <fieldset className="deny" disabled={sending}>
          <legend>Deny</legend>
          <Button icon={Ban} onClick={() => answer({ action: 'decline' })}>
            Deny
          </Button>
          <Button look="danger" onClick={() => answer({ action: 'decline', switchOff: true })}>
            Deny and switch off
          </Button>
        </fieldset>
      </div>
    </>
  );
}

/** Narrows an approval that holds for longer than this call. */
function Conditions({
  conditions,
  chosen,
  onChange,
}: {
  conditions: readonly Condition[];
  chosen: readonly number[];
  onChange(chosen: readonly number[]): void;
}) {
  if (conditions.length === 0) return null;
  return (
    <fieldset className="conditions">
      <legend>Allow later calls only if</legend>
      {conditions.map((condition, index) => (
        <label key={conditionWords(condition)} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(index)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, index] : chosen.filter((other) => other !== index))
            }
          />
          <span>
            <VisibleText text={conditionWords(condition)} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}
