/** User settings, made in the window, which override the same settings of the config file. */
import type { ConfigSetting } from '../../../shared/model/setting.ts';
import type { UserSettings } from '../host.ts';
import type { Config } from './schema.ts';

/** Returns the values that `config` has for the settings that a user can override. */
export function settingsInConfig({ results, approvals, http, history, updates }: Config): Required<UserSettings> {
  return {
    maxResultCharacters: results.maxCharacters,
    questionTimeoutMs: approvals.timeoutMs,
    http: http.enabled,
    historyMonths: history.months,
    resultDays: history.resultDays,
    updates: updates.enabled,
  };
}

/** Returns `config` with the user's settings applied. */
export function applyUserSettings(config: Config, own: UserSettings): Config {
  if (Object.keys(own).length === 0) return config;
  const { maxResultCharacters, http, historyMonths, resultDays, updates } = { ...settingsInConfig(config), ...own };
  const timeout = own.questionTimeoutMs === undefined ? {} : { timeoutMs: own.questionTimeoutMs };
  return {
    ...config,
    results: { ...config.results, maxCharacters: maxResultCharacters },
    approvals: { ...config.approvals, ...timeout },
    elicitation: { ...config.elicitation, ...timeout },
    http: { ...config.http, enabled: http },
    history: { months: historyMonths, resultDays },
    updates: { enabled: updates },
  };
}

/** For each key in the config file: the user setting that overrides it, and a function that reads its value. */
const settings: Record<string, [overriddenBy: keyof UserSettings, read: (config: Config) => number | boolean]> = {
  'approvals.timeout': ['questionTimeoutMs', ({ approvals }) => approvals.timeoutMs],
  'elicitation.timeout': ['questionTimeoutMs', ({ elicitation }) => elicitation.timeoutMs],
  'results.maxCharacters': ['maxResultCharacters', ({ results }) => results.maxCharacters],
  'http.enabled': ['http', ({ http }) => http.enabled],
  'history.months': ['historyMonths', ({ history }) => history.months],
  'history.resultDays': ['resultDays', ({ history }) => history.resultDays],
  'updates.enabled': ['updates', ({ updates }) => updates.enabled],
};

/** Returns the effective value and the source of each setting; `written` are the keys in the config file. */
export function effectiveSettings(config: Config, own: UserSettings, written: readonly string[]): ConfigSetting[] {
  const effective = applyUserSettings(config, own);
  return Object.entries(settings).map(([key, [overriddenBy, read]]) => {
    const origin = written.includes(key) ? ('file' as const) : ('default' as const);
    const value = read(effective);
    if (own[overriddenBy] === undefined) return { key, value, origin };
    return { key, value, origin: 'window', otherwise: { value: read(config), origin } };
  });
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
