/** Kills the product at every step of a command, and checks what the next start finds. */
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { openVault } from '../../electron/core/secrets/vault.ts';
import { createSealer } from '../../electron/host/sealer.ts';
import { killedCode, newProduct, type Product } from './product.ts';

const killer = join(import.meta.dirname, '../fixtures/kill-at.cjs');

/** A product whose vault is sealed with a passphrase. */
export function newSealedProduct(): Product {
  const product = newProduct();
  product.file('passphrase', 'for this test');
  chmodSync(join(product.home, 'passphrase'), 0o600);
  product.env.TOOLKEEP_PASSPHRASE_FILE = join(product.home, 'passphrase');
  return product;
}

export const dataOf = ({ home }: Product) => join(home, '.toolkeep');

export async function secretsOf(product: Product): Promise<Record<string, string>> {
  const dataDir = dataOf(product);
  const log = () => undefined;
  const vault = await openVault({ dataDir, sealer: await createSealer({ dataDir, env: product.env, log }), log });
  return Object.fromEntries(await vault.reveal(vault.names()));
}

/** Runs `toolkeep …` and kills it instead of change number `at` to the matching `files`. */
export async function runKilled(product: Product, at: number, files: string, words: string[]): Promise<number> {
  const env = { NODE_OPTIONS: `--require ${killer}`, TOOLKEEP_KILL_AT: String(at), TOOLKEEP_KILL_FILES: files };
  Object.assign(product.env, env);
  const { code, stderr } = await product.cli(...words);
  for (const one of Object.keys(env)) delete product.env[one];
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
