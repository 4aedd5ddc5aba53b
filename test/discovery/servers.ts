/** Sources to discover: real fixture processes behind a real upstream, and a server in memory for what no process can be asked to do. */
import type { DiscoverySource } from '../../electron/core/discovery/discovery.ts';
import { createUpstream, type Upstream } from '../../electron/core/upstream/upstream.ts';
import type { ToolDefinition } from '../../shared/model.ts';
import { commands, serverConfig } from '../fixtures/commands.ts';
import { type TestHost, testHost } from '../fixtures/host.ts';

/** A running fixture server; `dispose` ends its process. */
export function fixtureServer(behaviour: string, ...options: string[]) {
  const host: TestHost = testHost();
  const upstream: Upstream = createUpstream(serverConfig('fixture', commands.misbehaving(behaviour, ...options)), {
    host,
    resolve: (connection) => connection as never,
    onState: () => {},
    onNotification: () => {},
    idleTimeoutMs: 0,
  });
  return {
    upstream,
    async [Symbol.asyncDispose]() {
      await upstream.stop();
      host.dispose();
    },
  };
}

/** A server in memory that answers `method` with what `answers[method]` gives, and counts how often it was asked. */
export function memoryServer(
  answers: Record<string, (params: Record<string, unknown>, signal?: AbortSignal) => unknown>,
  capabilities: Record<string, unknown> = { tools: {} },
): DiscoverySource & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    server: { name: 'memory' },
    start: async () => ({ capabilities }),
    async request({ method, params = {}, signal }) {
      asked.push(method);
      const answer = answers[method];
      if (!answer) throw new Error(`Method not found: ${method}`);
      return (await answer(params, signal)) as Record<string, unknown>;
    },
  };
}

export function tool(name: string, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return { name, description: `Gets ${name}.`, inputSchema: { type: 'object', properties: {} }, ...more };
}

/** Discovery options that most tests want. */
export const plain = { slug: 'memory', plugins: [], timeoutMs: 10_000 };
