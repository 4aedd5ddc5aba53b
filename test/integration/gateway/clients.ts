/** Real clients of every kind, connected to a gateway over the bridge or over HTTP, with one small interface. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { startGateway } from './harness.ts';
import { initialize, spawnPeer } from './raw-peer.ts';

type Json = Record<string, unknown>;
type Running = Awaited<ReturnType<typeof startGateway>>;

export interface AnyClient {
  list(): Promise<Json[]>;
  /** Sends any request. */
  ask(method: string, params: Json): Promise<Json>;
  /** The instructions of the session. */
  instructions(): string | undefined;
  call(name: string, args: Json, options?: { signal?: AbortSignal; onprogress?(p: unknown): void }): Promise<Json>;
  /** Resolves when the client has been notified that the tools changed. */
  toolsChanged: Promise<void>;
  close(): Promise<unknown>;
}

export interface ClientOptions {
  mode?: string;
  /** Answers elicitations; without it, the client does not declare the capability. */
  onElicit?(params: Json): Json | Promise<Json>;
  /** The elicitation capability that the client declares when it answers questions. */
  elicitation?: { form?: Record<string, never>; url?: Record<string, never> };
}

const loose = z.looseObject({});
export const kinds = ['v1', 'v2 auto', 'v2 pinned to 2026-07-28', 'raw 2024-11-05'] as const;
export type Kind = (typeof kinds)[number];

export async function openClient(
  kind: Kind,
  over: 'bridge' | 'http',
  gateway: Pick<Running, 'bridge' | 'url' | 'token'>,
  { mode = 'lazy', onElicit, elicitation = { form: {} } }: ClientOptions = {},
): Promise<AnyClient> {
  const { promise: toolsChanged, resolve: changed } = Promise.withResolvers<void>();
  const bridge = { ...gateway.bridge('--mode', mode), stderr: 'inherit' as const };
  const url = new URL(`${gateway.url}?mode=${mode}`);
  const requestInit = { headers: { authorization: `Bearer ${gateway.token}` } };
  const capabilities = onElicit ? { elicitation } : {};
  if (kind === 'v1') {
    const client = new Client(
      { name: 'v1', version: '1' },
      { capabilities, listChanged: { tools: { onChanged: () => changed(), autoRefresh: false, debounceMs: 0 } } },
    );
    if (onElicit) {
      client.setRequestHandler(ElicitRequestSchema, async ({ params }) => (await onElicit(params as Json)) as never);
    }
    const transport =
      over === 'bridge' ? new StdioClientTransport(bridge) : new StreamableHTTPClientTransport(url, { requestInit });
    await client.connect(transport as never);
    return {
      list: async () => (await client.request({ method: 'tools/list' }, loose)).tools as Json[],
      ask: (method, params) => client.request({ method, params }, loose),
      instructions: () => client.getInstructions(),
      call: (name, args, options) =>
        client.request({ method: 'tools/call', params: { name, arguments: args } }, loose, options as never),
      toolsChanged,
      close: () => client.close(),
    };
  }
  if (kind === 'raw 2024-11-05') {
    if (over === 'http') throw new Error('There was no streamable HTTP in 2024-11-05.');
    const peer = spawnPeer(bridge);
    const { result } = await initialize(peer, { version: '2024-11-05' });
    void peer.until((message) => message.method === 'notifications/tools/list_changed').then(() => changed());
    const need = (answer: { result?: Json; error?: { message: string } }) => {
      if (answer.error) throw new Error(answer.error.message);
      return answer.result as Json;
    };
    return {
      list: async () => need(await peer.request('tools/list')).tools as Json[],
      ask: async (method, params) => need(await peer.request(method, params)),
      instructions: () => (result as { instructions?: string }).instructions,
      async call(name, args, { signal, onprogress } = {}) {
        const stop = peer.onMessage(({ method, params }) => {
          if (method === 'notifications/progress') onprogress?.(params);
        });
        const meta = onprogress && { _meta: { progressToken: 'p1' } };
        const answer = peer.request('tools/call', { name, arguments: args, ...meta });
        const aborted = new Promise<never>((_, reject) =>
          signal?.addEventListener('abort', () => {
            peer.notify('notifications/cancelled', { requestId: answer.id });
            reject(new Error('aborted'));
          }),
        );
        const gone = peer.closed.then(() => Promise.reject(new Error('The connection closed.')));
        return need(await Promise.race([answer, aborted, gone]).finally(stop));
      },
      toolsChanged,
      close: async () => peer.close(),
    };
  }
  const client = new ModernClient(
    { name: 'v2', version: '1' },
    {
      capabilities,
      versionNegotiation: { mode: kind === 'v2 auto' ? 'auto' : { pin: '2026-07-28' } },
      listChanged: { tools: { onChanged: () => changed(), autoRefresh: false, debounceMs: 0 } },
    },
  );
  if (onElicit)
    client.setRequestHandler('elicitation/create', async ({ params }) => (await onElicit(params as Json)) as never);
  await client.connect(over === 'bridge' ? new ModernStdio(bridge) : new ModernHttp(url, { requestInit }));
  return {
    list: async () => (await client.request({ method: 'tools/list' }, loose)).tools as Json[],
    ask: (method, params) => client.request({ method, params } as never, loose) as Promise<Json>,
    instructions: () => client.getInstructions(),
    call: (name, args, options) =>
      client.request({ method: 'tools/call', params: { name, arguments: args } }, loose, options as never),
    toolsChanged,
    close: () => client.close(),
  };
}

/** Every kind of client over every transport that it supports. */
export const ways = kinds.flatMap((kind) =>
  (['bridge', 'http'] as const)
    .filter((over) => kind !== 'raw 2024-11-05' || over === 'bridge')
    .map((over) => ({ kind, over })),
);
