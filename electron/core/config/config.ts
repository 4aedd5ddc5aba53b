/** The configuration in force: found, read, checked, watched. A broken file never takes the last good one away. */
import type { Failure } from '../../../shared/failure.ts';
import type { Host } from '../host.ts';
import { keepConfig, keptSettings, recallConfig } from './last-good.ts';
import { loadConfig } from './load.ts';
import { type Config, defaultConfig } from './schema.ts';
import { configCandidates } from './search-order.ts';
import { type Watching, watchFiles } from './watch.ts';

export type { Config } from './schema.ts';

export interface ConfigState {
  config: Config;
  /** The file found on disk; absent with built-in defaults. */
  file?: string;
  /** The settings that `config` has from the file, as `approvals.timeout`; the others are defaults. */
  written: string[];
  /** Of the file now on disk; when there are any, `config` is the last good one. */
  problems: Failure[];
  /** In plain words: keys that do nothing and the like. */
  warnings: string[];
}

export interface ConfigStore {
  readonly state: ConfigState;
  /** Reads the file again, now. Never rejects for a bad file. */
  reload(): Promise<ConfigState>;
  /** Called after a change on disk and after `reload`, whether or not the file is good. Returns the way to stop it. */
  onChange(listener: (state: ConfigState) => void): () => void;
  close(): Promise<void>;
}

/** Opens the configuration and, unless told otherwise, follows its files. */
export async function openConfig(host: Host, { follow = true } = {}): Promise<ConfigStore> {
  const listeners = new Set<(state: ConfigState) => void>();
  let state: ConfigState = { config: defaultConfig(host.env), written: [], problems: [], warnings: [] };
  let reading: Promise<void> = Promise.resolve();
  let watching: Watching | undefined;

  let hasGood = false;

  const read = async () => {
    const { config, file, written, problems, warnings } = await loadConfig(host);
    for (const problem of problems) host.log('error', problem.message);
    for (const warning of warnings) host.log('warn', `${file}: ${warning}`);
    if (config && file) await keepConfig(host.dataDir, file, config);
    const recalled = !config && !hasGood && file ? await recallConfig(host.dataDir, file, state.config) : undefined;
    hasGood ||= config !== undefined;
    const inForce = config
      ? { config, written: written ?? [] }
      : recalled
        ? { config: recalled, written: keptSettings }
        : { config: state.config, written: state.written };
    state = { ...inForce, ...(file ? { file } : {}), problems, warnings };
  };
  // One read at a time, so that an older one never overwrites a newer one.
  const readInTurn = () => {
    reading = reading.then(read);
    return reading;
  };
  const reload = async () => {
    await readInTurn();
    for (const listener of listeners) listener(state);
    return state;
  };

  await readInTurn();
  if (follow) {
    const files = configCandidates(host).map(({ file }) => file);
    watching = await watchFiles(files, () => void reload());
  }

  return {
    get state() {
      return state;
    },
    reload,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      await watching?.close();
      await reading;
    },
  };
}
