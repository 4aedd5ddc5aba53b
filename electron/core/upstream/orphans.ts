/**
 * No server outlives a killed Core. A small `sh` holds the read end of a pipe whose write end is ours: when the Core
 * dies, however it dies, the pipe closes and the shell ends the groups it was told of. A file per group in the data
 * folder is the second line, for the case that the shell was killed too: the next Core start sweeps them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Host } from '../host.ts';
import { endGroup, processBirth } from './groups.ts';

/** Reads `+ pgid` and `- pgid`; the traps keep it alive when a terminal or a session ends around it. */
const guardScript = `trap '' HUP INT TERM
all=' '
while read -r op id; do
  case $op in
    +) all="$all$id " ;;
    -) all="\${all%% $id *} \${all#* $id }" ;;
  esac
done
[ -z "\${all# }" ] && exit
for id in $all; do kill -TERM "-$id"; done
sleep 2
for id in $all; do kill -KILL "-$id"; done`;

interface GroupRecord {
  pid: number;
  birth: string;
  server: string;
  core: { pid: number; birth: string | undefined };
}

export interface Guard {
  /** Call at once after the spawn. */
  watch(pid: number, server: string): void;
  /** The group is gone. */
  release(pid: number): void;
}

const guards = new WeakMap<Host, Guard>();

/** The guard of this host; its shell starts with the first server and costs about 1 MB. */
export function guardOf(host: Host): Guard {
  const guard = guards.get(host) ?? createGuard(host);
  guards.set(host, guard);
  return guard;
}

function createGuard(host: Host): Guard {
  const watched = new Set<number>();
  let shell: ChildProcess | undefined;

  function tell(line: string): void {
    if (process.platform === 'win32') return;
    shell ??= startShell();
    shell.stdin?.write(line);
  }

  function startShell(): ChildProcess {
    // Detached: a signal to the Core's own group must not take the guard along.
    const child = spawn('/bin/sh', ['-c', guardScript], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: '/',
    });
    child.on('error', (error) => host.log('warn', `No guard against orphaned servers: ${error.message}`));
    child.stdin.on('error', () => {});
    // If someone kills the guard, the next one has to know what the old one knew.
    child.on('exit', () => {
      shell = undefined;
      for (const pid of watched) tell(`+ ${pid}\n`);
    });
    // It must not keep a finished Core running.
    child.unref();
    (child.stdin as Socket).unref();
    return child;
  }

  return {
    watch(pid, server) {
      watched.add(pid);
      tell(`+ ${pid}\n`);
      const birth = processBirth(pid);
      if (birth === undefined) return;
      const record: GroupRecord = { pid, birth, server, core: { pid: process.pid, birth: processBirth(process.pid) } };
      try {
        mkdirSync(folderOf(host), { recursive: true, mode: 0o700 });
        writeFileSync(fileOf(host, pid), JSON.stringify(record), { mode: 0o600 });
      } catch (error) {
        host.log('warn', `The process of "${server}" could not be noted: ${String(error)}`);
      }
    },
    release(pid) {
      if (!watched.delete(pid)) return;
      tell(`- ${pid}\n`);
      rmSync(fileOf(host, pid), { force: true });
    },
  };
}

/**
 * Ends server processes that a killed Core left behind; call once at Core start. A process is only touched if it is still
 * the one that was started (same pid and same start time) and its Core is gone. Resolves with the names of the servers.
 */
export async function sweepOrphans(host: Host, graceMs = 2_000): Promise<string[]> {
  const ended = await Promise.all(records(host).map(sweep));
  return ended.filter((name) => name !== undefined);

  async function sweep({
    file,
    record,
  }: {
    file: string;
    record: GroupRecord | undefined;
  }): Promise<string | undefined> {
    if (record && processBirth(record.core.pid) === record.core.birth && record.core.birth !== undefined)
      return undefined;
    const isSame = record !== undefined && processBirth(record.pid) === record.birth;
    if (isSame) {
      host.log('info', `Ending "${record.server}" (process ${record.pid}), which a killed Gatehouse left behind.`);
      await endGroup(record.pid, graceMs);
    }
    rmSync(file, { force: true });
    return isSame ? record.server : undefined;
  }
}

function records(host: Host): { file: string; record: GroupRecord | undefined }[] {
  let names: string[];
  try {
    names = readdirSync(folderOf(host)).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  return names.map((name) => {
    const file = join(folderOf(host), name);
    try {
      const record = JSON.parse(readFileSync(file, 'utf8')) as GroupRecord;
      return { file, record: Number.isSafeInteger(record.pid) && record.pid > 1 && record.core ? record : undefined };
    } catch {
      return { file, record: undefined };
    }
  });
}

function folderOf(host: Host): string {
  return join(host.dataDir, 'run', 'groups');
}

function fileOf(host: Host, pid: number): string {
  return join(folderOf(host), `${pid}.json`);
}
