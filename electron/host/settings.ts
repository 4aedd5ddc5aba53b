/** `settings.json` behind the Store port: written whole and atomically, readable by this person only. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Conf from 'conf';
import { emptySettings, type Host, type Settings, type Store } from '../core/host.ts';

/** The same file whether conf or electron-store opens it. */
export const settingsOptions = (dataDir: string) => ({
  cwd: dataDir,
  name: 'settings',
  configName: 'settings',
  fileExtension: 'json',
  configFileMode: 0o600,
  accessPropertiesByDotNotation: false,
});

/** What conf and electron-store have in common, as far as the port needs it. */
export interface SettingsFile {
  store: Record<string, unknown>;
  set(key: string, value: unknown): void;
}

const withConf = (options: ReturnType<typeof settingsOptions>): SettingsFile =>
  new Conf<Record<string, unknown>>(options);

/**
 * The Store over a settings file; `openFile` opens it with what the host prefers. Read once: conf reads its file anew for
 * every key, and one Core has it to itself. A damaged file is kept under another name and never a reason not to start.
 */
export function openSettings(dataDir: string, log: Host['log'], openFile = withConf): Store {
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
    new Conf({ ...settingsOptions(dataDir), clearInvalidConfig: true });
    file = open();
    values = file.store;
  }
  const settings = { ...structuredClone(emptySettings), ...values };
  return {
    get: (key) => structuredClone(settings[key]) as Settings[typeof key],
    set(key, value) {
      settings[key] = structuredClone(value) as never;
      file.set(key, value);
    },
  };
}
