/**
 * Saves the protective part of the last good config, so that a config file that is broken when Toolkeep starts does
 * not remove a rule. Servers are not saved: they may contain secrets, and a missing server does no harm.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { configuredDestinationSchema } from '../../../shared/model/question.ts';
import { ruleSchema } from '../../../shared/model/rule.ts';
import { destinationsSchema } from '../../../shared/model/tool.ts';
import type { Config } from './schema.ts';

const savedSchema = z.object({
  file: z.string(),
  enabled: z.boolean(),
  toolRules: z.array(ruleSchema),
  sources: z.array(z.object({ type: z.string(), path: z.string() })),
  approvals: z.object({
    mode: z.enum(['ask', 'never']),
    timeoutMs: z.number(),
    clientTimeoutMs: z.number(),
    newTools: z.enum(['hold', 'allow']).default('hold'),
    ask: z.enum(['acts', 'dangerous', 'all']).default('acts'),
    destinations: destinationsSchema.default('known'),
    reads: z.enum(['leaks', 'off']).default('leaks'),
    known: z.array(configuredDestinationSchema).default([]),
  }),
  /** Paths and package names; plug-in objects cannot be saved. */
  plugins: z.array(z.string()),
  hadPluginObjects: z.boolean(),
});

/** The saved settings, by key in the config file. */
export const protectiveSettings = ['enabled', 'approvals.mode', 'approvals.timeout', 'approvals.clientTimeout'];

const savedFile = (dataDir: string) => join(dataDir, 'last-good-config.json');

/** Saves the protective part of a good config. Never fails, so that a full disk does not prevent a reload. */
export async function saveLastGoodConfig(dataDir: string, file: string, config: Config): Promise<void> {
  const { enabled, toolRules, sources, approvals } = config;
  const plugins = config.plugins.filter((plugin): plugin is string => typeof plugin === 'string');
  const hadPluginObjects = plugins.length < config.plugins.length;
  const saved = { file, enabled, toolRules, sources, approvals, plugins, hadPluginObjects };
  const text = `${JSON.stringify(saved satisfies Saved, null, 2)}\n`;
  if ((await readText(savedFile(dataDir))) === text) return;
  await writeFileAtomic(savedFile(dataDir), text, { mode: 0o600 }).catch(() => undefined);
}

type Saved = z.infer<typeof savedSchema>;

/** Returns the protective part of the last good config; undefined if none was saved. */
export async function readSavedConfig(dataDir: string): Promise<Saved | undefined> {
  try {
    return savedSchema.parse(JSON.parse((await readText(savedFile(dataDir))) ?? ''));
  } catch {
    return undefined;
  }
}

/** Returns `now` as it would be with the saved rules and settings. */
export function withSaved({ enabled, toolRules, sources, approvals, plugins }: Saved, now: Config): Config {
  return { ...now, enabled, toolRules, sources, approvals, plugins };
}

/** Returns `defaults` with the protective part of the last good version of `file`; undefined if `saved` is of another file. */
export function lastGoodConfig(saved: Saved | undefined, file: string, defaults: Config): Config | undefined {
  if (saved?.file !== file) return undefined;
  // A plug-in may restrict access. Without it, offer nothing until the file is fixed.
  return withSaved({ ...saved, enabled: saved.enabled && !saved.hadPluginObjects }, defaults);
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
