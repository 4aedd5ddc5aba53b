/** The Store interface over `settings.json`, which is written atomically with mode 0600. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Failure } from '../../shared/failure.ts';
import { isObject } from '../../shared/is-object.ts';
import type { Host } from '../core/host.ts';
import { emptySettings, type Settings, type Store, settingSchemas, storeOf } from '../core/settings.ts';

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
  /** The value is never undefined, which electron-store refuses. */
  set(key: string, value: unknown): void;
  delete(key: string): void;
}

export interface OpenedSettings {
  store: Store;
  /** The damage of the file, and which values apply instead; absent if it was valid. */
  settingsProblem?: Failure;
}

type Values = Record<string, unknown>;

const settingNames = Object.keys(emptySettings) as (keyof Settings)[];
/** The settings that restrict what agents and clients can do. Their last valid values outlive a damaged file. */
const protective: readonly (keyof Settings)[] = [
  'rules',
  'overrides',
  'disabledServers',
  'profiles',
  'enableRequests',
  'pause',
  'userSettings',
];

/** Reads and writes the file in electron-store's format, without its schema validator. */
function plainFile(options: ReturnType<typeof settingsOptions>): SettingsFile {
  const path = join(options.cwd, `${options.name}.${options.fileExtension}`);
  const store = readObject(path) ?? {};
  return {
    set(key, value) {
      store[key] = value;
      write(path, store);
    },
    delete(key) {
      delete store[key];
      write(path, store);
    },
  };
}

const write = (path: string, values: object) =>
  writeFileAtomic.sync(path, JSON.stringify(values, undefined, '\t'), { mode: 0o600 });

/** Returns undefined if the file does not exist. */
function readObject(path: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (isObject(value)) return value;
  throw new SyntaxError('the file does not contain a JSON object');
}

/**
 * Opens the Store over a settings file. Reads the file once, because only one Core uses it. Keeps a copy of a damaged
 * file. Instead of its protective settings, the last valid ones apply; its other damaged settings are reset.
 */
export function openSettings(dataDir: string, log: Host['log'], openFile = plainFile): OpenedSettings {
  const path = join(dataDir, 'settings.json');
  const lastGood = createLastGood(join(dataDir, 'last-good-settings.json'));
  const { values, damage } = readSettings(path, lastGood.read());
  let settingsProblem: Failure | undefined;
  if (damage) {
    const kept = join(dataDir, `settings.damaged-${Date.now()}.json`);
    if (existsSync(path)) copyFileSync(path, kept);
    const message = `${path} was damaged: ${damage}.`;
    const hint = existsSync(kept)
      ? `Its last valid rules, profiles and disabled tools apply. Other damaged settings were reset; the file is kept as ${kept}.`
      : 'The last valid rules, profiles and disabled tools apply. Other settings were reset.';
    settingsProblem = { code: 'SETTINGS_DAMAGED', message, hint, file: path };
    log('error', `${message} ${hint}`);
  }
  // The last valid settings are saved below. Without this file, they would show that it was lost.
  if (damage || !existsSync(path)) write(path, values);
  const file = openFile(settingsOptions(dataDir));
  const store = storeOf({ ...emptySettings, ...values }, (key, value) => {
    if (value === undefined) file.delete(key);
    else file.set(key, value);
    if (protective.includes(key)) lastGood.save(store);
  });
  lastGood.save(store);
  return { store, settingsProblem };
}

/** The valid settings in the file, and what is wrong with the others. */
function readSettings(path: string, lastGood: Values): { values: Values; damage?: string } {
  let found: Record<string, unknown> | undefined;
  try {
    found = readObject(path);
  } catch (error) {
    const damage = error instanceof SyntaxError ? 'it contains no JSON object' : (error as Error).message;
    return { values: lastGood, damage };
  }
  // An empty folder is new. A file that was lost has left its last valid settings.
  if (!found) return { values: lastGood, damage: Object.keys(lastGood).length > 0 ? 'it does not exist' : undefined };
  const values: Values = { ...found };
  const damaged = settingNames.filter((name) => values[name] !== undefined && !isValid(name, values[name]));
  for (const name of damaged) values[name] = lastGood[name] ?? validPart(name, values[name]);
  if (damaged.length === 0) return { values };
  return { values, damage: `${damaged.map((name) => `"${name}"`).join(', ')} has invalid values` };
}

const isValid = (name: keyof Settings, value: unknown) => settingSchemas[name].safeParse(value).success;

/** The valid items of a list; otherwise, the setting of a new user. */
function validPart(name: keyof Settings, value: unknown): unknown {
  return Array.isArray(value) && isValid(name, [])
    ? value.filter((item) => isValid(name, [item]))
    : emptySettings[name];
}

/** The file with the last valid values of the protective settings. */
function createLastGood(path: string) {
  let saved = '';
  return {
    read(): Values {
      try {
        const found = readObject(path) ?? {};
        saved = JSON.stringify(found);
        return Object.fromEntries(
          protective
            .filter((name) => found[name] !== undefined && isValid(name, found[name]))
            .map((name) => [name, found[name]]),
        );
      } catch {
        return {};
      }
    },
    save(store: Store): void {
      const values = Object.fromEntries(protective.map((name) => [name, store.get(name)]));
      const text = JSON.stringify(values);
      if (text === saved) return;
      write(path, values);
      saved = text;
    },
  };
}
