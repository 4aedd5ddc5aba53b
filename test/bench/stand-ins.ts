/**
 * Real servers from npm that need a token: whether their requests carry it when they have only a stand-in, and whether they
 * ever have the token itself. Runs in a network namespace, where every host of the internet is a process of its own.
 * `TOOLKEEP_INTEROP=REGEX` limits the packages. Needs Linux with bubblewrap, socat and iproute2.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { confineServers, installAll, needsToken } from './confine-servers.ts';
import { address } from './fake-internet.ts';
import type { Part, Row } from './report.ts';

export const part: Part = {
  about: 'real servers with stand-ins for their tokens',
  async run(report) {
    const servers = confineServers().filter(needsToken);
    await installAll(servers);
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-bench-'));
    const resolver = join(folder, 'resolv.conf');
    writeFileSync(resolver, 'nameserver 127.0.0.1\n');
    const inside = join(import.meta.dirname, 'stand-ins-inside.ts');
    const start = `ip addr add ${address}/32 dev lo && exec "$@"`;
    const child = spawn(
      'bwrap',
      [
        ...['--unshare-user', '--unshare-net', '--uid', '0', '--gid', '0', '--cap-add', 'ALL', '--die-with-parent'],
        ...['--dev-bind', '/', '/', '--ro-bind', resolver, '/etc/resolv.conf'],
        ...['--', '/bin/sh', '-c', start, 'sh', process.execPath, inside, ...servers.map(({ spec }) => spec)],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const tables = new Map<string, Row[]>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { table, row } = JSON.parse(line) as { table: string; row: Row };
      tables.set(table, [...(tables.get(table) ?? []), row]);
      console.error(line);
    });
    const [code] = await once(child, 'close');
    rmSync(folder, { recursive: true });
    for (const [table, rows] of tables) report.table(table, rows);
    if (code !== 0) throw new Error(`It ended with ${code}.`);
  },
};
