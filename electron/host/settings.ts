/** The Store interface over `settings.json`, which is written atomically with mode 0600. */
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { isObject } from '../../shared/is-object.ts';
import { emptySettings, type Host, type Store, storeOf } from '../core/host.ts';
import { migrateRules } from '../core/rules/migrate.ts';

/** The settings file's location, in electron-store's format. */
export const settingsOptions = (dataDir: string) => ({
  cwd: dataDir,
  name: 'settings',
  configName: 'settings',
  fileExtension: 'json',
  configFileMode: 0o600,
  accessPropertiesByDotNotation: false,
});

/** The part of electron-store's interface that Store uses. */
export interface SettingsFile {
  store: Record<string, unknown>;
  set(key: string, value: unknown): void;
}

/** Reads and writes the file in electron-store's format, without its schema validator. */
function plainFile(options: ReturnType<typeof settingsOptions>): SettingsFile {
  const path = join(options.cwd, `${options.name}.${options.fileExtension}`);
  const store = readObject(path);
  return {
    store,
    set(key, value) {
      store[key] = value;
      writeFileAtomic.sync(path, JSON.stringify(store, undefined, '\t'), { mode: options.configFileMode });
    },
  };
}

function readObject(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (isObject(value)) return value;
  throw new SyntaxError('the file does not contain a JSON object');
}

/**
 * Opens the Store over a settings file. Reads the file once, because only one Core uses it. A damaged file is renamed,
 * and Toolkeep starts with empty settings.
 */
export function openSettings(dataDir: string, log: Host['log'], openFile = plainFile): Store {
  const open = () => openFile(settingsOptions(dataDir));
  let file: SettingsFile;
  let values: Record<string, unknown>;
  try {
    file = open();
    values = file.store;
  } catch (error) {
    const path = join(dataDir, 'settings.json');
    const kept = join(dataDir, `settings.damaged-${Date.now()}.json`);
    copyFileSync(path, kept);
    log(
      'error',
      `${path} could not be read (${String(error)}). It is kept as ${kept}; Toolkeep starts with empty settings.`,
    );
    rmSync(path);
    file = open();
    values = file.store;
  }
  const store = storeOf({ ...emptySettings, ...values }, (key, value) => file.set(key, value));
  if (values.overrides === undefined) separateOverrides(store);
  return store;
}

/**
 * Converts the settings of a version that had no overrides. Saves even if there is nothing to convert, so that it runs
 * only once.
 */
function separateOverrides(store: Store): void {
  const { rules, overrides } = migrateRules(store.get('rules'));
  if (rules.length > 0 || overrides.length > 0) store.set('rules', rules);
  store.set('overrides', overrides);
}
