/** Commands for tools. */
import { events as contractEvents } from '../../../shared/protocol/contract/events.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { ownTurn } from '../async/slices.ts';
import { callFailure } from '../calls/calls.ts';
import type { CallResult } from '../calls/step.ts';
import { decide } from '../policy/decide/decide.ts';
import { withPolicies, withPolicy } from '../rules/overrides.ts';
import { changeSetting } from '../settings.ts';
import type { ToolCall } from '../types.ts';
import type { CommandServices } from './services.ts';
import { user } from './user-client.ts';

const manyTools = 1000;

const progressSchema = contractEvents['calls.progress'].omit({ callId: true });

export function toolCommands(services: CommandServices) {
  const { host, stores, servers, knownTools, calls, clients, scopes, state, events, applier } = services;
  const running = new Map<string, AbortController>();

  async function run(call: Omit<ToolCall, 'client' | 'signal'>, callId: string | undefined): Promise<CallResult> {
    const controller = new AbortController();
    if (callId) running.set(callId, controller);
    const onProgress = (params: Record<string, unknown>) => {
      const progress = progressSchema.safeParse(params);
      if (callId && progress.success) events.emit('calls.progress', { callId, ...progress.data });
    };
    try {
      const ours = { ...call, client: user, signal: controller.signal };
      return await calls.run(callId ? { ...ours, onProgress } : ours);
    } catch (error) {
      throw callFailure(error, call.server, call.tool);
    } finally {
      if (callId) running.delete(callId);
    }
  }

  return {
    'tools.search': async ({ query, server, limit }) => {
      if (server) servers.config(server);
      const hits = await knownTools.search(query, { server, limit });
      return hits.map(({ inputSchema: _, ...hit }) => hit);
    },
    'tools.list': async (filter) => {
      for (const server of [filter.server, ...(filter.servers ?? [])]) if (server) servers.config(server);
      const tools = knownTools.list(filter);
      // Serializing thousands of tools takes as long as listing them, so let other work run in between.
      if (tools.length > manyTools) await ownTurn();
      return tools;
    },
    'tools.usage': () => stores.history.usedTools(),
    'tools.details': ({ server, tool }) => {
      servers.config(server);
      const { fingerprint: _, isRepeatable: __, isTaskOnly: ___, ...view } = knownTools.find(server, tool);
      return view;
    },
    'tools.compatibility': ({ server, tool }) => {
      servers.config(server);
      const reaching = clients.sessions().filter(({ scope }) => scopes.hasServer(scope, server));
      return reaching.map((client) => {
        const { name, mode } = client;
        const fit = knownTools.compatibility(server, tool, client);
        const about = { caller: client, server, tool, mayBeApp: true, now: Date.now(), facts: {} };
        const verdict = decide(state(), about);
        if (verdict.kind !== 'refuse' || verdict.asked) return { client: name, mode, ...fit };
        return { client: name, mode, level: 'none', notes: [verdict.failure.message] };
      });
    },
    'tools.execute': ({ callId, ...call }) => run(call, callId),
    'tools.executeMany': ({ callId, calls: given, stopOnError }) =>
      run(
        {
          ...{ server: 'toolkeep', tool: 'execute_tools', arguments: { calls: given, stopOnError } },
          batch: { calls: given, stopOnError, shown: (_server, result) => result },
        },
        callId,
      ),
    'tools.cancel': ({ callId }) => running.get(callId)?.abort(),
    'tools.accept': ({ server, tool, fingerprint }) => {
      servers.config(server);
      knownTools.accept(server, tool, fingerprint);
      events.emit('tools.changed', { servers: [server] });
    },
    'tools.setPolicy': async ({ server, tool, ...change }) => {
      const removesOnly = !change.confirm && (change.enabled ?? null) === null;
      // If the tool no longer exists, its override can only be removed.
      if (!removesOnly) knownTools.find(servers.config(server).name, tool);
      changeSetting(host.store, 'overrides', (all) => withPolicy(all, { server, tool }, change));
      applier.applyRules();
      events.emit('tools.changed', { servers: [server] });
    },
    'tools.setPolicies': async ({ tools, enabled }) => {
      if (enabled !== null) for (const { server, tool } of tools) knownTools.find(servers.config(server).name, tool);
      changeSetting(host.store, 'overrides', (all) => withPolicies(all, tools, { enabled }));
      applier.applyRules();
      events.emit('tools.changed', { servers: [...new Set(tools.map(({ server }) => server))] });
    },
  } satisfies Partial<CommandHandlers>;
}
