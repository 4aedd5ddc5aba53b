/** Describes a rule, the number of tools that it matches, and its problems. */
import { CircleAlert, Layers2 } from 'lucide-react';
import type { Rule, RuleView } from '../../../shared/model/rule.ts';
import { count } from '../../components/format.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { describeEffect } from './describe-rule.ts';
import rulesStyles from './rules.module.css';

/** `view` is undefined until the preview of a new rule has loaded. */
export function RuleText({ rule, view, number }: { rule: Rule; view: RuleView | undefined; number: number }) {
  const isDisabled = view?.active === false;
  return (
    <div className={isDisabled ? `${rulesStyles.ruleText} ${rulesStyles.ruleDisabled}` : rulesStyles.ruleText}>
      <p className={rulesStyles.ruleEffect}>
        <span className={rulesStyles.ruleNumber}>{number}</span>
        <strong>{describeEffect(rule)}</strong>
      </p>
      <p className={rulesStyles.ruleScope}>
        {rule.pattern.length === 0 ? (
          <span>all tools</span>
        ) : (
          rule.pattern.map((pattern) => <Pattern key={pattern} pattern={pattern} />)
        )}
        <span className="muted">{rule.server ? 'on' : 'on all servers'}</span>
        {rule.server && (
          <span className={rulesStyles.chip}>
            <VisibleText text={rule.server} />
          </span>
        )}
        {view && <span className="muted">{isDisabled ? 'disabled' : `matches ${count(view.matches, 'tool')}`}</span>}
      </p>
      {view?.problem && (
        <p className={rulesStyles.ruleProblem}>
          <CircleAlert className="icon" aria-hidden />
          <VisibleText text={view.problem} />
        </p>
      )}
      {view?.shadowedBy !== undefined && !isDisabled && (
        <p className={`${rulesStyles.ruleProblem} ${rulesStyles.ruleProblemWarn}`}>
          <Layers2 className="icon" aria-hidden />
          Rule {view.shadowedBy + 1} matches all its tools first.
        </p>
      )}
    </div>
  );
}

function Pattern({ pattern }: { pattern: string }) {
  const isExclusion = pattern.startsWith('!');
  return (
    <span className={isExclusion ? `${rulesStyles.chip} ${rulesStyles.chipNot}` : rulesStyles.chip}>
      {isExclusion && <span className={rulesStyles.chipWord}>not</span>}
      <code>
        <VisibleText text={isExclusion ? pattern.slice(1) : pattern} />
      </code>
    </span>
  );
}
