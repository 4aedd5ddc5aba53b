/**
 * Real packages from npm, unconfined and confined: their tools, the time of a start, memory, and the hosts that Toolkeep
 * would ask about. `TOOLKEEP_INTEROP=REGEX` limits the packages.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCore } from '../../electron/core/core.ts';
import { whyUnsuited } from '../../electron/core/servers/new-servers.ts';
import type { Connection } from '../../shared/model/server.ts';
import { type TestHost, testHost } from '../fixtures/host.ts';
import { confineServers, connectionOf, handleOf, installAll } from './confine-servers.ts';
import { at } from './figures.ts';
import type { RealServer } from './interop-servers.ts';
import type { Part, Row } from './report.ts';

const starts = 3;
/** Pairs of calls. */
const pairs = 100;

export const part: Part = {
  about: 'real servers from npm, unconfined and confined',
  async run(report) {
    const servers = confineServers();
    await installAll(servers);
    const rows: Row[] = [];
    // One at a time, because the times would be those of the others too.
    for (const server of servers) rows.push(await compared(server));
    rows.sort((a, b) => String(a.server).localeCompare(String(b.server)));
    report.table('Servers', rows);
    const ran = rows.filter(({ tools }) => tools !== undefined);
    const numbers = (column: string) => ran.flatMap((row) => (row[column] === undefined ? [] : Number(row[column])));
    const median = (column: string) => at(0.5, numbers(column));
    report.table('Summary', [
      {
        servers: rows.length,
        'start here': ran.length,
        'same tools': ran.filter(({ confined }) => confined === 'same tools').length,
        'start ms': median('start ms'),
        'confined ms': median('confined ms'),
        'ms more': median('ms more'),
        'MB more': median('MB more'),
        'call ratio': median('call ratio'),
        'hosts, median': median('hosts'),
        'hosts, most': Math.max(...numbers('hosts')),
      },
    ]);
  },
};

async function compared(server: RealServer): Promise<Row> {
  const row: Row = { server: server.spec };
  const host = testHost();
  try {
    const { connection, filled } = await connectionOf(server, host);
    row.unsuited = whyUnsuited(connection);
    writeFileSync(join(host.dataDir, 'config.json'), '{}');
    host.store.set('servers', [{ name: 'real', enabled: true, connection, sandbox: false }]);
    const core = await createCore(host);
    try {
      await measure(row, core);
    } finally {
      await core.close();
    }
    if (server.call) row['call ratio'] = await callRatio(host, connection, filled(server.call));
  } catch (error) {
    row.note = String((error as Error).message)
      .split('\n')[0]
      ?.slice(0, 90);
  } finally {
    host.dispose();
  }
  return row;
}

/** The median of a confined call's time, divided by that of an unconfined one. The calls take turns. */
async function callRatio(host: TestHost, connection: Connection, [name, args]: NonNullable<RealServer['call']>) {
  const handles = [false, 'auto' as const].map((sandbox) => handleOf(host, connection, sandbox));
  const times = handles.map((): number[] => []);
  try {
    for (let pair = 0; pair < pairs; pair += 1)
      for (const [index, handle] of handles.entries()) {
        const from = performance.now();
        await handle.request({ method: 'tools/call', params: { name, arguments: args } });
        times[index]?.push(performance.now() - from);
      }
  } finally {
    await Promise.all(handles.map((handle) => handle.stop()));
  }
  const [direct = 0, confined = 0] = times.map((all) => at(0.5, all));
  return confined / direct;
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
  row.tools = trial.same + trial.different.length;
  row.confined = trial.failure?.message.slice(0, 90) ?? (trial.different.length === 0 ? 'same tools' : 'other tools');
  if (row.confined !== 'same tools') return;
  row['confined ms'] = await started();
  row['ms more'] = row['confined ms'] - Number(row['start ms']);
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
