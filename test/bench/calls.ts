/**
 * Measures what the gateway adds to a call: `execute_tool` through bridge and Core, compared with a direct connection to the
 * same server and with a relay of two processes that only forward bytes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newProduct, type Product } from '../e2e/product.ts';
import { commands } from '../fixtures/commands.ts';
import { at, cpuOf, descendantsOf, memoryOf, switchesOf } from './figures.ts';
import { type RawClient, rawClient } from './raw-client.ts';
import type { Part, Report, Row } from './report.ts';

/** A way to the server, with the processes on it. */
interface Way {
  client: RawClient;
  echo(message: string): Promise<Buffer>;
  core?: number;
  server: number[];
}

interface Ways {
  direct: Way;
  relay: Way & { core: number };
  through: Way & { core: number };
}

interface Load {
  name: string;
  characters: number;
  atOnce: number;
  /** Bursts of calls per round. */
  bursts: number;
}

const loads: Load[] = [
  { name: '11 characters', characters: 11, atOnce: 1, bursts: 150 },
  { name: '1 KB', characters: 1_000, atOnce: 1, bursts: 150 },
  { name: '11 characters, 50 at once', characters: 11, atOnce: 50, bursts: 8 },
  { name: '1 KB, 50 at once', characters: 1_000, atOnce: 50, bursts: 8 },
  { name: '1 MB', characters: 1_000_000, atOnce: 1, bursts: 4 },
];
/** The first warms up all the processes. */
const rounds = 25;
/** Long enough for what follows a call, such as the history. */
const settledMs = 70;
/** A run of one character would look like a token to the redaction. */
const text = 'The quick brown fox, "quoted". ';

const goals = [
  'Goals: Core / relay ≤ 3.5 for one call at a time, and ≤ 6 at 1 MB; Core / server ≤ 3.3 with 50 at once, and ≤ 3 for',
  '11 characters; bridge / relay ≤ 1.3; wall / relay ≤ 1.7 for 11 characters, ≤ 1.5 at 1 KB, ≤ 2.2 with 50 at once;',
  'heap ≤ 24 KB per call; collection ≤ 25 % of Core; ≤ 2.2 waits per call with 11 characters; ≤ 135 MB after the calls.',
];

export const part: Part = {
  about:
    'an echo call through bridge and Core, compared with the same call directly over stdio and through a minimal relay',
  async run(report) {
    const closers: (() => Promise<unknown>)[] = [];
    const product = configured();
    try {
      await product.serve();
      const idle = memoryOf(product.corePid());
      const ways: Ways = {
        direct: await direct(),
        relay: await relayed(join(product.home, 'relay.sock')),
        through: await through(product),
      };
      closers.push(
        ...Object.values(ways).map(
          ({ client }) =>
            () =>
              client.close(),
        ),
      );
      const measured = await measure(ways);
      report.table(
        'Microseconds of CPU per call (10th percentile), waits of Core’s threads, and median time',
        measured,
      );
      report.table('Megabytes', [{ 'Core, idle': idle, 'Core, after these calls': memoryOf(ways.through.core) }]);
    } finally {
      for (const close of closers) await close();
      await product.dispose();
    }
    await reportGarbage(report);
    for (const line of goals) report.note(line);
  },
};

function configured(): Product {
  const product = newProduct();
  product.file('.toolkeep/config.json', {
    // There is no window that could ask the user.
    approvals: { ask: 'dangerous', destinations: 'any' },
    servers: [{ name: 'everything', connection: { type: 'stdio', ...commands.everything() } }],
  });
  return product;
}

const echo = (client: RawClient) => (message: string) =>
  client.request('tools/call', { name: 'echo', arguments: { message } });

async function direct(): Promise<Way> {
  const client = await rawClient(commands.everything());
  return { client, echo: echo(client), server: [client.pid] };
}

async function through(product: Product): Promise<Ways['through']> {
  const client = await rawClient(product.bridge());
  const call = (message: string) =>
    client.request('tools/call', {
      name: 'execute_tool',
      arguments: { server: 'everything', tool: 'echo', arguments: { message } },
    });
  await call('The first call starts the server.');
  const core = product.corePid();
  return { client, echo: call, core, server: descendantsOf(core) };
}

/** The server behind two processes that only forward bytes; they end with their client. */
async function relayed(socket: string): Promise<Ways['relay']> {
  const script = join(import.meta.dirname, 'relay.cjs');
  const { command, args } = commands.everything();
  const core = spawn(process.execPath, [script, 'core', socket, command, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(core.stdout, 'data');
  const client = await rawClient({ command: process.execPath, args: [script, 'bridge', socket] });
  const pid = core.pid as number;
  return { client, echo: echo(client), core: pid, server: descendantsOf(pid) };
}

/** Measures the ways alternately, so that load on the machine affects all of them. */
async function measure(ways: Ways): Promise<Row[]> {
  const samples = loads.map(() => ({ direct: [], relay: [], through: [] }) as Record<keyof Ways, Sample[]>);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, load] of loads.entries()) {
      const names: (keyof Ways)[] = ['direct', 'relay', 'through'];
      for (const name of round % 2 === 0 ? names : names.reverse()) {
        const sample = await slice(ways[name], load);
        if (round > 0) samples[index]?.[name].push(sample);
      }
    }
  }
  return loads.map(({ name }, index) => row(name, samples[index] ?? { direct: [], relay: [], through: [] }));
}

interface Sample {
  wallUs: number;
  server: number;
  bridge: number;
  core: number;
  waits: number;
}

/** Figures per call. */
async function slice({ client, echo, core, server }: Way, load: Load): Promise<Sample> {
  const used = () => ({
    server: server.reduce((sum, pid) => sum + cpuOf(pid), 0),
    bridge: cpuOf(client.pid),
    core: core === undefined ? 0 : cpuOf(core),
    waits: core === undefined ? 0 : switchesOf(core),
  });
  const message = text.repeat(Math.ceil(load.characters / text.length)).slice(0, load.characters);
  const before = used();
  const wallUs = await run(echo, message, load);
  await delay(settledMs);
  const after = used();
  const calls = load.bursts * load.atOnce;
  const perCall = (name: keyof typeof before) => (after[name] - before[name]) / calls;
  return {
    wallUs: wallUs / calls,
    server: perCall('server'),
    bridge: perCall('bridge'),
    core: perCall('core'),
    waits: perCall('waits'),
  };
}

/** Returns the microseconds until the last answer. */
async function run(echo: Way['echo'], message: string, { atOnce, bursts }: Load): Promise<number> {
  const started = performance.now();
  for (let burst = 0; burst < bursts; burst += 1) {
    const answers = await Promise.all(Array.from({ length: atOnce }, () => echo(message)));
    for (const answer of answers)
      if (answer.length < message.length || answer.includes('"isError":true'))
        throw new Error(`The answer is not the echo: ${answer.toString('utf8', 0, 500)}`);
  }
  return (performance.now() - started) * 1_000;
}

function row(name: string, { direct, relay, through }: Record<keyof Ways, Sample[]>): Row {
  const low = (samples: Sample[], figure: keyof Sample) =>
    at(
      0.1,
      samples.map((sample) => sample[figure]),
    );
  const wall = (samples: Sample[]) =>
    at(
      0.5,
      samples.map(({ wallUs }) => wallUs),
    );
  const core = low(through, 'core');
  return {
    message: name,
    core,
    'relay core': low(relay, 'core'),
    server: low(through, 'server'),
    bridge: low(through, 'bridge'),
    'relay bridge': low(relay, 'bridge'),
    wall: wall(through),
    'relay wall': wall(relay),
    'direct wall': wall(direct),
    waits: low(through, 'waits'),
    'core / relay': core / low(relay, 'core'),
    'core / server': core / low(through, 'server'),
    'bridge / relay': low(through, 'bridge') / low(relay, 'bridge'),
    'wall / relay': wall(through) / wall(relay),
  };
}

/** In a run of its own, because the profiler takes time. */
async function reportGarbage(report: Report): Promise<void> {
  const product = configured();
  const file = join(product.home, 'garbage.json');
  product.env.NODE_OPTIONS = `--require ${join(import.meta.dirname, 'garbage.cjs')}`;
  product.env.TOOLKEEP_GARBAGE = file;
  let client: RawClient | undefined;
  try {
    await product.serve();
    const way = await through(product);
    client = way.client;
    const rows: Row[] = [];
    for (const load of loads) {
      const longer = { ...load, bursts: load.bursts * 10 };
      await slice(way, longer);
      await garbageOf(way.core, file);
      const { core } = await slice(way, longer);
      const { heapBytes, collectionUs } = await garbageOf(way.core, file);
      const calls = longer.bursts * longer.atOnce;
      const share = (100 * collectionUs) / calls / core;
      rows.push({
        message: load.name,
        'KB of heap': heapBytes / 1024 / calls,
        'µs of collection': collectionUs / calls,
        'percent of Core': share,
      });
    }
    report.table('Garbage of Core per call', rows);
  } finally {
    await client?.close();
    await product.dispose();
  }
}

async function garbageOf(pid: number, file: string): Promise<{ heapBytes: number; collectionUs: number }> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await delay(10);
  return JSON.parse(readFileSync(file, 'utf8'));
}
