/** Clients of the built product, and a UI in which the test acts as the user. */
import { join } from 'node:path';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'vitest';
import { reachCore, readCoreFile } from '../../electron/bridge/reach-core.ts';
import { socketWire } from '../../electron/core/gateway/socket-wire.ts';
import type { Answer, Question } from '../../shared/model/question.ts';
import type { CoreClient } from '../../shared/protocol/contract.ts';
import { connectCore } from '../../shared/protocol/rpc.ts';
import type { Product } from './product.ts';

type Json = Record<string, unknown>;

export interface Attacker {
  /** Runs a tool; resolves with the text of the result. */
  execute(server: string, tool: string, args?: Json, meta?: Json): Promise<string>;
  client: Client | ModernClient;
}

export interface AttackKit {
  ui: CoreClient;
  /** A legacy client with a bridge. */
  overBridge(name: string, flags?: string[], capabilities?: Json): Promise<Attacker>;
  /** A modern client over HTTP. */
  overHttp(name: string, token: string): Promise<Attacker>;
  /** Resolves with the only open question. */
  question(): Promise<Question>;
  answer(answer: Answer): Promise<void>;
  close(): Promise<void>;
}

export async function attackKit(product: Product): Promise<AttackKit> {
  const dataDir = join(product.home, '.toolkeep');
  const reached = await reachCore(dataDir, { purpose: 'rpc', interactive: true, answersQuestions: true });
  if (!reached) throw new Error('No Core is running.');
  const ui = connectCore(socketWire(reached.socket));
  const clients: (Client | ModernClient)[] = [];

  function attacker(client: Client | ModernClient): Attacker {
    clients.push(client);
    return {
      client,
      async execute(server, tool, args = {}, meta) {
        const params = {
          name: 'execute_tool',
          arguments: { server, tool, arguments: args },
          ...(meta && { _meta: meta }),
        };
        const result = (await client.callTool(params)) as { content: { text?: string }[] };
        return result.content.map(({ text }) => text).join('\n');
      },
    };
  }
  async function question(): Promise<Question> {
    await expect.poll(() => ui.call('questions.list')).toHaveLength(1);
    return (await ui.call('questions.list'))[0] as Question;
  }
  return {
    ui,
    question,
    async overBridge(name, flags = [], capabilities = {}) {
      const client = new Client({ name, version: '1' }, { capabilities });
      await client.connect(new StdioClientTransport(product.bridge(...flags)) as never);
      return attacker(client);
    },
    async overHttp(name, token) {
      const client = new ModernClient({ name, version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      const url = new URL(`${readCoreFile(dataDir)?.httpUrl}/mcp`);
      await client.connect(new ModernHttp(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
      return attacker(client);
    },
    async answer(answer) {
      await ui.call('questions.answer', { id: (await question()).id, answer });
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      ui.close();
    },
  };
}
