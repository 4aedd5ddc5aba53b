/** Opens the configuration and watches its files. A broken file never replaces the last good configuration. */
import pLimit from 'p-limit';
import type { Failure } from '../../../shared/failure.ts';
import { type DiscoveryState, discoveryState, type InEffect } from '../../../shared/model/config-state.ts';
import { type Watching, watchFiles } from '../files/watch-files.ts';
import type { Host } from '../host.ts';
import { lastGoodConfig, protectiveSettings, readSavedConfig, saveLastGoodConfig, withSaved } from './last-good.ts';
import { addFolder, type FolderState, loadUserConfig } from './load.ts';
import { loadSettled } from './protection.ts';
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
  /** The protection that the last change of the user's file removed, as the file had it. */
  removed?: { file: string; settings: string[] };
}

export type ConfigStore = Awaited<ReturnType<typeof openConfig>>;

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
export async function openConfig(host: Host, { follow = true } = {}) {
  const listeners = new Set<(state: ConfigState) => void>();
  const initial = { config: defaultConfig(host.env), written: [] };
  let state: ConfigState = { ...initial, user: initial, inEffect: 'file', problems: [], warnings: [] };
  // Reads one at a time, so that an older result never overwrites a newer one.
  const inTurn = pLimit(1);
  let watching: Watching | undefined;
  const closing = new AbortController();
  const saved = await readSavedConfig(host.dataDir);
  /** The configuration of the last valid file; undefined until Core has read one. */
  let good: Config | undefined;

  /** The user's own configuration: the file's, or else its last good version. */
  const readUser = async () => {
    const before = (now: Config) => good ?? (saved && withSaved(saved, now));
    const loaded = await loadSettled(() => loadUserConfig(host), before, closing.signal);
    const { config, file, written, problems, warnings } = loaded;
    if (config && (file || loaded.removed.length > 0)) await saveLastGoodConfig(host.dataDir, file ?? '', config);
    const last = !config && !good && file ? lastGoodConfig(saved, file, state.config) : undefined;
    good = config ?? good;
    const user = config ? { config, written } : last ? { config: last, written: protectiveSettings } : state.user;
    const inEffect: InEffect = config ? 'file' : good ? 'last' : last ? 'rules' : 'defaults';
    const changed = file ?? state.file ?? saved?.file ?? '';
    for (const setting of loaded.removed) host.log('warn', `${changed} no longer has ${setting}`);
    const removed = loaded.removed.length > 0 ? { file: changed, settings: loaded.removed } : undefined;
    return {
      user,
      inEffect,
      file,
      problems: problems.map((problem) => ({ ...problem, hint: hintWith(problem.hint, effects[inEffect]) })),
      warnings: warnings.map((warning) => `${file}: ${warning}`),
      removed,
    };
  };

  const read = async () => {
    const own = await readUser();
    const { config, written, folder, ...found } = await addFolder(host, own.user.config, own.user.written);
    const problems = [...own.problems, ...found.problems];
    const warnings = [...own.warnings, ...found.warnings];
    for (const { code, message } of problems) host.log(code === 'CONFIG_UNTRUSTED' ? 'warn' : 'error', message);
    for (const warning of warnings) host.log('warn', warning);
    if (host.settingsProblem) problems.unshift(host.settingsProblem);
    const file = own.file ?? (folder?.status === 'trusted' ? folder.file : undefined);
    const { user, inEffect, removed } = own;
    state = { config, user, inEffect, file, folder, written, problems, warnings, removed };
  };
  /** Reads the files again. Never rejects because of an invalid file. */
  const reload = async (): Promise<ConfigState> => {
    await inTurn(read).catch((error) => {
      if (!closing.signal.aborted) throw error;
    });
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
    get state(): ConfigState {
      return state;
    },
    /** Whether the servers of the configuration can run. */
    discovery: (): DiscoveryState => discoveryState(state.config.enabled, state.inEffect),
    reload,
    /** Called after a change on disk and after `reload`, even if the file is invalid. Returns a function that unsubscribes. */
    onChange(listener: (state: ConfigState) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close(): Promise<void> {
      listeners.clear();
      closing.abort();
      await watching?.close();
      await inTurn(() => undefined);
    },
  };
}
