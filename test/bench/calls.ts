/** What the gateway adds to a call: `execute_tool` through bridge and Core against a direct connection to the same server. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { newProduct } from '../e2e/product.ts';
import { type Command, commands } from '../fixtures/commands.ts';
import type { Part, Row } from './report.ts';

/** Calls the echo tool with a message and resolves with what came back. */
type Echo = (message: string) => Promise<string>;

/** Rounds alternate between the ways, so that a busy machine is busy for both. */
const rounds = 12;
const goals = { '1 KB': '≤ 1.5', '1 MB': '≤ 1.2' };

export const part: Part = {
  about: 'one echo through bridge and Core, as a ratio of the same call made directly over stdio',
  async run(report) {
    const product = newProduct();
    product.file('.gatehouse/config.json', {
      servers: [{ name: 'everything', connection: { type: 'stdio', ...commands.everything() } }],
    });
    const closers: (() => Promise<unknown>)[] = [];
    try {
      await product.serve();
      const direct = await connect(commands.everything(), closers);
      const through = await connect(product.bridge(), closers);
      const ways: Record<'direct' | 'through', Echo> = {
        direct: async (message) => textOf(await direct.callTool({ name: 'echo', arguments: { message } })),
        through: async (message) => {
          const call = { server: 'everything', tool: 'echo', arguments: { message } };
          return textOf(await through.callTool({ name: 'execute_tool', arguments: call }));
        },
      };
      await checked(ways);
      report.table('Milliseconds per call, one after the other', [
        await sequential(ways, '1 KB', 1_000, 120),
        await sequential(ways, '1 MB', 1_000_000, 6),
      ]);
      report.table('50 calls at once, 1 KB', [await atOnce(ways)]);
    } finally {
      for (const close of closers.reverse()) await close().catch(() => undefined);
      await product.dispose();
    }
  },
};

async function connect({ command, args, env }: Command, closers: (() => Promise<unknown>)[]): Promise<Client> {
  const client = new Client({ name: 'bench', version: '0' });
  await client.connect(new StdioClientTransport({ command, args, ...(env && { env }) }));
  closers.push(() => client.close());
  return client;
}

function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content[0]?.text ?? '';
}

/** A way that answers anything else than the echo would measure nothing. */
async function checked(ways: Record<string, Echo>): Promise<void> {
  for (const [name, echo] of Object.entries(ways)) {
    const answer = await echo('ü😀');
    if (answer !== 'Echo: ü😀') throw new Error(`${name} answered: ${answer}`);
  }
}

async function sequential(
  ways: Record<'direct' | 'through', Echo>,
  size: keyof typeof goals,
  letters: number,
  perRound: number,
): Promise<Row> {
  const message = 'The quick brown fox, "quoted". '.repeat(Math.ceil(letters / 31)).slice(0, letters);
  const times = { direct: [] as number[], through: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const way of ['direct', 'through'] as const) {
      for (let call = 0; call < perRound; call++) {
        const started = performance.now();
        const answer = await ways[way](message);
        // The first round warms up all the processes.
        if (round > 0) times[way].push(performance.now() - started);
        if (answer.length !== message.length + 6) throw new Error(`${way} lost part of the message`);
      }
    }
  }
  const [direct, through] = [percentiles(times.direct), percentiles(times.through)];
  return {
    payload: size,
    'direct p50': direct.p50,
    'through p50': through.p50,
    'direct p95': direct.p95,
    'through p95': through.p95,
    'ratio of p50': through.p50 / direct.p50,
    goal: goals[size],
  };
}

async function atOnce(ways: Record<'direct' | 'through', Echo>): Promise<Row> {
  const message = 'x'.repeat(1_000);
  const perSecond = { direct: [] as number[], through: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const way of ['direct', 'through'] as const) {
      const started = performance.now();
      for (let burst = 0; burst < 8; burst++) await Promise.all(Array.from({ length: 50 }, () => ways[way](message)));
      if (round > 0) perSecond[way].push((8 * 50 * 1000) / (performance.now() - started));
    }
  }
  const [direct, through] = [percentiles(perSecond.direct).p50, percentiles(perSecond.through).p50];
  return { 'direct calls/s': direct, 'through calls/s': through, 'of direct': through / direct, goal: '≥ 0.8' };
}

function percentiles(values: number[]): { p50: number; p95: number } {
  const sorted = values.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
  return { p50: at(0.5), p95: at(0.95) };
}
