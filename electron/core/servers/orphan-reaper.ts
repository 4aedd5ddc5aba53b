/**
 * Ends server processes if Core is killed. A small `sh` process, the watchdog, reads a pipe that Core writes to. When
 * Core ends, the pipe closes and the watchdog ends the registered process groups. Each group is also recorded in the
 * data folder, so that if the watchdog was killed too, the next Core ends the remaining groups at its start.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Host } from '../host.ts';
import { endGroup, processBirth } from './process/process-group.ts';

/** Reads `+ pgid` and `- pgid`. The traps keep it alive when its terminal or session ends. */
const watchdogScript = `trap '' HUP INT TERM
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

const watchdogs = new WeakMap<Host, ReturnType<typeof createWatchdog>>();

/** The watchdog of this host. Its shell starts with the first server and uses about 1 MB. */
export function watchdogOf(host: Host) {
  const watchdog = watchdogs.get(host) ?? createWatchdog(host);
  watchdogs.set(host, watchdog);
  return watchdog;
}

function createWatchdog(host: Host) {
  const watched = new Set<number>();
  let shell: ChildProcess | undefined;

  function send(line: string): void {
    if (process.platform === 'win32') return;
    shell ??= startShell();
    shell.stdin?.write(line);
  }

  function startShell(): ChildProcess {
    // Detached, so that a signal to Core's own group does not end the watchdog. It needs no environment, which contains
    // secrets.
    const child = spawn('/bin/sh', ['-c', watchdogScript], {
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: '/',
    });
    child.on('error', (error) => host.log('warn', `Orphaned servers cannot be ended automatically: ${error.message}`));
    child.stdin.on('error', () => {});
    // If the watchdog is killed, a new one must watch the same groups.
    child.on('exit', () => {
      shell = undefined;
      for (const pid of watched) send(`+ ${pid}\n`);
    });
    // The watchdog must not keep Core running.
    child.unref();
    (child.stdin as Socket).unref();
    return child;
  }

  return {
    /** Call this immediately after the spawn. */
    watch(pid: number, server: string): void {
      watched.add(pid);
      send(`+ ${pid}\n`);
      const birth = processBirth(pid);
      if (birth === undefined) return;
      const record: GroupRecord = { pid, birth, server, core: { pid: process.pid, birth: processBirth(process.pid) } };
      try {
        mkdirSync(folderOf(host), { recursive: true, mode: 0o700 });
        writeFileSync(fileOf(host, pid), JSON.stringify(record), { mode: 0o600 });
      } catch (error) {
        host.log('warn', `The process of "${server}" could not be recorded: ${String(error)}`);
      }
    },
    /** Call this when the group has ended. */
    release(pid: number): void {
      if (!watched.delete(pid)) return;
      send(`- ${pid}\n`);
      rmSync(fileOf(host, pid), { force: true });
    },
  };
}

/**
 * Ends server processes that a killed Core left running; call this once at Core's start. Ends a process only if it is
 * still the recorded one (same pid and start time) and its Core has ended. Resolves with the servers' names.
 */
export async function reapOrphans(host: Host, graceMs = 2_000): Promise<string[]> {
  const ended = await Promise.all(records(host).map(reap));
  return ended.filter((name) => name !== undefined);

  async function reap({ file, record }: ReturnType<typeof records>[number]): Promise<string | undefined> {
    if (record && processBirth(record.core.pid) === record.core.birth && record.core.birth !== undefined)
      return undefined;
    const isSame = record !== undefined && processBirth(record.pid) === record.birth;
    if (isSame) {
      host.log('info', `Ending "${record.server}" (process ${record.pid}), which a killed Toolkeep left running.`);
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
