/** The time until a client has its tools, the time until Core accepts connections, and the memory of an idle Core. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import coreFlags from '../../electron/core-flags.json' with { type: 'json' };
import { newProduct, type Product } from '../e2e/product.ts';
import { initialize, rawPeer } from '../integration/gateway/raw-peer.ts';
import { memoryOf } from './figures.ts';
import { configure, warmCatalog } from './many-servers.ts';
import type { Part, Row } from './report.ts';

const rounds = 15;
/** After a start, Core builds the index, and then releases the memory that this needed. */
const restMs = 12_000;

export const part: Part = {
  about:
    'the time from the start of `toolkeep connect` to its list of tools, compared with `node -e 0`; cold start and memory of Core',
  async run(report) {
    const rows: Row[] = [];
    const cores: Row[] = [];
    const product = newProduct();
    try {
      const bare = await bareMemory(product);
      for (const servers of [1_000, 100, 1]) {
        configure(product, servers);
        // A real catalog file also contains servers that are no longer configured.
        for (const kept of ['catalog.json', 'pins.json'])
          rmSync(join(product.home, '.toolkeep', kept), { force: true });
        await warmCatalog(product);
        const cold = await coldStarts(product);
        const core = await startCore(product);
        rows.push(await connects(product, servers));
        await delay(restMs);
        const idle = memoryOf(core.pid);
        cores.push({ servers, ...cold, goal: '< 500', 'idle MB': idle, 'bare node MB': bare, 'goal MB': '< 120' });
        core.kill('SIGTERM');
        await product.nothingLeft();
      }
    } finally {
      await product.dispose();
    }
    report.table('Milliseconds from start to a complete tools/list, with Core running', rows);
    report.table(
      'Core with ten tools per server and its catalog on disk: milliseconds from its start until it listens, and until a client that starts then has its list',
      cores,
    );
  },
};

/** Alternates between the two, so load on the machine affects both. */
async function connects(product: Product, servers: number): Promise<Row> {
  const times = { bare: [] as number[], connect: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { env: product.env }), 'exit');
    times.bare.push(performance.now() - started);
    times.connect.push(await timeToList(product));
  }
  const [bare, connect] = [median(times.bare), median(times.connect)];
  return { servers, 'node -e 0': bare, 'toolkeep connect': connect, ratio: connect / bare, goal: '≤ 3' };
}

async function timeToList(product: Product): Promise<number> {
  const { command, args, env } = product.bridge();
  const started = performance.now();
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  await list(child);
  const took = performance.now() - started;
  child.stdin?.end();
  await once(child, 'exit');
  return took;
}

async function list(child: ChildProcess): Promise<void> {
  if (!child.stdout || !child.stdin) throw new Error('no pipes');
  const peer = rawPeer(child.stdout, child.stdin, child);
  await initialize(peer);
  const { result } = await peer.request('tools/list');
  const tools = result?.tools as { description: string }[];
  if (tools.length !== 5 || !tools.some(({ description }) => description.includes('server-0')))
    throw new Error(`The list is not complete: ${JSON.stringify(tools)}`);
}

/** Each start with and without the compile cache of earlier ones. */
async function coldStarts(product: Product): Promise<Row> {
  const listening: number[] = [];
  const listed: number[] = [];
  rmSync(join(product.home, '.toolkeep/run/compiled'), { recursive: true, force: true });
  for (let round = 0; round < 6; round++) {
    const started = performance.now();
    const core = await startCore(product);
    listening.push(performance.now() - started);
    await timeToList(product);
    listed.push(performance.now() - started);
    core.kill('SIGTERM');
    await once(core, 'exit');
  }
  const [first] = listed;
  return { 'first start': first, 'later: listens': median(listening.slice(1)), 'has list': median(listed.slice(1)) };
}

/** Starts Core as the bridge does (`headless()` in electron/bridge/start-core.ts); resolves when it listens. */
async function startCore(product: Product): Promise<ChildProcess & { pid: number }> {
  const script = join(import.meta.dirname, '../../dist/headless.js');
  const args = [...coreFlags, script, '--on-demand'];
  const core = spawn(process.execPath, args, { cwd: product.home, env: product.env, stdio: 'ignore' });
  while (!existsSync(join(product.home, '.toolkeep/run/core.json'))) await delay(5);
  return core as ChildProcess & { pid: number };
}

/** The memory of an idle Node process. */
async function bareMemory(product: Product): Promise<number> {
  const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { env: product.env, stdio: 'ignore' });
  await delay(1_000);
  const held = memoryOf(idle.pid as number);
  idle.kill();
  await once(idle, 'exit');
  return held;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] as number;
}
