/** Opens the configuration and watches its files. A broken file never replaces the last good configuration. */
import pLimit from 'p-limit';
import type { Failure } from '../../../shared/failure.ts';
import { type DiscoveryState, discoveryState, type InEffect } from '../../../shared/model/config-state.ts';
import { type Watching, watchFiles } from '../files/watch-files.ts';
import type { Host } from '../host.ts';
import { protectiveSettings, readLastGoodConfig, saveLastGoodConfig } from './last-good.ts';
import { addFolder, type FolderState, loadUserConfig } from './load.ts';
import { type Config, defaultConfig } from './schema.ts';
import { folderCandidates, userCandidates } from './search-order.ts';

export interface ConfigState {
  /** The effective configuration: the user's, merged with that of a trusted folder. */
  config: Config;
  /** The user's own part of `config`. */
  user: { config: Config; written: string[] };
  /** Where the user's part of `config` comes from. */
  inEffect: InEffect;
  /** The user's config file, or the trusted folder's; absent if the built-in defaults apply. */
  file?: string;
  /** The folder's configuration, whether or not it is trusted; absent without one. */
  folder?: FolderState;
  /** The keys that are set in a file, such as `approvals.timeout`; the others are defaults. */
  written: string[];
  /** Problems with the files on disk. A file with problems is replaced by its last good version, or ignored. */
  problems: Failure[];
  /** Parts of the files that have no effect. */
  warnings: string[];
}

export interface ConfigStore {
  readonly state: ConfigState;
  /** Whether the servers of the configuration can run. */
  discovery(): DiscoveryState;
  /** Reads the files again. Never rejects because of an invalid file. */
  reload(): Promise<ConfigState>;
  /**
   * Called after a change on disk and after `reload`, even if the file is invalid. Returns a function that
   * unsubscribes.
   */
  onChange(listener: (state: ConfigState) => void): () => void;
  close(): Promise<void>;
}

/** The effect of a problem with the user's file, for the user. */
const effects: Record<InEffect, string | undefined> = {
  file: undefined,
  last: 'The last valid configuration stays in effect.',
  rules: 'Until you fix it, its servers do not run and its last valid rules apply.',
  defaults: 'Until you fix it, its servers do not run and the defaults apply.',
};

const hintWith = (hint: string | undefined, effect: string | undefined) =>
  [hint, effect].filter(Boolean).join(' ') || undefined;

/** Opens the configuration and, unless `follow` is false, watches its files. */
export async function openConfig(host: Host, { follow = true } = {}): Promise<ConfigStore> {
  const listeners = new Set<(state: ConfigState) => void>();
  const initial = { config: defaultConfig(host.env), written: [] };
  let state: ConfigState = { ...initial, user: initial, inEffect: 'file', problems: [], warnings: [] };
  // Reads one at a time, so that an older result never overwrites a newer one.
  const inTurn = pLimit(1);
  let watching: Watching | undefined;
  let hasGood = false;

  /** The user's own configuration: the file's, or else its last good version. */
  const readUser = async () => {
    const { config, file, written, problems, warnings } = await loadUserConfig(host);
    if (config && file) await saveLastGoodConfig(host.dataDir, file, config);
    const saved = !config && !hasGood && file ? await readLastGoodConfig(host.dataDir, file, state.config) : undefined;
    hasGood ||= config !== undefined;
    const user = config ? { config, written } : saved ? { config: saved, written: protectiveSettings } : state.user;
    const inEffect: InEffect = config ? 'file' : hasGood ? 'last' : saved ? 'rules' : 'defaults';
    return {
      user,
      inEffect,
      file,
      problems: problems.map((problem) => ({ ...problem, hint: hintWith(problem.hint, effects[inEffect]) })),
      warnings: warnings.map((warning) => `${file}: ${warning}`),
    };
  };

  const read = async () => {
    const own = await readUser();
    const { config, written, folder, ...found } = await addFolder(host, own.user.config, own.user.written);
    const problems = [...own.problems, ...found.problems];
    const warnings = [...own.warnings, ...found.warnings];
    for (const { code, message } of problems) host.log(code === 'CONFIG_UNTRUSTED' ? 'warn' : 'error', message);
    for (const warning of warnings) host.log('warn', warning);
    const file = own.file ?? (folder?.status === 'trusted' ? folder.file : undefined);
    state = { config, user: own.user, inEffect: own.inEffect, file, folder, written, problems, warnings };
  };
  const reload = async () => {
    await inTurn(read);
    for (const listener of listeners) listener(state);
    return state;
  };

  await inTurn(read);
  if (follow) {
    const { projectDir, dataDir } = host;
    const ofFolder = projectDir === undefined ? [] : folderCandidates(projectDir, dataDir);
    const files = [...ofFolder, ...userCandidates(dataDir)].map(({ file }) => file);
    watching = await watchFiles(files, () => void reload());
  }

  return {
    get state() {
      return state;
    },
    discovery: () => discoveryState(state.config.enabled, state.inEffect),
    reload,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      listeners.clear();
      await watching?.close();
      await inTurn(() => undefined);
    },
  };
}
