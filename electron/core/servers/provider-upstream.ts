/** A plug-in's tools in the place of a server: same catalog, rules, approvals and history as for any other (rows C1 to C5). */

import { fail, toFailure } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model.ts';
import { type AskPerson, createProvider } from '../discovery/discovery.ts';
import { answerFromMcp, paramsOfQuestion } from '../elicitation/elicitation.ts';
import type { DiscoveryPlugin } from '../extension/extension.ts';
import type { Upstream, UpstreamRequest, UpstreamState } from '../upstream/upstream.ts';

/** How a provider is listed among the servers. The connection only says what it is; nothing is spawned. */
export function providerConfig(plugin: DiscoveryPlugin): ServerConfig {
  return {
    name: plugin.name,
    description: 'Tools of a plug-in',
    connection: { type: 'stdio', command: 'plug-in', args: [plugin.name], env: {} },
    enabled: true,
  };
}

export function providerUpstream(plugin: DiscoveryPlugin, log: (message: string) => void): Upstream {
  const provider = createProvider(plugin, {
    onEvent: (event) => {
      if (event.kind === 'discovery_failed') log(`Plug-in "${event.providerId}": ${event.error}`);
    },
  });
  const server = plugin.name;
  const ready: UpstreamState = {
    ...{ status: 'ready', startedAt: Date.now(), restarts: 0, breaker: 'closed' },
    ...{ phases: [], warnings: [] },
  };
  let state = ready;
  let running = new AbortController();

  async function list(signal: AbortSignal): Promise<Record<string, unknown>> {
    try {
      const tools = [...(await provider.list({ iteration: 1, signal }))];
      state = ready;
      return { tools };
    } catch (error) {
      state = { ...ready, status: 'failed', phase: 'discovery', failure: toFailure(error) };
      throw error;
    }
  }

  async function call({ params = {}, onAsk }: UpstreamRequest, signal: AbortSignal): Promise<Record<string, unknown>> {
    const args = (params.arguments ?? {}) as Record<string, unknown>;
    const context = { iteration: 1, signal };
    const result = await provider.execute(String(params.name), args, context, onAsk && askThrough(onAsk, server));
    state = ready;
    return result;
  }

  return {
    server: providerConfig(plugin),
    get state() {
      return state;
    },
    start: async () => ({ era: 'legacy', protocolVersion: '', capabilities: { tools: {} } }),
    async request(request) {
      const { method, signal } = request;
      const end = running.signal;
      const until = signal ? AbortSignal.any([signal, end]) : end;
      try {
        if (method === 'tools/list') return await list(until);
        if (method === 'tools/call') return await call(request, until);
      } catch (error) {
        throw end.aborted && !signal?.aborted ? fail('CANCELLED', `"${server}" was stopped.`, { server }) : error;
      }
      throw fail('SERVER_PROTOCOL_ERROR', `Plug-in "${server}" does not answer ${method}.`, { server });
    },
    hold: () => () => undefined,
    notify: async () => undefined,
    logLevelChanged: () => undefined,
    // A plug-in that is taken away, or read anew, leaves no call and no question behind.
    async stop() {
      running.abort();
      running = new AbortController();
    },
  };
}

/** A plug-in's questions go the way of a server's: same routing, limits and history, in the plug-in's name. */
function askThrough(onAsk: NonNullable<UpstreamRequest['onAsk']>, plugin: string): AskPerson {
  return async (draft, { signal, timeoutMs, fallback }) => {
    const ask = {
      ...{ method: 'elicitation/create' as const, draft, limits: { timeoutMs, fallback } },
      params: paramsOfQuestion(draft, plugin),
    };
    try {
      return answerFromMcp(draft, await onAsk(ask, signal));
    } catch (error) {
      if (signal.aborted) return { action: 'cancel' };
      throw error;
    }
  };
}
