/** Asks plug-ins for the tools that they list for a client, at each request that reads or runs tools. */
import { setTimeout as sleep } from 'node:timers/promises';
import { toFailure } from '../../../shared/failure.ts';
import type { Events } from '../events.ts';
import type { Scopes } from '../policy/scope.ts';
import type { Servers } from '../servers/servers.ts';
import type { Caller, Provided } from '../types.ts';
import type { ProvidedRequest, ProvidedTools } from './services.ts';

/** How long a request waits for a plug-in, in milliseconds: `first` normally, `again` while an earlier listing is late. */
const waitMs = { first: 2_000, again: 20 };
/** The key under which a client names the skill that its model has activated. */
const skillKey = 'toolkeep/activeSkillId';

export function createProvidedTools(options: {
  servers: Pick<Servers, 'providers' | 'listProvided' | 'lastProvided'>;
  scopes: Pick<Scopes, 'hasServer'>;
  events: Pick<Events, 'on'>;
}): ProvidedTools {
  const { servers, scopes, events } = options;
  /** The number of requests so far, by client ID. */
  const iterations = new Map<string, number>();
  /** Plug-ins that were late, with the number of their listings that are still running. */
  const late = new Map<string, number>();
  events.on('client.disconnected', ({ id }) => void iterations.delete(id));

  function callerOf({ client: { id, via, token, scope }, meta }: ProvidedRequest): Caller {
    const iteration = (iterations.get(id) ?? 0) + 1;
    iterations.set(id, iteration);
    const skill = meta?.[skillKey];
    return {
      iteration,
      ...(typeof skill === 'string' && { activeSkillId: skill }),
      identity: { tenant: scope.profile, principal: via ?? token, conversationId: id },
    };
  }

  /** Settles even if the plug-in does not. A failure becomes part of the result. */
  async function listed(name: string, caller: Caller, signal: AbortSignal, isOnly: boolean): Promise<Provided> {
    const context = { ...caller, signal };
    const namesOf = (tools: readonly { name: string }[]) => new Set(tools.map((tool) => tool?.name));
    const listing = servers.listProvided(name, context).then(
      (tools): Provided => ({ tools: namesOf(tools) }),
      (error: unknown): Provided => ({ tools: new Set(), failure: toFailure(error) }),
    );
    const tooLate = sleep(late.has(name) && !isOnly ? waitMs.again : waitMs.first, undefined, { ref: false });
    const provided = await Promise.race([listing, tooLate]);
    if (provided) return provided;
    late.set(name, (late.get(name) ?? 0) + 1);
    void listing.then(() => {
      const running = (late.get(name) ?? 1) - 1;
      if (running > 0) late.set(name, running);
      else late.delete(name);
    });
    const last = servers.lastProvided(name, context);
    return last ? { tools: namesOf(last) } : { tools: new Set(), isLate: true };
  }

  return {
    forRequest<R extends ProvidedRequest>(request: R, server = request.client.scope.server) {
      const { client, signal } = request;
      const all = servers.providers().filter((name) => scopes.hasServer(client.scope, name));
      const asked = server === undefined ? all : all.filter((name) => name === server);
      if (asked.length === 0) return request;
      const caller = callerOf(request);
      const lists = asked.map(async (name) => [name, await listed(name, caller, signal, name === server)] as const);
      return Promise.all(lists).then((provided) => ({
        ...request,
        caller,
        client: { ...client, scope: { ...client.scope, provided: new Map(provided) } },
      }));
    },
  };
}
