/**
 * Finds what a change of the config file takes from the user's protection. A file that is being written, or was cut,
 * may be valid and lack rules, so such a change applies only once the file has not changed for a while.
 */
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Rule } from '../../../shared/model/rule.ts';
import { folderSettings, userOnlySettings } from './folder/settings.ts';
import type { Loaded } from './load.ts';
import type { Config } from './schema.ts';

const settleMs = 2_000;
const settings = Object.entries({ ...folderSettings, ...userOnlySettings });

export interface Settled extends Loaded {
  /** The old rules and settings that the file no longer has, as text. */
  removed: string[];
}

/**
 * Loads the config file. If that removes protection, loads it again until the file has not changed for 2 s. `before`
 * returns the configuration to compare with, if there is one. Rejects when `signal` aborts.
 */
export async function loadSettled(
  load: () => Promise<Loaded>,
  before: (now: Config) => Config | undefined,
  signal: AbortSignal,
): Promise<Settled> {
  let seen: number | undefined;
  for (;;) {
    const loaded = await load();
    const old = loaded.config && before(loaded.config);
    const removed = loaded.config && old ? removedProtection(old, loaded.config) : [];
    const changedAt = await changeTime(loaded.file);
    const isSettled = Date.now() - changedAt >= settleMs || changedAt === seen;
    if (removed.length === 0 || isSettled) return { ...loaded, removed };
    seen = changedAt;
    await delay(settleMs, undefined, { signal });
  }
}

/** Infinity for a file that does not exist. */
const changeTime = (file: string | undefined) =>
  file === undefined
    ? Number.POSITIVE_INFINITY
    : stat(file).then(
        ({ ctimeMs }) => ctimeMs,
        () => Number.POSITIVE_INFINITY,
      );

function removedProtection(before: Config, after: Config): string[] {
  const rules = new Set(after.toolRules.map((rule) => JSON.stringify(rule)));
  const enabled = new Set(after.servers.flatMap((server) => (server.enabled ? server.name : [])));
  const weaker = settings.filter(([, { read, weakens }]) => (weakens?.(read(before), read(after)) ?? 0) > 0);
  return [
    ...before.toolRules
      .filter(protects)
      .map((rule) => JSON.stringify(rule))
      .filter((rule) => !rules.has(rule))
      .map((rule) => `toolRules: ${rule}`),
    ...before.servers
      .filter((server) => !server.enabled && enabled.has(server.name))
      .map(({ name }) => `servers: ${JSON.stringify({ name, enabled: false })}`),
    ...before.plugins
      .filter((plugin) => typeof plugin === 'string' && !after.plugins.includes(plugin))
      .map((plugin) => `plugins: ${JSON.stringify(plugin)}`),
    ...weaker.map(([key, { read }]) => `${key}: ${JSON.stringify(read(before))}`),
  ];
}

/** An enabling rule disables other tools. Only `confirm: never` and `destinations: any` never restrict. */
const protects = ({ enabled, confirm, destinations }: Rule) =>
  enabled !== undefined || confirm === 'always' || confirm === 'auto' || destinations === 'known';
