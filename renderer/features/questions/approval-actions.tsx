/** The first step of an approval: allow for a duration, or deny. */
import { ArrowDown, Ban, Check } from 'lucide-react';
import type { GrantScope } from '../../../shared/model/question.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../text.tsx';
import questionsStyles from './questions.module.css';

const scopeLabels: Record<GrantScope, string> = {
  once: t('Once'),
  session: t('This session'),
  minutes: t('15 minutes'),
  day: t('24 hours'),
  always: t('Always…'),
};

interface ApprovalActionsProps {
  scopes: readonly GrantScope[];
  canAllow: boolean;
  /** Whether the last argument has been visible; undefined until the arguments are painted. */
  isRead: boolean | undefined;
  isSending: boolean;
  /** *Deny* is the first and the emphasized button. */
  isDangerous: boolean;
  onAllow(scope: GrantScope): void;
  onDeny(disableTool: boolean): void;
}

export function ApprovalActions(props: ApprovalActionsProps) {
  const { scopes, canAllow, isRead, isSending, isDangerous, onAllow, onDeny } = props;
  const allow = (
    <fieldset key="allow" disabled={!canAllow}>
      <legend>{t('Allow')}</legend>
      {scopes.map((scope) => (
        <Button
          key={scope}
          look={scope === 'once' && !isDangerous ? 'primary' : 'plain'}
          icon={scope === 'once' ? Check : undefined}
          disabled={!isRead}
          onClick={() => onAllow(scope)}
        >
          {scopeLabels[scope]}
        </Button>
      ))}
    </fieldset>
  );
  const deny = (
    <fieldset key="deny" className={questionsStyles.deny} disabled={isSending}>
      <legend>{t('Deny')}</legend>
      <Button look={isDangerous ? 'primary' : 'plain'} icon={Ban} onClick={() => onDeny(false)}>
        {t('Deny')}
      </Button>
      <Button look="danger" onClick={() => onDeny(true)}>
        {t('Deny and disable tool')}
      </Button>
    </fieldset>
  );
  return (
    <div className={questionsStyles.questionActions}>
      {isRead === false && (
        <p className={questionsStyles.unread}>
          <ArrowDown className="icon" aria-hidden />
          {t('Scroll to the last argument before you allow this call.')}
        </p>
      )}
      {isDangerous ? [deny, allow] : [allow, deny]}
    </div>
  );
}
