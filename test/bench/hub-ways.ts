/** The ways in which a client can reach the same three servers: directly, through mcp-hub, or through Toolkeep. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Product } from '../e2e/product.ts';
import { type Command, commands } from '../fixtures/commands.ts';
import { freePort } from '../fixtures/free-port.ts';

export const servers = (folder: string): Record<string, Command> => ({
  everything: commands.everything(),
  filesystem: commands.filesystem(folder),
  memory: commands.memory(join(folder, 'memory.json')),
});

const hubProgram = join(dirname(fileURLToPath(import.meta.resolve('mcp-hub/package.json'))), 'dist/cli.js');

export const hubVersion = JSON.parse(readFileSync(join(dirname(hubProgram), '../package.json'), 'utf8')).version;

export interface Hub {
  pid: number;
  url: URL;
  end(): Promise<void>;
}

/** Starts mcp-hub with the servers, in the product's home so that none of its files remain; returns before it responds. */
export async function startHub(product: Product): Promise<Hub> {
  product.file('hub.json', { mcpServers: servers(product.home) });
  const port = await freePort();
  const args = [hubProgram, '--port', String(port), '--config', join(product.home, 'hub.json')];
  const child = spawn(process.execPath, args, { env: product.env, stdio: 'ignore' });
  return {
    pid: child.pid as number,
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    // Use SIGKILL: on SIGTERM, mcp-hub recurses endlessly for some seconds, and it has no data to save.
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

export async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'bench', version: '0' });
  await client.connect(transport);
  return client;
}

export function stdio({ command, args, env }: Command): Transport {
  return new StdioClientTransport({ command, args, ...(env && { env }) });
}

/** The transport of mcp-hub for clients is the HTTP transport of 2024; it supports no other. */
export const hubTransport = ({ url }: Hub): Transport => new SSEClientTransport(url);

/** Toolkeep's own HTTP endpoint. */
export function toolkeepHttp(product: Product, token: string): Transport {
  const run = join(product.home, '.toolkeep/run');
  const { httpUrl } = JSON.parse(readFileSync(join(run, 'core.json'), 'utf8')) as { httpUrl: string };
  const authorization = `Bearer ${token}`;
  return new StreamableHTTPClientTransport(new URL('/mcp', httpUrl), { requestInit: { headers: { authorization } } });
}

/** Connects until mcp-hub or Toolkeep responds, then lists until there are `wanted` tools. */
export async function listUntil(open: () => Transport, wanted: number): Promise<Client> {
  for (const deadline = Date.now() + 30_000; ; await delay(5)) {
    const transport = open();
    // A client that could not connect would keep retrying and count as another client.
    const client = await connect(transport).catch(() => void transport.close());
    while (client && Date.now() < deadline) {
      if ((await client.listTools()).tools.length >= wanted) return client;
      await delay(5);
    }
    if (Date.now() > deadline) throw new Error(`The list had fewer than ${wanted} tools after half a minute.`);
  }
}
