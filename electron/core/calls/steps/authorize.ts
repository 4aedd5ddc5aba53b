/** Refuses calls while Gatehouse is paused, and calls to disabled or held tools. */
import { createRefusals, type RefusalOptions } from '../../policy/refusals.ts';
import type { Step } from '../step.ts';

export type AuthorizeOptions = RefusalOptions;

export function createAuthorize(options: AuthorizeOptions): Step {
  const { requireEnabled } = createRefusals(options);
  return (call, next) => {
    requireEnabled(call.client, call.found);
    return next();
  };
}
