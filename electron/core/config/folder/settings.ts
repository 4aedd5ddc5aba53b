/** The settings that a folder may have, and which of two values protects the user more. */
import type { Config } from '../schema.ts';

type Value = unknown;

interface FolderSetting {
  read(config: Config): Value;
  write(config: Config, value: Value): Config;
  /** Positive when `value` protects less than `users`; absent for settings without a bearing on protection. */
  weakens?(users: Value, value: Value): number;
}

/** A setting of Config under one or two keys. */
function at(...[section, key]: [keyof Config, string?]): Pick<FolderSetting, 'read' | 'write'> {
  return {
    read: (config) => (key === undefined ? config[section] : (config[section] as Record<string, Value>)[key]),
    write: (config, value) => ({
      ...config,
      [section]: key === undefined ? value : { ...(config[section] as object), [key]: value },
    }),
  };
}

/** Values in order, the most protective first. */
const ranked =
  (...values: Value[]) =>
  (users: Value, value: Value) =>
    values.indexOf(value) - values.indexOf(users);

/**
 * By key in the file. A folder's value of a setting that is not listed here is ignored: history, search models and
 * everything new has to be the user's own.
 */
export const folderSettings: Record<string, FolderSetting> = {
  enabled: { ...at('enabled'), weakens: ranked(false, true) },
  'approvals.mode': { ...at('approvals', 'mode'), weakens: ranked('never', 'ask') },
  'elicitation.enabled': { ...at('elicitation', 'enabled'), weakens: ranked(false, true) },
  'elicitation.routing': { ...at('elicitation', 'routing'), weakens: ranked('gatehouse', 'both', 'client') },
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
