/** A rule in words, with how many tools it matches and what is wrong with it. */
import { CircleAlert, Layers2 } from 'lucide-react';
import type { Rule, RuleView } from '../../shared/model.ts';
import { count } from '../parts/format.ts';
import { effectWords } from '../parts/rule-words.ts';
import { VisibleText } from '../parts/server-text.tsx';

/** `view` is missing for a moment after a rule was added, until the preview is there. */
export function RuleText({ rule, view, number }: { rule: Rule; view: RuleView | undefined; number: number }) {
  const isOff = view?.active === false;
  return (
    <div className={isOff ? 'rule-text rule-off' : 'rule-text'}>
      <p className="rule-effect">
        <span className="rule-number">{number}</span>
        <strong className={rule.enabled === false ? 'effect-off' : undefined}>{effectWords(rule)}</strong>
      </p>
      <p className="rule-scope">
        {rule.pattern.length === 0 ? (
          <span>all tools</span>
        ) : (
          rule.pattern.map((pattern) => <Pattern key={pattern} pattern={pattern} />)
        )}
        <span className="muted">{rule.server ? 'on' : 'on every server'}</span>
        {rule.server && (
          <span className="chip">
            <VisibleText text={rule.server} />
          </span>
        )}
        {view && <span className="muted">{isOff ? 'not in use' : `matches ${count(view.matches, 'tool')}`}</span>}
      </p>
      {view?.problem && (
        <p className="rule-problem">
          <CircleAlert className="icon" aria-hidden />
          <VisibleText text={view.problem} />
        </p>
      )}
      {view?.shadowedBy !== undefined && !isOff && (
        <p className="rule-problem rule-problem-warn">
          <Layers2 className="icon" aria-hidden />
          Never decides anything: rule {view.shadowedBy + 1} comes first for all its tools.
        </p>
      )}
    </div>
  );
}

function Pattern({ pattern }: { pattern: string }) {
  const isNot = pattern.startsWith('!');
  return (
    <span className={isNot ? 'chip chip-not' : 'chip'}>
      {isNot && <span className="chip-word">not</span>}
      <code>
        <VisibleText text={isNot ? pattern.slice(1) : pattern} />
      </code>
    </span>
  );
}
