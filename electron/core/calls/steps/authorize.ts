/** Refuses calls while Toolkeep is paused, and calls to disabled or held tools, and tells the agent what the user can do. */
import { type FailureCode, fail } from '../../../../shared/failure.ts';
import type { DisabledReason } from '../../../../shared/model/question.ts';
import { type EnableRequest, type EnableRequests, missingPermission } from '../../policy/enable-requests.ts';
import type { RegisteredTool } from '../../types.ts';
import type { Step } from '../step.ts';

export interface AuthorizeOptions {
  isPaused(): boolean;
  isServerEnabled(server: string): boolean;
  enableRequests: EnableRequests;
}

const codes: Record<DisabledReason, FailureCode> = {
  server: 'SERVER_DISABLED',
  changed: 'TOOL_HELD_BACK',
  rule: 'TOOL_DISABLED',
  override: 'TOOL_DISABLED',
};

const heldMessages: Record<NonNullable<RegisteredTool['held']>['reason'], string> = {
  changed: 'changed after the user accepted it',
  suspicious: 'has a description that may try to mislead agents',
  new: 'is new on a server that the user accepted before',
};

const messages: Record<DisabledReason, (request: EnableRequest, tool: RegisteredTool) => string> = {
  server: ({ server }) => `The server "${server}" is disabled.`,
  changed: ({ tool }, { held }) =>
    `"${tool}" ${heldMessages[held?.reason ?? 'changed']}. It is held until the user accepts it.`,
  rule: ({ tool }) => `"${tool}" is disabled by the user's rules.`,
  override: ({ tool }) => `The user disabled "${tool}".`,
};

/** Throws PAUSED, SERVER_DISABLED, TOOL_HELD_BACK or TOOL_DISABLED. */
export function createAuthorize({ isPaused, isServerEnabled, enableRequests }: AuthorizeOptions): Step {
  return ({ client, found }, next) => {
    const place = { server: found.server, tool: found.name };
    if (isPaused()) throw fail('PAUSED', 'Toolkeep is paused, so no tool runs.', place);
    const request = missingPermission(found, client.name, isServerEnabled(found.server));
    if (!request) return next();
    const hint = enableRequests.request(request);
    throw fail(codes[request.reason], messages[request.reason](request, found), { ...place, ...(hint && { hint }) });
  };
}
