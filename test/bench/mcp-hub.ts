/** Toolkeep compared with the npm package mcp-hub, with the same three servers and tasks that both support. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { newProduct, type Product } from '../e2e/product.ts';
import { commands } from '../fixtures/commands.ts';
import { checked, type Echo, fiftyAtOnce, oneByOne, textOf } from './echo.ts';
import { memoryOf, percentiles } from './figures.ts';
import {
  connect,
  type Hub,
  hubTransport,
  hubVersion,
  listUntil,
  servers,
  startHub,
  stdio,
  toolkeepHttp,
} from './hub-ways.ts';
import type { Part, Report, Row } from './report.ts';

const rounds = 7;

export const part: Part = {
  about: `mcp-hub ${hubVersion} with the same servers: start, calls, memory, tokens of a client’s list`,
  async run(report) {
    report.note('mcp-hub serves only HTTP with SSE (the transport of 2024); a client cannot start it.');
    const product = configured();
    let lists: Lists;
    try {
      lists = await whileRunning(report, product);
    } finally {
      await product.dispose();
    }
    await fromNothing(report, lists);
  },
};

/** The number of tools in the complete lists of mcp-hub and Toolkeep. */
interface Lists {
  all: number;
  every: number;
}

function configured(): Product {
  const product = newProduct();
  const connections = Object.entries(servers(product.home));
  product.file('.toolkeep/config.json', {
    // There is no window that could ask the user.
    approvals: { ask: 'dangerous' },
    servers: connections.map(([name, command]) => ({ name, connection: { type: 'stdio', ...command } })),
  });
  return product;
}

/** All measurements that need both products running. */
async function whileRunning(report: Report, product: Product): Promise<Lists> {
  const closers: (() => Promise<unknown>)[] = [];
  const keep = (client: Client) => {
    closers.push(() => client.close());
    return client;
  };
  try {
    await product.serve();
    const token = (await product.cli('token', 'create', 'bench')).stdout.trim();
    const hub = await startHub(product);
    closers.push(hub.end);
    const through = keep(await settled(() => hubTransport(hub)));
    const full = keep(await settled(() => stdio(product.bridge('--mode', 'full'))));
    const bridge = keep(await connect(stdio(product.bridge())));
    const http = keep(await connect(toolkeepHttp(product, token)));
    const direct = keep(await connect(stdio(commands.everything())));
    const lists = { all: await toolsOf(through), every: await toolsOf(full) };
    await delay(3_000);
    const [hubHolds, coreHolds] = [memoryOf(hub.pid), memoryOf(product.corePid())];
    report.table('Idle memory in MB, without the servers themselves', [
      { process: 'mcp-hub', MB: hubHolds },
      { process: 'Toolkeep, the Core', MB: coreHolds, 'of mcp-hub': coreHolds / hubHolds },
    ]);
    report.table('Tokens (o200k) of a client’s tools/list', [
      await carried('mcp-hub', through, through),
      await carried('Toolkeep, every tool', full, through),
      await carried('Toolkeep, five meta-tools', bridge, through),
    ]);
    report.table(
      'Milliseconds from a client’s start to its list, with everything running',
      await timed([
        { what: 'mcp-hub, over HTTP', run: () => listUntil(() => hubTransport(hub), lists.all) },
        { what: 'Toolkeep over HTTP, five meta-tools', run: () => listUntil(() => toolkeepHttp(product, token), 5) },
        {
          what: 'Toolkeep through its bridge, five meta-tools',
          run: () => listUntil(() => stdio(product.bridge()), 5),
        },
        {
          what: 'Toolkeep through its bridge, every tool',
          run: () => listUntil(() => stdio(product.bridge('--mode', 'full')), lists.every),
        },
      ]),
    );
    await calls(report, {
      direct: async (message) => textOf(await direct.callTool({ name: 'echo', arguments: { message } })),
      'mcp-hub': async (message) =>
        textOf(await through.callTool({ name: 'everything__echo', arguments: { message } })),
      bridge: executing(bridge),
      'Toolkeep HTTP': executing(http),
    });
    return lists;
  } finally {
    for (const close of closers.reverse()) await close().catch(() => undefined);
  }
}

function executing(client: Client): Echo {
  return async (message) => {
    const call = { server: 'everything', tool: 'echo', arguments: { message } };
    return textOf(await client.callTool({ name: 'execute_tool', arguments: call }));
  };
}

/** Resolves with a client whose list has not grown for a second. */
async function settled(open: () => Transport): Promise<Client> {
  const client = await listUntil(open, 1);
  for (let before = -1; ; await delay(1_000)) {
    const now = await toolsOf(client);
    if (now === before) return client;
    before = now;
  }
}

async function toolsOf(client: Client): Promise<number> {
  return (await client.listTools()).tools.length;
}

type Ways = Record<'direct' | 'mcp-hub' | 'bridge' | 'Toolkeep HTTP', Echo>;

async function calls(report: Report, ways: Ways): Promise<void> {
  await checked(ways);
  const { 'mcp-hub': hub, ...others } = ways;
  const row = (what: string, figures: Record<string, { p50: number }>): Row => {
    const { direct, ...rest } = Object.fromEntries(Object.entries(figures).map(([name, { p50 }]) => [name, p50]));
    const ratios = Object.entries(rest).map(([name, p50]) => [`${name}/direct`, p50 / (direct as number)]);
    return { what, direct, ...rest, ...Object.fromEntries(ratios) };
  };
  report.table('Median milliseconds per call, and the ratio to a direct stdio call', [
    row('1 KB', await oneByOne(ways, 1_000, 60)),
    row('90 KB', await oneByOne(ways, 90_000, 20)),
    row('1 MB', await oneByOne(others, 1_000_000, 6)),
  ]);
  const refusal = await hub('x'.repeat(1_000_000)).then(
    () => 'mcp-hub takes 1 MB after all: measure it.',
    (error: Error) => `mcp-hub refuses 1 MB: ${error.message.replaceAll(/<[^>]*>|\s+/g, ' ').slice(0, 120)}`,
  );
  report.note(refusal);
  report.table('50 concurrent calls, 1 KB: calls per second, and the ratio to direct calls', [
    row('1 KB', await fiftyAtOnce(ways)),
  ]);
}

/** The time from the first spawn, with nothing running, until a client has its list. */
async function fromNothing(report: Report, { all, every }: Lists): Promise<void> {
  const kept = configured();
  const others: Product[] = [];
  const bridged = (product: Product, tools: number, ...args: string[]) =>
    listUntil(() => stdio(product.bridge(...args)), tools);
  try {
    await bridged(kept, every, '--mode', 'full').then((client) => client.close());
    await ended(kept);
    let hub: Hub;
    const rows = await timed([
      {
        what: 'mcp-hub and a client of it',
        async run() {
          hub = await startHub(kept);
          return listUntil(() => hubTransport(hub), all);
        },
        after: () => hub.end(),
      },
      {
        what: 'Toolkeep at its first start, every tool',
        run: () => bridged(others[others.push(configured()) - 1] as Product, every, '--mode', 'full'),
        after: () => ended(others.at(-1) as Product),
      },
      {
        what: 'Toolkeep, every tool',
        run: () => bridged(kept, every, '--mode', 'full'),
        after: () => ended(kept),
      },
      { what: 'Toolkeep, five meta-tools', run: () => bridged(kept, 5), after: () => ended(kept) },
    ]);
    report.table('Milliseconds from a start with nothing running to a client’s list', rows);
    report.note(
      'mcp-hub requests its marketplace from the network before it starts servers; in this run, that failed at once.',
    );
  } finally {
    for (const product of [kept, ...others]) await product.dispose();
  }
}

/** Ends the Core that a bridge started, and waits until all its processes have ended. */
async function ended(product: Product): Promise<void> {
  process.kill(product.corePid(), 'SIGTERM');
  await product.nothingLeft();
}

async function carried(list: string, client: Client, hub: Client): Promise<Row> {
  const [tools, hubTools] = [(await client.listTools()).tools, (await hub.listTools()).tools];
  const [tokens, hubTokens] = [tools, hubTools].map((all) => encode(JSON.stringify(all)).length) as [number, number];
  return { list, tools: tools.length, tokens, 'of mcp-hub': tokens / hubTokens };
}

async function timed(
  ways: { what: string; run: () => Promise<Client>; after?: () => Promise<void> }[],
): Promise<Row[]> {
  const all = ways.map((way) => ({ ...way, times: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { run, after, times } of all) {
      const started = performance.now();
      const client = await run();
      times.push(performance.now() - started);
      await client.close();
      await after?.();
    }
  }
  const first = percentiles(all[0]?.times ?? []).p50;
  return all.map(({ what, times }) => ({
    what,
    ms: percentiles(times).p50,
    'of mcp-hub': percentiles(times).p50 / first,
  }));
}
