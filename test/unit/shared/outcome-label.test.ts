import { expect, it } from 'vitest';
import type { CallRecord } from '../../../shared/model/call.ts';
import { outcomeLabel, outcomeTone } from '../../../shared/outcome-label.ts';

const call = (outcome: 'failed' | 'refused', code: string) => ({ kind: 'call', outcome, code }) as CallRecord;

it.each([
  ['APPROVAL_DENIED', 'refused', 'Not approved', 'warning'],
  ['PAUSED', 'refused', 'Paused', 'warning'],
  ['TOOL_HELD_BACK', 'refused', 'Held', 'warning'],
  ['CANCELLED', 'failed', 'Canceled', 'neutral'],
  ['SERVER_TIMEOUT', 'failed', 'Failed', 'danger'],
] as const)('A call that ended with %s says what stopped it', (code, outcome, label, tone) => {
  expect(outcomeLabel(call(outcome, code))).toBe(label);
  expect(outcomeTone(call(outcome, code))).toBe(tone);
});
