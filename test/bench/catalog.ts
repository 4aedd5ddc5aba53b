/** Measures large catalogs: a client's first list after a cold start, a reload after one change, and the memory. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import MiniSearch from 'minisearch';
import { createCore } from '../../electron/core/core.ts';
import { newProduct } from '../e2e/product.ts';
import { type Command, commands } from '../fixtures/commands.ts';
import { testHost } from '../fixtures/host.ts';
import { type Fleet, fleet, keepCatalog } from './catalog-data.ts';
import type { Part, Report, Row } from './report.ts';

const size = { servers: 1_000, toolsEach: 10 };

export const part: Part = {
  about: '1,000 servers and 10,000 tools: first list from a cold start, reload after one change, memory',
  async run(report) {
    const all = fleet(size.servers, size.toolsEach);
    // Measure memory first, before other measurements allocate any.
    await memory(report, all);
    await firstList(report, all);
    await reload(report, all);
  },
};

const configOf = ({ servers }: Fleet) => ({ servers, refreshInterval: false });

/** The time from starting the bridge, with no Core running, until the client has its list. */
async function firstList(report: Report, all: Fleet): Promise<void> {
  const none: Fleet = { servers: [], tools: new Map() };
  const tools = size.servers * size.toolsEach;
  const ways = [
    { what: 'for comparison: one server of ten tools, directly', tools: 10, run: () => directly() },
    { what: 'for comparison: Toolkeep without any server', tools: 5, run: () => throughProduct(none, 'lazy', 5) },
    { what: 'Toolkeep, lazy', tools: 5, run: () => throughProduct(all, 'lazy', 5) },
    { what: 'Toolkeep, full', tools, run: () => throughProduct(all, 'full', tools) },
  ].map((way) => ({ ...way, times: [] as number[] }));
  for (let round = 0; round < 3; round += 1) for (const way of ways) way.times.push(await way.run());
  report.table(
    'First list: milliseconds from the start of the client’s command, with nothing running before (median of 3)',
    ways.map(({ what, tools, times }) => ({ what, tools, ms: times.toSorted((a, b) => a - b)[1] })),
  );
  report.note('No server was started in any run.');
}

async function directly(): Promise<number> {
  const { ms, close } = await spawnToList(commands.misbehaving('many-tools', 'tools=10'));
  await close();
  return ms;
}

async function throughProduct(all: Fleet, mode: string, wanted: number): Promise<number> {
  const product = newProduct();
  try {
    product.file('.toolkeep/config.json', configOf(all));
    await keepCatalog(join(product.home, '.toolkeep', 'catalog.json'), all);
    const { ms, tools, close } = await spawnToList(product.bridge('--mode', mode));
    if (tools !== wanted) throw new Error(`${mode}: ${tools} tools instead of ${wanted}`);
    const started = product.processes().filter(({ command }) => command.includes('/nowhere/'));
    if (started.length > 0) throw new Error(`${started.length} servers were started`);
    await close();
    return ms;
  } finally {
    await product.dispose();
  }
}

async function spawnToList({ command, args, env }: Command) {
  const client = new Client({ name: 'bench', version: '0' });
  const startedAt = performance.now();
  await client.connect(new StdioClientTransport({ command, args, ...(env && { env }) }));
  const { tools } = await client.listTools();
  const ms = performance.now() - startedAt;
  const close = () => client.close();
  return { ms, tools: tools.length, close };
}

async function reload(report: Report, all: Fleet): Promise<void> {
  const host = testHost();
  const file = join(host.dataDir, 'config.json');
  const write = (servers: unknown[]) => writeFileSync(file, JSON.stringify({ servers, refreshInterval: false }));
  await keepCatalog(join(host.dataDir, 'catalog.json'), all);
  write(all.servers);
  const opening = { at: performance.now(), busy: cpuMs() };
  const core = await createCore(host);
  const opened = { ms: performance.now() - opening.at, 'of it busy': cpuMs() - opening.busy };
  try {
    const { handlers } = core;
    // The index is built in the background after a start, so it is not part of a reload.
    await handlers['tools.search']({ query: 'stock price' });
    const changes: [what: string, servers: unknown[]][] = [
      ['nothing changed', all.servers],
      ['one description', all.servers.map((server, at) => (at === 500 ? { ...server, description: 'New.' } : server))],
      ['one server less', all.servers.slice(1)],
      ['one server more', [...all.servers.slice(1), { name: 'shop', ...commands.misbehaving('normal') }]],
    ];
    const rows: Row[] = [];
    for (const [change, servers] of changes) {
      // The file watcher also reports each change, a moment later.
      await sleep(1_000);
      write(servers);
      const [startedAt, busy] = [performance.now(), cpuMs()];
      await handlers['config.reload']();
      rows.push({ change, ms: performance.now() - startedAt, 'of it busy': cpuMs() - busy });
    }
    const startedAt = performance.now();
    while ((await handlers['tools.list']({ server: 'shop' })).length === 0) await sleep(5);
    rows.push({ change: '… and its tools can be found', ms: performance.now() - startedAt });
    rows.push({ change: 'for comparison: a complete start (a Core opens and builds its index)', ...opened });
    report.table('Reload after one change, milliseconds (goal: 500)', rows);
  } finally {
    await core.close();
    host.dispose();
  }
}

async function memory(report: Report, all: Fleet): Promise<void> {
  const host = testHost();
  const empty = testHost();
  try {
    writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify(configOf(all)));
    await keepCatalog(join(host.dataDir, 'catalog.json'), all);
    // Excludes the memory of a Core without servers and of code that is loaded once.
    const idle = await createCore(empty);
    await idle.handlers['tools.search']({ query: 'stock price history' });
    await idle.close();
    const before = held();
    const core = await createCore(host);
    await core.handlers['tools.search']({ query: 'stock price history' });
    const withAll = held() - before;
    await core.close();

    const base = held();
    const definitions = JSON.parse(JSON.stringify([...all.tools]));
    const raw = held() - base;
    const index = new MiniSearch({ idField: 'id', fields: ['name', 'server', 'description'] });
    index.addAll(
      [...all.tools].flatMap(([server, tools]) =>
        tools.map(({ name, description }) => ({ id: `${server}/${name}`, server, name, description })),
      ),
    );
    const mini = held() - base - raw;
    report.table('Memory, MB (goal: 100 for catalog and index)', [
      { what: 'Core with the fleet: servers, catalog, pins, index', MB: withAll / 1e6 },
      { what: 'for comparison: the definitions alone, parsed', MB: raw / 1e6 },
      { what: 'for comparison: a minisearch index of them', MB: mini / 1e6 },
    ]);
    report.note(
      `${definitions.length} servers, ${index.documentCount} tools; the catalog file: ${(readFileSync(join(host.dataDir, 'catalog.json')).length / 1e6).toFixed(1)} MB.`,
    );
  } finally {
    host.dispose();
    empty.dispose();
  }
}

/** CPU time of this process; other load on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function held(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
