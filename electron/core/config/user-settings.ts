/** User settings, made in the window, which override the same settings of the config file. */
import type { ConfigSetting } from '../../../shared/model/setting.ts';
import type { Store, UserSettings } from '../settings.ts';
import type { ConfigStore } from './config.ts';
import type { Config } from './schema.ts';

type Name = keyof UserSettings;
type Value = number | boolean;

/** One key of the config file. */
interface ConfigKey {
  key: string;
  read(config: Config): Value;
  /** Returns a copy of `config` with the value. */
  write(config: Config, value: Value): Config;
}

/** For each user setting: the keys in the config file that it overrides. The first one has the value to show. */
const keysOf: Record<Name, readonly [ConfigKey, ...ConfigKey[]]> = {
  questionTimeoutMs: [
    configKey('approvals.timeout', 'approvals', 'timeoutMs'),
    configKey('elicitation.timeout', 'elicitation', 'timeoutMs'),
  ],
  maxResultCharacters: [configKey('results.maxCharacters', 'results', 'maxCharacters')],
  http: [configKey('http.enabled', 'http', 'enabled')],
  historyMonths: [configKey('history.months', 'history', 'months')],
  resultDays: [configKey('history.resultDays', 'history', 'resultDays')],
  updates: [configKey('updates.enabled', 'updates', 'enabled')],
};
const names = Object.keys(keysOf) as Name[];

function configKey<
  Section extends 'approvals' | 'elicitation' | 'results' | 'http' | 'history' | 'updates',
  Field extends keyof Config[Section],
>(key: string, section: Section, field: Field): ConfigKey {
  return {
    key,
    read: (config) => config[section][field] as Value,
    write: (config, value) => ({ ...config, [section]: { ...config[section], [field]: value } }),
  };
}

/** Returns the values that `config` has for the settings that a user can override. */
export function settingsInConfig(config: Config): Required<UserSettings> {
  return Object.fromEntries(
    names.map((name) => [name, keysOf[name][0].read(config)]),
  ) as unknown as Required<UserSettings>;
}

/** Returns `config` with the user's settings applied. */
function applyUserSettings(config: Config, own: UserSettings): Config {
  let applied = config;
  for (const name of names) {
    const value = own[name];
    if (value !== undefined) for (const { write } of keysOf[name]) applied = write(applied, value);
  }
  return applied;
}

/** Returns the config with the user's settings applied. Keeps it, because every call reads it several times. */
export function createEffectiveConfig(file: Pick<ConfigStore, 'state'>, store: Pick<Store, 'get'>): () => Config {
  let last: { config: Config; own: UserSettings; effective: Config } | undefined;
  return () => {
    const { config } = file.state;
    const own = store.get('userSettings');
    if (last?.config !== config || last.own !== own) last = { config, own, effective: applyUserSettings(config, own) };
    return last.effective;
  };
}

/** Returns the effective value and the source of each setting; `written` are the keys in the config file. */
export function effectiveSettings(config: Config, own: UserSettings, written: readonly string[]): ConfigSetting[] {
  return names.flatMap((name) =>
    keysOf[name].map(({ key, read }): ConfigSetting => {
      const ofFile = written.includes(key) ? 'file' : 'default';
      const origin = config.folder?.written.includes(key) ? 'folder' : ofFile;
      const inFile = { value: read(config), origin } as const;
      const value = own[name];
      return value === undefined ? { key, ...inFile } : { key, value, origin: 'window', otherwise: inFile };
    }),
  );
}

/**
 * Returns the user settings after `change`. A setting equal to the config file's value is removed, so that it follows
 * the file.
 */
export function changeUserSettings(
  config: Config,
  own: UserSettings,
  change: { [K in keyof UserSettings]?: UserSettings[K] | undefined },
): UserSettings {
  const inFile: Record<string, unknown> = { ...settingsInConfig(config) };
  const next = Object.entries({ ...own, ...change });
  return Object.fromEntries(next.filter(([key, value]) => value !== undefined && value !== inFile[key]));
}
