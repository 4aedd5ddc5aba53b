/** Watches the configuration files of all known clients and of the configured sources. */
import { type Watching, watchFiles } from '../files/watch-files.ts';
import { expandPath, type Machine } from './import/paths.ts';
import { knownClients } from './known-clients.ts';

/** Long enough for a client to write all of its files. */
const settleMs = 300;
const pollMs = 5_000;
/** Milliseconds between scans for new files that match patterns with `*`. */
const rescanMs = 15_000;

/** Calls `onChange` when a file changes, appears or disappears. `extraPaths` returns the paths of configured sources. */
export function watchSources(machine: Machine, onChange: () => void, extraPaths = (): string[] => []) {
  let watching: Watching | undefined;
  let watched = '';
  let isClosed = false;
  let scanning = Promise.resolve();

  async function scan(): Promise<void> {
    if (isClosed) return;
    const locations = knownClients.flatMap((client) => client.locations(machine));
    const found = await Promise.all([
      ...extraPaths().map(expandPath),
      ...locations.map(async ({ path, companions }) =>
        (await expandPath(path)).flatMap((file) => [file, ...(companions?.(file) ?? [])]),
      ),
    ]);
    const files = [...new Set(found.flat())].sort();
    const key = files.join('\n');
    if (isClosed || key === watched) return;
    const isFirst = watched === '';
    watched = key;
    await watching?.close();
    watching = await watchFiles(files, onChange, { settleMs, pollMs });
    if (isClosed) await watching.close();
    else if (!isFirst) onChange();
  }
  /** Looks for the files again after the configured sources have changed. */
  function rescan(): void {
    scanning = scanning.then(scan).catch(() => undefined);
  }

  const interval = setInterval(rescan, rescanMs);
  interval.unref();
  rescan();
  return {
    /** Resolves when the files are watched. */
    ready: scanning,
    rescan,
    close(): void {
      isClosed = true;
      clearInterval(interval);
      void watching?.close();
    },
  };
}
