/** How long approvals with these scopes last, in milliseconds. */
import type { GrantScope } from '../../../shared/model/question.ts';

export const lifetimesMs: Partial<Record<GrantScope, number>> = { minutes: 15 * 60_000, day: 24 * 60 * 60_000 };
