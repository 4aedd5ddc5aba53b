/** `settings.json` behind the Store port: written whole and atomically, readable by this person only. */
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { emptySettings, type Host, type Store, storeOf } from '../core/host.ts';

/** The same file whether this one or electron-store opens it. */
export const settingsOptions = (dataDir: string) => ({
  cwd: dataDir,
  name: 'settings',
  configName: 'settings',
  fileExtension: 'json',
  configFileMode: 0o600,
  accessPropertiesByDotNotation: false,
});

/** What of electron-store the port needs. */
export interface SettingsFile {
  store: Record<string, unknown>;
  set(key: string, value: unknown): void;
}

/** The same as electron-store does, without the validator that it brings and that a Core would carry for nothing. */
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
  throw new SyntaxError('it holds no JSON object');
}

/**
 * The Store over a settings file; `openFile` opens it with what the host prefers. Read once: one Core has it to itself.
 * A damaged file is kept under another name and never a reason not to start.
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
      `${path} could not be read (${String(error)}). It was kept as ${kept}; Gatehouse starts with empty settings.`,
    );
    rmSync(path);
    file = open();
    values = file.store;
  }
  return storeOf({ ...emptySettings, ...values }, (key, value) => file.set(key, value));
}
