/** Presents a plug-in's tools as a server, with the same catalog, rules, approvals and history. */
import { fail, toFailure } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { Emit } from '../events.ts';
import type { DiscoveryPlugin, ProviderContext } from '../plugins/plugin-api.ts';
import type { ProviderEvent } from '../plugins/provider-listing.ts';
import type { ToolList } from '../plugins/provider-lists.ts';
import { answerFromMcp, paramsOfQuestion } from '../plugins/question-params.ts';
import { type AskUser, createProvider } from '../plugins/tool-provider.ts';
import { initialState } from './lifecycle/instances.ts';
import type { OutgoingRequest, ServerHandle, ServerState } from './types.ts';

/** A plug-in that provides tools, presented as a server whose list can differ between clients. */
export interface ProviderServer extends ServerHandle {
  /** The tools for a client's request. Rejects with PLUGIN_FAILED. */
  listFor(context: ProviderContext): Promise<ToolList>;
  /** The last list for this kind of context, even if it has expired. */
  lastFor(context: ProviderContext): ToolList | undefined;
  /** Whether clients have received lists that differ from the last result of `tools/list`. */
  hasNewTools(): boolean;
}

/** The provider's entry among the servers. The connection is for display; nothing is spawned. */
export function providerConfig(plugin: DiscoveryPlugin): ServerConfig {
  return {
    name: plugin.name,
    description: 'Tools of a plug-in',
    connection: { type: 'stdio', command: 'plug-in', args: [plugin.name], env: {} },
    enabled: true,
  };
}

export function pluginServer(
  plugin: DiscoveryPlugin,
  { log, emit }: { log(message: string): void; emit: Emit },
): ProviderServer {
  const provider = createProvider(plugin, {
    onEvent(event) {
      if (event.kind === 'discovery_failed')
        log(`Plug-in "${event.providerId}": ${event.error}${event.rule ? ` (${event.rule})` : ''}`);
      // The known tools report listings without a client.
      if (event.conversationId !== undefined) emitListing(emit, event);
    },
  });
  const server = plugin.name;
  /** All tools in the last result of `tools/list`. */
  let given: ToolList | undefined;
  /** True if a client has since received a list with additional tools. */
  let isNew = false;
  const ready: ServerState = { ...initialState, status: 'ready', startedAt: Date.now() };
  let state = ready;
  let running = new AbortController();

  async function list(signal: AbortSignal): Promise<Record<string, unknown>> {
    try {
      // If a client has just received a new list, do not request it from the plug-in again.
      if (!isNew) await provider.list({ iteration: 1, signal });
      isNew = false;
      given = provider.union();
      state = ready;
      return { tools: [...given] };
    } catch (error) {
      state = { ...ready, status: 'failed', phase: 'discovery', failure: toFailure(error) };
      throw error;
    }
  }

  async function call(
    { params = {}, onServerRequest, caller }: OutgoingRequest,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const args = (params.arguments ?? {}) as Record<string, unknown>;
    const context = { iteration: 1, ...caller, signal };
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
    async listFor(context) {
      const stopped = running.signal;
      const tools = await provider.list({ ...context, signal: AbortSignal.any([context.signal, stopped]) });
      if (stopped.aborted) throw fail('CANCELLED', `"${server}" was stopped.`, { server });
      isNew ||= provider.union() !== given || state.status === 'failed';
      return tools;
    },
    lastFor: provider.last,
    hasNewTools: () => isNew,
    keepRunning: () => () => undefined,
    notify: async () => undefined,
    logLevelChanged: () => undefined,
    // Ends the calls and questions of a plug-in that was removed or reloaded.
    async stop() {
      running.abort();
      running = new AbortController();
    },
  };
}

function emitListing(emit: Emit, event: ProviderEvent): void {
  const { providerId: server, iteration } = event;
  if (event.kind === 'discovery_started') emit('discovery.started', { server, iteration });
  else if (event.kind === 'discovery_completed')
    emit('discovery.completed', {
      server,
      iteration,
      phases: [],
      durationMs: event.durationMs,
      toolCount: event.toolCount,
    });
  else {
    const { durationMs, error: message, rule } = event;
    emit('discovery.failed', { server, iteration, phases: [], durationMs, code: 'PLUGIN_FAILED', message, rule });
  }
}

/** Sends a plug-in's questions like those of a server: with the same routing, limits and history, in the plug-in's name. */
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
