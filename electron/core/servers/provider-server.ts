/** Presents a plug-in's tools as a server, with the same catalog, rules, approvals and history. */
import { fail, toFailure } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { DiscoveryPlugin } from '../plugins/plugin-api.ts';
import { answerFromMcp, paramsOfQuestion } from '../plugins/question-params.ts';
import { type AskUser, createProvider } from '../plugins/tool-provider.ts';
import type { OutgoingRequest, ServerHandle, ServerState } from './types.ts';

/** The provider's entry among the servers. The connection is for display; nothing is spawned. */
export function providerConfig(plugin: DiscoveryPlugin): ServerConfig {
  return {
    name: plugin.name,
    description: 'Tools of a plug-in',
    connection: { type: 'stdio', command: 'plug-in', args: [plugin.name], env: {} },
    enabled: true,
  };
}

export function pluginServer(plugin: DiscoveryPlugin, log: (message: string) => void): ServerHandle {
  const provider = createProvider(plugin, {
    onEvent: (event) => {
      if (event.kind === 'discovery_failed') log(`Plug-in "${event.providerId}": ${event.error}`);
    },
  });
  const server = plugin.name;
  const ready: ServerState = {
    status: 'ready',
    startedAt: Date.now(),
    restarts: 0,
    breaker: 'closed',
    phases: [],
    warnings: [],
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

  async function call(
    { params = {}, onServerRequest }: OutgoingRequest,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const args = (params.arguments ?? {}) as Record<string, unknown>;
    const context = { iteration: 1, signal };
    const askUser = onServerRequest && askThrough(onServerRequest, server);
    const result = await provider.execute(String(params.name), args, context, askUser);
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
      const stopped = running.signal;
      const ended = signal ? AbortSignal.any([signal, stopped]) : stopped;
      try {
        if (method === 'tools/list') return await list(ended);
        if (method === 'tools/call') return await call(request, ended);
      } catch (error) {
        throw stopped.aborted && !signal?.aborted ? fail('CANCELLED', `"${server}" was stopped.`, { server }) : error;
      }
      throw fail('SERVER_PROTOCOL_ERROR', `Plug-in "${server}" does not support ${method}.`, { server });
    },
    keepRunning: () => () => undefined,
    notify: async () => undefined,
    logLevelChanged: () => undefined,
    // Ends the calls and questions of a plug-in that is removed or reloaded.
    async stop() {
      running.abort();
      running = new AbortController();
    },
  };
}

/** Sends a plug-in's questions the way of a server's: same routing, limits and history, in the plug-in's name. */
function askThrough(onServerRequest: NonNullable<OutgoingRequest['onServerRequest']>, plugin: string): AskUser {
  return async (draft, { signal, timeoutMs, fallback }) => {
    const request = {
      method: 'elicitation/create' as const,
      draft,
      limits: { timeoutMs, fallback },
      params: paramsOfQuestion(draft, plugin),
    };
    try {
      return answerFromMcp(draft, await onServerRequest(request, signal));
    } catch (error) {
      if (signal.aborted) return { action: 'cancel' };
      throw error;
    }
  };
}
