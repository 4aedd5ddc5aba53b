/** A plug-in's tools in the place of a server: same catalog, rules, approvals and history as for any other (rows C1 to C5). */

import { toFailure } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model.ts';
import { createProvider, providerSource } from '../discovery/discovery.ts';
import type { DiscoveryPlugin } from '../extension/extension.ts';
import type { Upstream, UpstreamState } from '../upstream/upstream.ts';

const ready: UpstreamState = {
  status: 'ready',
  phases: [],
  startedAt: 0,
  restarts: 0,
  breaker: 'closed',
  warnings: [],
};

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
  const source = providerSource(provider, { iteration: 1 });
  let state = ready;
  return {
    server: providerConfig(plugin),
    get state() {
      return state;
    },
    start: async () => ({ era: 'legacy', protocolVersion: '', capabilities: { tools: {} } }),
    async request({ method, params, signal }) {
      try {
        const result = await source.request({ method, ...(params && { params }), ...(signal && { signal }) });
        state = ready;
        return result;
      } catch (error) {
        if (method === 'tools/list')
          state = { ...ready, status: 'failed', phase: 'discovery', failure: toFailure(error) };
        throw error;
      }
    },
    hold: () => () => undefined,
    notify: async () => undefined,
    stop: async () => undefined,
  };
}
