/** A Core with the library and another server, and requests of either era, for the tests of this folder. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { messagesIn } from '../servers/server-harness.ts';

const loose = z.looseObject({});
export const eras = ['legacy', 'modern'] as const;
export type Json = Record<string, unknown>;

export async function library(server: (typeof eras)[number] = 'legacy', more: { files?: boolean } = {}) {
  const host = testHost();
  onTestFinished(host.dispose);
  const log = join(host.homeDir, 'log');
  const files = join(host.homeDir, 'files');
  mkdirSync(files);
  writeFileSync(join(files, 'notes.txt'), 'notes');
  const command = commands.library(server, `log=${log}`, ...(more.files ? [`files=${files}`] : []));
  const t = await startCore([serverConfig('My Library', command), serverConfig('other', commands.misbehaving())], {
    host,
  });
  await eventually(() => t.view('My Library').promptCount > 0 && t.view('other').promptCount > 0, 'the lists');
  const asked = (method: string) => messagesIn(log).filter((message) => message.method === method);
  return { t, asked, files };
}

/** One request through a client of either era, with the unparsed response. */
export async function open(t: CoreTrial, era: (typeof eras)[number], capabilities: Json = {}) {
  if (era === 'legacy') {
    const client = await t.legacyClient(capabilities);
    return { ask: (method: string, params: Json = {}): Promise<Json> => client.request({ method, params }, loose) };
  }
  const client = await t.modernClient(capabilities);
  return { ask: (method: string, params: Json = {}): Promise<Json> => client.request({ method, params }, loose) };
}
