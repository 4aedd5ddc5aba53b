/** Keeps the log and screenshots of an app under test in the folder `TOOLKEEP_ARTIFACTS`, for the artifacts of a job. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';

export async function keepArtifacts({ dataDir }: { dataDir: string }, browser: Browser | undefined): Promise<void> {
  const { TOOLKEEP_ARTIFACTS } = process.env;
  if (!TOOLKEEP_ARTIFACTS) return;
  const { currentTestName = 'after all' } = expect.getState();
  const name = `${currentTestName.replace(/[^a-z0-9]+/gi, '-').slice(0, 100)}-${Date.now()}`;
  const folder = join(TOOLKEEP_ARTIFACTS, name);
  mkdirSync(folder, { recursive: true });
  const logs = join(dataDir, 'logs');
  if (existsSync(logs)) cpSync(logs, join(folder, 'logs'), { recursive: true });
  const pages = browser?.contexts().flatMap((context) => context.pages()) ?? [];
  for (const [index, page] of pages.entries())
    await page.screenshot({ path: join(folder, `page-${index}.png`), timeout: 3_000 }).catch(() => undefined);
}
