/** The first step of an approval: allow for a duration, or deny. */
import { ArrowDown, Ban, Check } from 'lucide-react';
import type { GrantScope } from '../../../shared/model/question.ts';
import { Button } from '../../components/button.tsx';
import questionsStyles from './questions.module.css';

const scopeLabels: Record<GrantScope, string> = {
  once: 'Once',
  session: 'This session',
  minutes: '15 minutes',
  day: '24 hours',
  always: 'Always…',
};

interface ApprovalActionsProps {
  scopes: readonly GrantScope[];
  canAllow: boolean;
  /** The user has not scrolled to the last argument yet. */
  isUnread: boolean;
  isSending: boolean;
  onAllow(scope: GrantScope): void;
  onDeny(switchOff: boolean): void;
}

export function ApprovalActions({ scopes, canAllow, isUnread, isSending, onAllow, onDeny }: ApprovalActionsProps) {
  return (
    <div className={questionsStyles.questionActions}>
      {isUnread && (
        <p className={questionsStyles.unread}>
          <ArrowDown className="icon" aria-hidden />
          Scroll to the last argument before you allow this call.
        </p>
      )}
      <fieldset disabled={!canAllow}>
        <legend>Allow</legend>
        {scopes.map((scope) => (
          <Button
            key={scope}
            look={scope === 'once' ? 'primary' : 'plain'}
            icon={scope === 'once' ? Check : undefined}
            onClick={() => onAllow(scope)}
          >
            {scopeLabels[scope]}
          </Button>
        ))}
      </fieldset>
      <fieldset className={questionsStyles.deny} disabled={isSending}>
        <legend>Deny</legend>
        <Button icon={Ban} onClick={() => onDeny(false)}>
          Deny
        </Button>
        <Button look="danger" onClick={() => onDeny(true)}>
          Deny and disable tool
        </Button>
      </fieldset>
    </div>
  );
}
