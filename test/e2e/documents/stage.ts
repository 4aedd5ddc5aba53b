/** A served product for many examples: commands by the names that the documents use, clients, and a user at the page. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Answer, Question } from '../../../shared/model/question.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import type { Command } from '../../fixtures/commands.ts';
import { openPageSocket, wireOf } from '../../fixtures/page-socket.ts';
import type { Product } from '../product.ts';

/** Puts a program on the product's PATH. It runs the entry of `commands` whose key is among its arguments. */
export function program(product: Product, name: string, commands: Record<string, Command>): void {
  const cases = Object.entries(commands).map(
    ([word, { command, args }]) => `*${word}*) exec ${[command, ...args].map((part) => `'${part}'`).join(' ')};;`,
  );
  product.file(`bin/${name}`, `#!/bin/sh\ncase "$*" in\n${cases.join('\n')}\nesac\nexit 7\n`);
  chmodSync(join(product.home, 'bin', name), 0o755);
  const folder = join(product.home, 'bin');
  if (!product.env.PATH?.startsWith(folder)) product.env.PATH = `${folder}:${product.env.PATH}`;
}

export interface Agent {
  client: Client;
  /** Calls a tool; resolves with the text of its result. */
  ask(name: string, args?: Record<string, unknown>): Promise<string>;
  run(server: string, tool: string, args?: Record<string, unknown>): Promise<string>;
}

/** A client that starts the bridge, as MCP clients do. */
export async function connect(product: Product, ...args: string[]): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(new StdioClientTransport(product.bridge(...args)));
  const ask = async (name: string, given: Record<string, unknown> = {}) => {
    const { content } = await client.callTool({ name, arguments: given });
    return (content as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
  };
  return {
    client,
    ask,
    run: (server, tool, given = {}) => ask('execute_tool', { server, tool, arguments: given }),
  };
}

/** A user with the page, who answers each question with `answer`, or leaves it open. */
export async function attachUser(
  product: Product,
  answer: (question: Question) => Answer | undefined,
): Promise<CoreClient> {
  const core = connectCore(wireOf(await openPageSocket(await product.pageUrl())));
  const answered = new Set<string>();
  core.on('questions.changed', async () => {
    for (const question of await core.call('questions.list')) {
      const given = answered.has(question.id) ? undefined : answer(question);
      if (!given) continue;
      answered.add(question.id);
      await core.call('questions.answer', { id: question.id, answer: given });
    }
  });
  return core;
}
