/** A Core in a user's folder with a config file and copied plug-ins. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { onTestFinished } from 'vitest';
import { type Core, createCore } from '../../../electron/core/core.ts';
import type { BridgeClient } from '../../../electron/core/gateway/session-options.ts';
import type { EventName } from '../../../shared/protocol/contract.ts';
import { commands } from '../../fixtures/commands.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

const examples = join(import.meta.dirname, '../../../docs/examples');

export interface ExternalProject extends AsyncDisposable {
  core: Core;
  host: TestHost;
  events: { name: EventName; data: Record<string, unknown> }[];
  /** Writes a file into the folder of the config; returns its path. */
  write(name: string, content: unknown): string;
  /** Writes the tools that the fixture server lists from now on. */
  offer(tools: unknown[]): void;
  /** Writes `config.json`: the fixture server under the name "shop", and `more`. */
  configure(more: Record<string, unknown>): void;
  /** A client in lazy mode, with the options of its bridge. Closes when its test ends. */
  client(options?: BridgeClient): Promise<HubClient>;
}

export interface HubClient {
  /** Calls a meta-tool; returns its text. */
  text(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<string>;
  /** The names of the listed tools. */
  listed(): Promise<string[]>;
  close(): Promise<void>;
}

interface CallOptions {
  signal?: AbortSignal;
  /** The skill that the client's model has activated. */
  skill?: string;
}

/** `prepare` writes the files before the Core starts. `copies` are files of `docs/examples` to copy. */
export async function externalProject(
  prepare: (folder: ExternalProject) => void,
  copies: string[] = [],
): Promise<ExternalProject> {
  const host = testHost();
  const folder = host.dataDir;
  const offered = join(host.cwd, 'offered.json');
  for (const name of copies) copyFileSync(join(examples, name), join(folder, name));
  const events: ExternalProject['events'] = [];
  const result: ExternalProject = {
    core: undefined as unknown as Core,
    host,
    events,
    write(name, content) {
      const file = join(folder, name);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    offer: (tools) => writeFileSync(offered, JSON.stringify(tools)),
    configure(more) {
      const servers = { shop: shopCommand(offered) };
      result.write('config.json', { servers, refreshInterval: false, ...more });
    },
    async client(options = {}) {
      const [theirs, ours] = duplexPair();
      result.core.gateway.serveStream(ours, options);
      const client = new Client({ name: 'agent', version: '1' });
      await client.connect(new StdioServerTransport(theirs, theirs));
      onTestFinished(() => client.close());
      return {
        async text(name, args, { signal, skill } = {}) {
          const _meta = skill === undefined ? undefined : { 'toolkeep/activeSkillId': skill };
          const called = await client.callTool({ name, arguments: args, _meta }, undefined, { signal });
          return (called.content as { text: string }[]).map(({ text }) => text).join('\n');
        },
        listed: async () => (await client.listTools()).tools.map(({ name }) => name),
        close: () => client.close(),
      };
    },
    async [Symbol.asyncDispose]() {
      await result.core.close();
      host.dispose();
    },
  };
  result.offer(shopTools);
  prepare(result);
  result.core = await createCore(host);
  result.core.subscribe((name, data) => events.push({ name, data: data as Record<string, unknown> }));
  return result;
}

const shopCommand = (file: string) => commands.misbehaving('normal', `tools-file=${file}`);

/** The command of the fixture server as source code for a TypeScript config. */
export const shopServer = (host: TestHost) => JSON.stringify(shopCommand(join(host.cwd, 'offered.json')));

const schema = { type: 'object', properties: { id: { type: 'string' } } };
export const shopTools = [
  { name: 'list_orders', description: 'Lists the orders.', inputSchema: schema },
  { name: 'add_note', description: 'Adds a note to an order.', inputSchema: schema },
  { name: 'delete_order', description: 'Deletes an order permanently.', inputSchema: schema },
  { name: 'deploy_shop', description: 'Deploys the shop to production.', inputSchema: schema },
];

/** Returns the names of a server's tools after its discovery. */
export async function toolNames({ core }: ExternalProject, server: string): Promise<string[]> {
  const tools = await core.handlers['tools.list']({ server });
  return tools.map(({ name }) => name).sort();
}
