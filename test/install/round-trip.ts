/** One client's real file with given bytes, and the way in and out again as a person goes it: plan, apply, plan, apply. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeText, type Format } from '../../electron/core/import/import.ts';
import { meaning } from '../../electron/core/install/formats.ts';
import {
  applyInstall,
  clientFile,
  type InstallOptions,
  planInstall,
  planUninstall,
} from '../../electron/core/install/install.ts';
import { fileOf, targets } from '../../electron/core/install/targets.ts';
import type { TestHost } from '../fixtures/host.ts';

export const clientIds: string[] = targets.map(({ source }) => source.id);

/** The client's file, with these bytes in it. */
export async function putFile(host: TestHost, client: string, bytes: Buffer | string): Promise<string> {
  const { path } = await clientFile(host, client);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

export async function formatOf(host: TestHost, client: string): Promise<Format> {
  const target = targets.find(({ source }) => source.id === client);
  if (!target) throw new Error(`No such client: ${client}`);
  return (await fileOf(target, host)).format;
}

/** What the bytes mean, with the section of servers and the names in it. */
export function meaningOf(bytes: Buffer, format: Format): Record<string, unknown> {
  return JSON.parse(JSON.stringify(meaning(decodeText(bytes).text, format, 'f'))) as Record<string, unknown>;
}

/** Enters Gatehouse, whatever stands there; the bytes then. */
export async function install(host: TestHost, client: string, options: InstallOptions = {}): Promise<Buffer> {
  const plan = await planInstall(host, client, options);
  await applyInstall(host, plan);
  return readFileSync(plan.file);
}

/** Takes Gatehouse out again; the bytes then. */
export async function uninstall(host: TestHost, client: string): Promise<Buffer> {
  const plan = await planUninstall(host, client);
  await applyInstall(host, plan);
  return readFileSync(plan.file);
}
