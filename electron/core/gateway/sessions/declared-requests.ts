/** Requests to a client, limited to those that it declared in its capabilities. */
import { fail } from '../../../../shared/failure.ts';
import type { ClientRequest, JsonObject } from '../../types.ts';

/** Wraps `request` to reject methods that the client did not declare. Undefined if the client can answer no request. */
export function declaredOnly(capabilities: JsonObject, request: ClientRequest): ClientRequest | undefined {
  const { elicitation, sampling, roots } = capabilities;
  if (!elicitation && !sampling && !roots) return undefined;
  return async (method, params, signal, key) => {
    if (isDeclared(capabilities, method, params)) return request(method, params, signal, key);
    throw fail('INPUT_INVALID', `The client did not declare that it can answer ${method}.`);
  };
}

function isDeclared(capabilities: JsonObject, method: string, params: JsonObject): boolean {
  if (method === 'roots/list') return Boolean(capabilities.roots);
  if (method === 'sampling/createMessage') return Boolean(capabilities.sampling);
  if (method !== 'elicitation/create') return false;
  const modes = capabilities.elicitation as JsonObject | undefined;
  if (params.mode === 'url') return Boolean(modes?.url);
  // Clients before MCP 2025-11-25 declare forms with an empty `elicitation`.
  return modes !== undefined && (Boolean(modes.form) || !modes.url);
}
