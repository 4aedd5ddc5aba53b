/**
 * Real packages from npm, unconfined and confined: their tools, the time of a start, memory, and the hosts that Toolkeep
 * would ask about. `TOOLKEEP_INTEROP=REGEX` limits the packages.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCore } from '../../electron/core/core.ts';
import { whyUnsuited } from '../../electron/core/servers/new-servers.ts';
import type { Connection } from '../../shared/model/server.ts';
import { testHost } from '../fixtures/host.ts';
import { at } from './figures.ts';
import { chromium, folder, type RealServer, realServers } from './interop-servers.ts';
import { installedBin } from './npm-cache.ts';
import type { Part, Row } from './report.ts';

const atOnce = 2;
const starts = 5;

export const part: Part = {
  about: 'real servers from npm, unconfined and confined',
  async run(report) {
    const wanted = new RegExp(process.env.TOOLKEEP_INTEROP ?? '');
    const isTried = ({ spec, args = [] }: RealServer) =>
      wanted.test(spec) && !args.includes(chromium) && !/^@modelcontextprotocol\/server-.*@2\.0/.test(spec);
    const waiting = realServers.filter(isTried);
    const rows: Row[] = [];
    const work = async () => {
      for (let server = waiting.shift(); server; server = waiting.shift()) rows.push(await compared(server));
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    rows.sort((a, b) => String(a.server).localeCompare(String(b.server)));
    report.table('Servers', rows);
    const ran = rows.filter(({ tools }) => tools !== undefined);
    const numbers = (column: string) => ran.flatMap((row) => (row[column] === undefined ? [] : Number(row[column])));
    report.table('Summary', [
      {
        servers: rows.length,
        'start here': ran.length,
        'same tools': ran.filter(({ confined }) => confined === 'same tools').length,
        'start ms': at(0.5, numbers('start ms')),
        'confined ms': at(0.5, numbers('confined ms')),
        'MB more': at(0.5, numbers('MB more')),
        'hosts, median': at(0.5, numbers('hosts')),
        'hosts, most': Math.max(...numbers('hosts')),
      },
    ]);
  },
};

async function compared({ spec, args = [], env = {} }: RealServer): Promise<Row> {
  const row: Row = { server: spec };
  const host = testHost();
  const work = join(host.homeDir, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'note.txt'), 'a note\n');
  const filled = (text: string) => text.replaceAll(folder, work);
  try {
    const bin = await installedBin(spec);
    const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
    const command = { command: process.execPath, args: [bin, ...args.map(filled)], env: variables };
    const connection: Connection = { type: 'stdio', ...command };
    row.unsuited = whyUnsuited(connection);
    writeFileSync(join(host.dataDir, 'config.json'), '{}');
    host.store.set('servers', [{ name: 'real', enabled: true, connection, sandbox: false }]);
    const core = await createCore(host);
    try {
      await measure(row, core);
    } finally {
      await core.close();
    }
  } catch (error) {
    row.note = String((error as Error).message)
      .split('\n')[0]
      ?.slice(0, 90);
  } finally {
    host.dispose();
  }
  return row;
}

async function measure(row: Row, { handlers }: Awaited<ReturnType<typeof createCore>>): Promise<void> {
  const view = async () => (await handlers['servers.list']()).find(({ id }) => id === 'real');
  /** The median time of a start, in ms. */
  async function started(): Promise<number> {
    const times: number[] = [];
    for (let start = 0; start < starts; start += 1) {
      const from = performance.now();
      await handlers['servers.restart']({ server: 'real' });
      const { status, failure } = (await view()) ?? {};
      if (status !== 'ready') throw new Error(failure?.message ?? `it is ${status}`);
      times.push(performance.now() - from);
    }
    return Math.round(at(0.5, times));
  }
  row['start ms'] = await started();
  const direct = groupMemory((await view())?.pid);
  const trial = await handlers['servers.confine']({ server: 'real', isWanted: true });
  row.tools = trial.same + trial.tools.length;
  row.confined = trial.failure?.message.slice(0, 90) ?? (trial.tools.length === 0 ? 'same tools' : 'other tools');
  if (row.confined !== 'same tools') return;
  row['confined ms'] = await started();
  const confined = await view();
  row['MB more'] = Math.round(groupMemory(confined?.pid) - direct);
  row.hosts = confined?.confinement?.hosts.filter(({ refused }) => refused > 0).length ?? 0;
}

/** The proportional memory of a process group, in MB. */
function groupMemory(group: number | undefined): number {
  const sizes = readdirSync('/proc').flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [, , memberOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(memberOf) !== group) return [];
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
    } catch {
      return [];
    }
  });
  return sizes.reduce((total, size) => total + size, 0);
}
