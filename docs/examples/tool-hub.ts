/**
 * Provides the tools of a hub: a service that lists tools for each client and runs them. The plug-in caches the list for `ttlMs`.
 * If the hub is unreachable, the plug-in retries twice and then uses the last list. If the hub refuses, the listing fails.
 *
 *     plugins: [{ path: './tool-hub.ts', options: { url: 'https://hub.example.com', ttlMs: 60_000 } }]
 *
 * `GET {url}/tools` returns a list of tools; `POST {url}/tools/NAME` runs one and returns its text.
 */
import { type DiscoveryPlugin, definePlugin, type ProviderContext, type ToolDefinition } from 'toolkeep/plugin';

interface Options {
  /** The URL of the hub. */
  url: string;
  /** How long a list is cached, in milliseconds. */
  ttlMs?: number;
  /** Milliseconds before the first retry. */
  delayMs?: number;
}

/** The hub answered with an HTTP error. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the hub answered ${status}`);
    this.status = status;
  }
}

const unreachable = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'UND_ERR_SOCKET'];
const isUnreachable = (code = '') => unreachable.includes(code);

const reliability: (delayMs?: number) => DiscoveryPlugin['reliability'] = (delayMs) => [
  { when: ({ error }) => error.name === 'AbortError', then: 'fail-fast', kind: 'cancelled' },
  { when: ({ error, attempt }) => isUnreachable(error.code) && attempt < 3, then: 'retry', kind: 'transient', delayMs },
  { when: ({ error }) => isUnreachable(error.code), then: 'fallback', kind: 'hub-unreachable' },
  { when: ({ error }) => error.code === '403', then: 'fail-fast', kind: 'refused' },
];

export default function toolHub({ url, ttlMs = 60_000, delayMs }: Options) {
  async function ask(path: string, { identity, signal }: ProviderContext, body?: unknown): Promise<Response> {
    const headers = { 'x-tenant': identity?.tenant ?? '', 'x-principal': identity?.principal ?? '' };
    const call = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { headers, signal, ...call });
    if (!response.ok) throw new Refusal(response.status);
    return response;
  }

  return definePlugin({
    name: 'tool-hub',
    version: '1.0.0',
    ttlMs,
    reliability: reliability(delayMs),
    async provideTools(context) {
      const response = await ask('/tools', context);
      return (await response.json()) as ToolDefinition[];
    },
    async execute(tool, args, context) {
      const response = await ask(`/tools/${encodeURIComponent(tool)}`, context, args);
      return { content: [{ type: 'text', text: await response.text() }] };
    },
  });
}
