/** Measures how long the app's main process, which hosts Core, is blocked while Core is busy. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reachCore } from '../../electron/bridge/reach-core.ts';
import { socketWire } from '../../electron/core/gateway/socket-wire.ts';
import { connectCore } from '../../shared/protocol/rpc.ts';
import { connectClient } from '../e2e/desktop/client.ts';
import { type App, startApp } from '../e2e/desktop/driver.ts';
import { commands } from '../fixtures/commands.ts';
import type { Part, Row } from './report.ts';

const size = { servers: 20, toolsEach: 500, results: 60, characters: 1_000_000, keys: 50_000, tooManyKeys: 1_000_000 };

export const part: Part = {
  about:
    'how long the main process of the app is blocked while it indexes 10,000 tools and passes on results of 1 MB (goal: 50 ms)',
  async run(report) {
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-blocking-'));
    const file = join(folder, 'delays.json');
    const monitor = join(import.meta.dirname, 'loop-delay.cjs');
    const config = (servers: object) => ({ approvals: { ask: 'dangerous' }, servers });
    const app = await startApp({
      config: config({ everything: commands.everything(), keys: commands.misbehaving('many-keys') }),
      env: { NODE_OPTIONS: `--require ${monitor}`, TOOLKEEP_LOOP_DELAY: file },
    });
    try {
      const client = await connectClient(app);
      await client.run('everything', 'echo', { message: 'x' });
      await figures(app, file);
      const rows: Row[] = [];
      const measure = async (during: string, work: () => Promise<unknown>) => {
        await work();
        rows.push({ during, ...(await figures(app, file)) });
      };
      await measure('nothing, for comparison', () => delay(3_000));
      await measure(`${size.results} results of 1 MB, one after the other`, async () => {
        const message = 'The quick brown fox, "quoted". '.repeat(size.characters / 31);
        for (let count = 0; count < size.results; count += 1) await client.run('everything', 'echo', { message });
      });
      const keys = (count: number) => client.run('keys', 'keys', { count });
      await measure(`10 results with ${size.keys} different keys, nearly the most that Toolkeep reads`, async () => {
        for (let count = 0; count < 10; count += 1) await keys(size.keys);
      });
      await measure(`10 results with ${size.tooManyKeys} keys, which are refused`, async () => {
        for (let count = 0; count < 10; count += 1) await keys(size.tooManyKeys);
      });
      const fleet = Object.fromEntries(
        Array.from({ length: size.servers }, (_, index) => [
          `fleet${index}`,
          commands.misbehaving('many-tools', `tools=${size.toolsEach}`),
        ]),
      );
      await measure('10,000 tools are discovered and indexed', async () => {
        writeFileSync(
          join(app.dataDir, 'config.json'),
          JSON.stringify(config({ ...fleet, everything: commands.everything() })),
        );
        await catalogOf(app, size.servers * size.toolsEach);
      });
      report.table('Milliseconds: delay of the event loop, and work of the main thread between two turns', rows);
      report.note(
        'If other processes use the machine, compare only the work: a delay also includes the time of other processes.',
      );
      await client.close();
    } finally {
      await app.dispose();
      rmSync(folder, { recursive: true });
    }
  },
};

async function figures(app: App, file: string): Promise<Row> {
  rmSync(file, { force: true });
  app.process.kill('SIGUSR2');
  while (!existsSync(file)) await delay(20);
  const { delays, busy } = JSON.parse(readFileSync(file, 'utf8')) as { delays: number[]; busy: number[] };
  const p99 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)];
  return {
    'delay p99': p99(delays),
    'delay max': Math.max(...delays),
    'work p99': p99(busy),
    'work max': Math.max(...busy),
  };
}

/** Resolves when Core has this many tools and a search finds some. */
async function catalogOf({ dataDir }: App, tools: number): Promise<void> {
  const reached = await reachCore(dataDir, { purpose: 'rpc' });
  if (!reached) throw new Error('The Core of the app could not be reached.');
  const core = connectCore(socketWire(reached.socket));
  try {
    let found = 0;
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await delay(500)) {
      found = (await core.call('core.status')).tools;
      if (found < tools) continue;
      await core.call('tools.search', { query: 'tool' });
      return;
    }
    throw new Error(`There are ${found} tools instead of ${tools}.`);
  } finally {
    core.close();
  }
}
