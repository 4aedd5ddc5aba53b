/** Refuses calls while Toolkeep is paused, and calls to disabled or held tools, and tells the agent what the user can do. */
import { type FailureCode, fail } from '../../../../shared/failure.ts';
import { heldBecause } from '../../../../shared/held-reason.ts';
import { standstill } from '../../../../shared/server-facts.ts';
import { type EnableRequest, type EnableRequests, missingPermission } from '../../policy/enable-requests.ts';
import type { Servers } from '../../servers/servers.ts';
import type { Client, RegisteredTool } from '../../types.ts';

export interface AuthorizeOptions {
  servers: Pick<Servers, 'isEnabled' | 'isPaused'>;
  enableRequests: EnableRequests;
}

type Refusal = [FailureCode, message: string];

function refusalOf({ server, tool, reason }: EnableRequest): Refusal {
  switch (reason) {
    case 'server':
      return ['SERVER_DISABLED', `The server "${server}" is disabled.`];
    case 'rule':
      return ['TOOL_DISABLED', `"${tool}" is disabled by the user's rules.`];
    case 'override':
      return ['TOOL_DISABLED', `The user disabled "${tool}".`];
    default:
      return ['TOOL_HELD_BACK', `"${tool}" is held until the user accepts it: ${heldBecause[reason]}.`];
  }
}

/** Throws PAUSED, SERVER_DISABLED, TOOL_HELD_BACK or TOOL_DISABLED. */
export function createAuthorize({ servers, enableRequests }: AuthorizeOptions) {
  return (client: Client, found: RegisteredTool): void => {
    const place = { server: found.server, tool: found.name };
    if (servers.isPaused) throw fail('PAUSED', standstill.paused, place);
    const request = missingPermission(found, client.name, servers.isEnabled(found.server));
    if (!request) return;
    const hint = enableRequests.request(request);
    throw fail(...refusalOf(request), { ...place, ...(hint && { hint }) });
  };
}
