/** Counts the files and functions of Core that one warm call executes. */
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createCore } from '../../electron/core/core.ts';
import { commands, serverConfig } from '../fixtures/commands.ts';
import { allowActs, testHost } from '../fixtures/host.ts';
import type { Part, Row } from './report.ts';

interface Walk {
  files: number;
  functions: number;
}

/** The landed figures, which may only fall. `test/e2e/walks.test.ts` fails if they grow. */
const walks: { name: string; arguments: Record<string, unknown>; landed: Walk }[] = [
  {
    name: 'execute_tool',
    arguments: { server: 'everything', tool: 'echo', arguments: { message: 'hello world' } },
    landed: { files: 74, functions: 232 },
  },
  { name: 'search_tools', arguments: { query: 'repeat a message' }, landed: { files: 64, functions: 254 } },
];

const product = ['electron', 'shared'].map(
  (folder) => pathToFileURL(join(import.meta.dirname, '../..', folder, '/')).href,
);
/** Calls before the measurement, so that everything is loaded and cached. */
const warmUps = 20;
/** The smallest of several measurements has no work by timers that belongs to no call. */
const measurements = 8;
/** Long enough for what follows a call, such as the history and the list of active calls. */
const settledMs = 250;

export const part: Part = {
  about: 'the files and functions of Core that one warm call executes, by precise coverage',
  async run(report) {
    const host = allowActs(testHost());
    host.store.set('servers', [serverConfig('everything', commands.everything())]);
    const core = await createCore(host);
    const [theirs, ours] = duplexPair();
    core.gateway.serveStream(ours, { mode: 'lazy' });
    const client = new Client({ name: 'bench', version: '0' });
    try {
      await client.connect(new StdioServerTransport(theirs, theirs));
      const session = new Session();
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
      const grown: string[] = [];
      const rows: Row[] = [];
      for (const { landed, ...call } of walks) {
        const walk = await measure(session, () => client.callTool(call));
        rows.push({ call: call.name, ...walk, 'landed files': landed.files, 'landed functions': landed.functions });
        if (walk.files > landed.files || walk.functions > landed.functions) grown.push(call.name);
      }
      report.table('Executed per call', rows);
      session.disconnect();
      if (grown.length > 0) throw new Error(`More code than before runs for ${grown.join(' and ')}.`);
    } finally {
      theirs.end();
      await core.close();
      host.dispose();
    }
  },
};

async function measure(session: Session, call: () => Promise<unknown>): Promise<Walk> {
  for (let done = 0; done < warmUps; done += 1) await call();
  let least: Walk = { files: Number.POSITIVE_INFINITY, functions: Number.POSITIVE_INFINITY };
  for (let done = 0; done < measurements; done += 1) {
    await delay(settledMs);
    await session.post('Profiler.takePreciseCoverage');
    await call();
    await delay(settledMs);
    const walk = executed((await session.post('Profiler.takePreciseCoverage')).result);
    if (walk.functions < least.functions) least = walk;
  }
  return least;
}

function executed(scripts: Profiler.ScriptCoverage[]): Walk {
  const counts = scripts
    .filter(({ url }) => product.some((folder) => url.startsWith(folder)))
    .map(({ functions }) => functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length)
    .filter((count) => count > 0);
  return { files: counts.length, functions: counts.reduce((sum, count) => sum + count, 0) };
}
