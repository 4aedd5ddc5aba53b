/** `settings.json` behind the Store interface: written atomically, mode 0600. */
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { emptySettings, type Host, type Store, storeOf } from '../core/host.ts';
import { migrateRules } from '../core/rules/migrate.ts';

/** The location of the settings file, as electron-store takes it. */
export const settingsOptions = (dataDir: string) => ({
  cwd: dataDir,
  name: 'settings',
  configName: 'settings',
  fileExtension: 'json',
  configFileMode: 0o600,
  accessPropertiesByDotNotation: false,
});

/** The part of electron-store's interface that the Store needs. */
export interface SettingsFile {
  store: Record<string, unknown>;
  set(key: string, value: unknown): void;
}

/** Reads and writes the file as electron-store does, without its schema validator. */
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
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new SyntaxError('the file does not contain a JSON object');
}

/**
 * The Store over a settings file. The file is read once, since one Core has it to itself. A damaged file is kept under
 * another name, and Gatehouse starts with empty settings.
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
      `${path} could not be read (${String(error)}). It is kept as ${kept}; Gatehouse starts with empty settings.`,
    );
    rmSync(path);
    file = open();
    values = file.store;
  }
  const store = storeOf({ ...emptySettings, ...values }, (key, value) => file.set(key, value));
  if (values.overrides === undefined) separateOverrides(store);
  return store;
}

/** Settings of a version without overrides; written even if there is nothing to convert, so that it happens once. */
function separateOverrides(store: Store): void {
  const { rules, overrides } = migrateRules(store.get('rules'));
  if (rules.length > 0 || overrides.length > 0) store.set('rules', rules);
  store.set('overrides', overrides);
}
