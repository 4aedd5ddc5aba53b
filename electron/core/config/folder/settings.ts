/** The settings that a folder may set, and comparisons of how protective two values are. */
import type { Config } from '../schema.ts';

type Value = unknown;

interface FolderSetting {
  read(config: Config): Value;
  write(config: Config, value: Value): Config;
  /**
   * Returns a positive number if `value` protects less than `users`. Absent for settings that do not affect protection.
   */
  weakens?(users: Value, value: Value): number;
}

/** A setting stored under one or two keys of Config. */
function at(...[section, key]: [keyof Config, string?]): Pick<FolderSetting, 'read' | 'write'> {
  return {
    read: (config) => (key === undefined ? config[section] : (config[section] as Record<string, Value>)[key]),
    write: (config, value) => ({
      ...config,
      [section]: key === undefined ? value : { ...(config[section] as object), [key]: value },
    }),
  };
}

/** Compares by the position in `values`, which are ordered from most to least protective. */
const ranked =
  (...values: Value[]) =>
  (users: Value, value: Value) =>
    values.indexOf(value) - values.indexOf(users);

/**
 * The settings by their key in the file. All others are ignored in a folder: history, search models and all new settings
 * must come from the user.
 */
export const folderSettings: Record<string, FolderSetting> = {
  enabled: { ...at('enabled'), weakens: ranked(false, true) },
  'approvals.mode': { ...at('approvals', 'mode'), weakens: ranked('never', 'ask') },
  'approvals.destinations': { ...at('approvals', 'destinations'), weakens: ranked('known', 'any') },
  'approvals.reads': { ...at('approvals', 'reads'), weakens: ranked('leaks', 'off') },
  'elicitation.enabled': { ...at('elicitation', 'enabled'), weakens: ranked(false, true) },
  'elicitation.routing': { ...at('elicitation', 'routing'), weakens: ranked('toolkeep', 'both', 'client') },
  'elicitation.fallback': { ...at('elicitation', 'fallback'), weakens: ranked('error', 'timeout', 'default') },
  'http.enabled': { ...at('http', 'enabled'), weakens: ranked(false, true) },
  'status.detail': { ...at('statusDetail'), weakens: ranked(false, true) },
  'cache.enabled': at('cache', 'enabled'),
  'cache.ttl': at('cache', 'ttl'),
  refreshInterval: at('refreshIntervalMs'),
  'approvals.timeout': at('approvals', 'timeoutMs'),
  'approvals.clientTimeout': at('approvals', 'clientTimeoutMs'),
  'elicitation.timeout': at('elicitation', 'timeoutMs'),
  'results.maxCharacters': at('results', 'maxCharacters'),
  'results.structured': at('results', 'structured'),
  'results.except': at('results', 'except'),
  'lifecycle.idleTimeout': at('idleTimeoutMs'),
  'lifecycle.callTimeout': at('callTimeoutMs'),
  'lifecycle.discoveryTimeout': at('discoveryTimeoutMs'),
  'lifecycle.concurrentStarts': at('concurrentStarts'),
};

/** Settings that affect protection and that a folder cannot set. */
export const userOnlySettings: Record<string, FolderSetting> = {
  'approvals.ask': { ...at('approvals', 'ask'), weakens: ranked('all', 'acts', 'dangerous') },
  'sandbox.newServers': { ...at('sandbox', 'newServers'), weakens: ranked('confine', 'off') },
  'approvals.newTools': { ...at('approvals', 'newTools'), weakens: ranked('hold', 'allow') },
};
