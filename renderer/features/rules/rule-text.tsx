/** Describes a rule, the number of tools that it matches, and its problems. */
import { CircleAlert, Layers2 } from 'lucide-react';
import type { Rule, RuleView } from '../../../shared/model/rule.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { T, t } from '../../text.tsx';
import { describeEffect, describeLimits } from './describe-rule.ts';
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
          <span>{t('all tools')}</span>
        ) : (
          rule.pattern.map((pattern) => <Pattern key={pattern} pattern={pattern} />)
        )}
        {describeLimits(rule).map((limit) => (
          <VisibleText as="span" key={limit} className={rulesStyles.chip} text={limit} />
        ))}
        {rule.server ? (
          <T
            text="<muted>on</muted> {server}"
            muted={(text) => <span className="muted">{text}</span>}
            server={<VisibleText as="span" className={rulesStyles.chip} text={rule.server} />}
          />
        ) : (
          <span className="muted">{t('on all servers')}</span>
        )}
        {view && (
          <span className="muted">
            {isDisabled
              ? t('disabled')
              : t('matches {count, plural, one {# tool} other {# tools}}', { count: view.matches })}
          </span>
        )}
      </p>
      {view?.problem && (
        <p className={`${rulesStyles.ruleProblem} bad`}>
          <CircleAlert className="icon" aria-hidden />
          <VisibleText text={view.problem} />
        </p>
      )}
      {view?.shadowedBy !== undefined && !isDisabled && (
        <p className={`${rulesStyles.ruleProblem} warn`}>
          <Layers2 className="icon" aria-hidden />
          {t('Rule {number} already matches all of its tools.', { number: view.shadowedBy + 1 })}
        </p>
      )}
    </div>
  );
}

function Pattern({ pattern }: { pattern: string }) {
  const isExclusion = pattern.startsWith('!');
  return (
    <span className={isExclusion ? `${rulesStyles.chip} ${rulesStyles.chipNot}` : rulesStyles.chip}>
      {isExclusion && <span className="muted">{t('not')}</span>}
      <VisibleText as="code" text={isExclusion ? pattern.slice(1) : pattern} />
    </span>
  );
}
