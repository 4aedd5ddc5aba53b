/** Kills the product at every step of a command, and checks what the next start finds. */
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { createCore } from '../../electron/core/core.ts';
import { openVault } from '../../electron/core/secrets/vault.ts';
import { createNodeHost } from '../../electron/host/host.ts';
import '../fixtures/cheap-passphrase.cjs';
import { killedCode, newProduct, type Product } from './product.ts';

const fixtures = join(import.meta.dirname, '../fixtures');
const killer = join(fixtures, 'kill-at.cjs');
const cheapPassphrase = `--require ${join(fixtures, 'cheap-passphrase.cjs')}`;

/** A product whose vault is sealed with a passphrase. */
export function newSealedProduct(): Product {
  const product = newProduct();
  product.file('passphrase', 'for this test');
  chmodSync(join(product.home, 'passphrase'), 0o600);
  product.env.TOOLKEEP_PASSPHRASE_FILE = join(product.home, 'passphrase');
  product.env.NODE_OPTIONS = cheapPassphrase;
  return product;
}

export const dataOf = ({ home }: Product) => join(home, '.toolkeep');

/** Starts Core on the product's data in this process, as the next command would. */
export async function nextStart(product: Product) {
  const host = await createNodeHost({ env: product.env, onDemand: true });
  const core = await createCore(host);
  const installed = await core.handlers['registry.installed']();
  await core.close();
  const vault = await openVault({ dataDir: dataOf(product), sealer: host.sealer, log: host.log });
  const secrets: Record<string, string> = Object.fromEntries(await vault.reveal(vault.names()));
  host.release();
  return { installed, secrets };
}

/** Runs `toolkeep …` and kills it instead of change number `at` to the matching `files`. */
async function runKilled(product: Product, at: number, files: string, words: string[]): Promise<number> {
  const { env } = product;
  const options = env.NODE_OPTIONS;
  Object.assign(env, {
    NODE_OPTIONS: `${options} --require ${killer}`,
    TOOLKEEP_KILL_AT: String(at),
    TOOLKEEP_KILL_FILES: files,
  });
  const { code, stderr } = await product.cli(...words);
  Object.assign(env, { NODE_OPTIONS: options });
  expect([0, killedCode], stderr).toContain(code);
  return code;
}

/** Resolves with the state after a kill at each step; the last state is that of a complete run. */
export async function statesOf<T>(
  product: Product,
  { files, words, state }: { files: string; words: string[]; state(): Promise<T> },
): Promise<T[]> {
  const data = dataOf(product);
  const before = join(product.home, 'before');
  cpSync(data, before, { recursive: true });
  const states: T[] = [];
  for (let step = 1; ; step += 1) {
    const code = await runKilled(product, step, files, words);
    states.push(await state());
    if (code === 0) break;
    rmSync(data, { recursive: true });
    cpSync(before, data, { recursive: true });
  }
  rmSync(before, { recursive: true });
  return states;
}

/** Checks that the states are the old one up to some step, then the new one. Resolves with the numbers of both. */
export function expectSteps<T>(states: T[], before: T, after: T): { old: number; new: number } {
  const change = states.findIndex((state) => isDeepStrictEqual(state, after));
  expect(change, JSON.stringify(states.at(-1))).toBeGreaterThan(0);
  for (const state of states.slice(0, change)) expect(state).toEqual(before);
  for (const state of states.slice(change)) expect(state).toEqual(after);
  return { old: change, new: states.length - change };
}
