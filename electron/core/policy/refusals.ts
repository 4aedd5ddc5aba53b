/** Refuses disabled and held tools before anything is sent, and tells the agent what the user can do. */
import { type FailureCode, fail } from '../../../shared/failure.ts';
import type { DisabledReason } from '../../../shared/model/question.ts';
import type { Client, RegisteredTool } from '../types.ts';
import type { EnableRequest, EnableRequests } from './enable-requests.ts';

export interface RefusalOptions {
  isPaused(): boolean;
  isServerEnabled(server: string): boolean;
  enableRequests: EnableRequests;
}

const codes: Record<DisabledReason, FailureCode> = {
  server: 'SERVER_DISABLED',
  changed: 'TOOL_HELD_BACK',
  rule: 'TOOL_DISABLED',
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
  rule: ({ tool }) => `"${tool}" is disabled by the user's rules or an override.`,
};

/** `requireEnabled` throws PAUSED, SERVER_DISABLED, TOOL_HELD_BACK or TOOL_DISABLED. */
export function createRefusals({ isPaused, isServerEnabled, enableRequests }: RefusalOptions) {
  return {
    requireEnabled(client: Pick<Client, 'name'>, tool: RegisteredTool): void {
      const place = { server: tool.server, tool: tool.name };
      if (isPaused()) throw fail('PAUSED', 'Gatehouse is paused, so no tool runs.', place);
      const request = missingPermission(tool, client.name, isServerEnabled(tool.server));
      if (!request) return;
      const hint = enableRequests.request(request);
      throw fail(codes[request.reason], messages[request.reason](request, tool), { ...place, ...(hint && { hint }) });
    },
  };
}

/** Why an agent cannot use this tool; undefined if it can. */
export function missingPermission(
  tool: RegisteredTool,
  client: string,
  isServerEnabled: boolean,
): EnableRequest | undefined {
  const request = { client, server: tool.server, tool: tool.name };
  if (!isServerEnabled) return { ...request, reason: 'server' };
  if (tool.held)
    return { ...request, reason: 'changed', change: { before: tool.held.before, after: definitionOf(tool) } };
  return tool.enabled ? undefined : { ...request, reason: 'rule' };
}

const definitionOf = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
}: RegisteredTool): Record<string, unknown> => ({
  name,
  title,
  description,
  inputSchema,
  ...(outputSchema && { outputSchema }),
});
