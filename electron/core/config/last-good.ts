/**
 * Remembers on disk what of a config protects the person, so that a file that is broken when Gatehouse starts cannot lift
 * a rule. Servers are not kept: they may hold secrets, and a server that is missing does no harm.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { ruleSchema } from '../../../shared/model.ts';
import type { Config } from './schema.ts';

const keptSchema = z.object({
  file: z.string(),
  enabled: z.boolean(),
  toolRules: z.array(ruleSchema),
  sources: z.array(z.object({ type: z.string(), path: z.string() })),
  approvals: z.object({ mode: z.enum(['ask', 'never']), timeoutMs: z.number(), patienceMs: z.number() }),
  /** Paths and package names; plug-in objects cannot be kept. */
  plugins: z.array(z.string()),
  hadPluginObjects: z.boolean(),
});

/** The settings among them, as they are called in the file. */
export const keptSettings = ['enabled', 'approvals.mode', 'approvals.timeout', 'approvals.patience'];

const place = (dataDir: string) => join(dataDir, 'last-good-config.json');

/** Keeps the protective part of a good config. Does not fail: a full disk must not stop a reload. */
export async function keepConfig(dataDir: string, file: string, config: Config): Promise<void> {
  const { enabled, toolRules, sources, approvals } = config;
  const plugins = config.plugins.filter((plugin): plugin is string => typeof plugin === 'string');
  const hadPluginObjects = plugins.length < config.plugins.length;
  const kept = { file, enabled, toolRules, sources, approvals, plugins, hadPluginObjects };
  const text = `${JSON.stringify(kept satisfies z.infer<typeof keptSchema>, null, 2)}\n`;
  if ((await readText(place(dataDir))) === text) return;
  await writeFileAtomic(place(dataDir), text, { mode: 0o600 }).catch(() => undefined);
}

/** The protective part of the last good version of `file`, over `defaults`; undefined when none was kept. */
export async function recallConfig(dataDir: string, file: string, defaults: Config): Promise<Config | undefined> {
  let kept: z.infer<typeof keptSchema>;
  try {
    kept = keptSchema.parse(JSON.parse((await readText(place(dataDir))) ?? ''));
  } catch {
    return undefined;
  }
  if (kept.file !== file) return undefined;
  const { enabled, toolRules, sources, approvals, plugins, hadPluginObjects } = kept;
  // A plug-in may be what keeps tools from agents. Without it, nothing is offered until the file is mended.
  return { ...defaults, enabled: enabled && !hadPluginObjects, toolRules, sources, approvals, plugins };
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
