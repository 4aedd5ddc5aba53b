/** Describes the outcome of a history record, identically in the window, on the command line and in CSV exports. */
import type { CallRecord } from './model/call.ts';
import type { GrantScope } from './model/question.ts';

const scopes: Record<GrantScope, string> = {
  once: 'once',
  session: 'for the session',
  minutes: 'for 15 minutes',
  day: 'for a day',
  always: 'always',
};

const callOutcomes = { ok: 'OK', 'tool-error': 'Tool error', failed: 'Failed', refused: 'Refused' };
const approvalOutcomes = {
  allowed: 'Allowed',
  'allowed-by-grant': 'Allowed by a grant',
  denied: 'Denied',
  'denied-and-disabled': 'Denied, tool disabled',
  unanswered: 'Not answered',
  'no-ui': 'No window to ask in',
  'too-many-questions': 'Too many questions open',
  'asking-disabled': 'Asking is disabled',
};
const questionOutcomes = {
  answered: 'Answered',
  declined: 'Declined',
  cancelled: 'Cancelled',
  unanswered: 'Not answered',
  failed: 'Failed',
};
const enableOutcomes = {
  notified: 'Requested while disabled',
  enabled: 'Requested while disabled: enabled',
  declined: 'Requested while disabled: declined',
  unanswered: 'Requested while disabled: not answered',
};

export function outcomeLabel(record: CallRecord): string {
  switch (record.kind) {
    case 'call':
      return callOutcomes[record.outcome];
    case 'approval':
      return record.scope
        ? `${approvalOutcomes[record.outcome]} ${scopes[record.scope]}`
        : approvalOutcomes[record.outcome];
    case 'question': {
      const by = record.askedOf === 'client' && record.outcome === 'answered' ? ' by the client' : '';
      return `${questionOutcomes[record.outcome]}${by} (${record.question})`;
    }
    case 'enable-request':
      return enableOutcomes[record.outcome];
    case 'grant':
      return 'Revoked';
  }
}

/** The color that a UI gives the record. */
export function outcomeTone({ outcome }: CallRecord): 'success' | 'warning' | 'danger' | 'neutral' {
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
