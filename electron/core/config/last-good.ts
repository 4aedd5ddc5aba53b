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
  const text = `${JSON.stringify(saved satisfies z.infer<typeof savedSchema>, null, 2)}\n`;
  if ((await readText(savedFile(dataDir))) === text) return;
  await writeFileAtomic(savedFile(dataDir), text, { mode: 0o600 }).catch(() => undefined);
}

/** Returns `defaults` with the protective part of the last good version of `file`; undefined if none was saved. */
export async function readLastGoodConfig(dataDir: string, file: string, defaults: Config): Promise<Config | undefined> {
  let saved: z.infer<typeof savedSchema>;
  try {
    saved = savedSchema.parse(JSON.parse((await readText(savedFile(dataDir))) ?? ''));
  } catch {
    return undefined;
  }
  if (saved.file !== file) return undefined;
  const { enabled, toolRules, sources, approvals, plugins, hadPluginObjects } = saved;
  // A plug-in may restrict access. Without it, offer nothing until the file is fixed.
  return { ...defaults, enabled: enabled && !hadPluginObjects, toolRules, sources, approvals, plugins };
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
