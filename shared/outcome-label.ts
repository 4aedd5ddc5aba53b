/** Describes the outcome of a history record: in English on the command line and in CSV exports, translated in the window. */
import { english, type Translate } from './message.ts';
import type { CallRecord } from './model/call.ts';
import type { GrantScope, QuestionKind } from './model/question.ts';

// translated: the window passes them to its `t`
const scopes: Record<GrantScope, string> = {
  once: 'once',
  session: 'for the session',
  minutes: 'for 15 minutes',
  day: 'for a day',
  always: 'always',
};

// translated: the window passes them to its `t`
const callOutcomes = { ok: 'OK', 'tool-error': 'Tool error', failed: 'Failed', refused: 'Refused' };
/** By failure code: who or what stopped a call. */
// translated: the window passes them to its `t`
const stopped: Partial<Record<string, string>> = {
  APPROVAL_DENIED: 'Not approved',
  APPROVAL_TIMEOUT: 'No answer',
  APPROVAL_UNAVAILABLE: 'Could not ask',
  CANCELLED: 'Canceled',
  ELICITATION_DECLINED: 'Question declined',
  ELICITATION_TIMEOUT: 'No answer',
  NOT_IN_PROFILE: 'Not in profile',
  PAUSED: 'Paused',
  SERVER_DISABLED: 'Server disabled',
  TOOL_DISABLED: 'Tool disabled',
  TOOL_HELD_BACK: 'Held',
};
// translated: the window passes them to its `t`
const approvalOutcomes = {
  allowed: 'Allowed',
  'allowed-by-grant': 'Allowed by a saved approval',
  denied: 'Denied',
  'denied-and-disabled': 'Denied, tool disabled',
  cancelled: 'Canceled',
  unanswered: 'Not answered',
  'no-ui': 'Could not ask the user',
  'too-many-questions': 'Too many questions open',
  'asking-disabled': 'Asking is disabled',
};
// translated: the window passes them to its `t`
const questionOutcomes = {
  answered: 'Answered',
  declined: 'Declined',
  cancelled: 'Canceled',
  unanswered: 'Not answered',
  failed: 'Failed',
};
// translated: the window passes them to its `t`
const questionKinds: Record<QuestionKind, string> = {
  approval: 'approval',
  'enable-request': 'enable-request',
  connection: 'connection',
  confirmation: 'confirmation',
  text: 'text',
  select: 'select',
  multiselect: 'multiselect',
  form: 'form',
  file: 'file',
  secret: 'secret',
  url: 'url',
};
// translated: the window passes them to its `t`
const enableOutcomes = {
  notified: 'Requested while unavailable',
  enabled: 'Requested while unavailable: enabled',
  declined: 'Requested while unavailable: declined',
  unanswered: 'Requested while unavailable: not answered',
};

export function outcomeLabel(record: CallRecord, t: Translate = english): string {
  switch (record.kind) {
    case 'call':
      return t(stopped[record.code ?? ''] ?? callOutcomes[record.outcome]);
    case 'approval':
      return record.scope
        ? t('{outcome} {scope}', { outcome: t(approvalOutcomes[record.outcome]), scope: t(scopes[record.scope]) })
        : t(approvalOutcomes[record.outcome]);
    case 'question': {
      const isByClient = record.askedOf === 'client' && record.outcome === 'answered';
      const outcome = isByClient ? t('Answered by the client') : t(questionOutcomes[record.outcome]);
      return t('{outcome} ({question})', { outcome, question: t(questionKinds[record.question]) });
    }
    case 'enable-request':
      return t(enableOutcomes[record.outcome]);
    case 'grant':
      return t('Revoked');
  }
}

/** The color that a UI gives the record. */
export function outcomeTone({ outcome, code }: CallRecord): 'success' | 'warning' | 'danger' | 'neutral' {
  if (code === 'CANCELLED') return 'neutral';
  switch (outcome) {
    case 'ok':
    case 'allowed':
    case 'allowed-by-grant':
    case 'answered':
    case 'enabled':
      return 'success';
    case 'failed':
    case 'tool-error':
      return 'danger';
    case 'refused':
    case 'denied':
    case 'denied-and-disabled':
    case 'no-ui':
    case 'too-many-questions':
    case 'asking-disabled':
      return 'warning';
    case 'unanswered':
    case 'declined':
    case 'cancelled':
    case 'notified':
    case 'revoked':
      return 'neutral';
  }
}
