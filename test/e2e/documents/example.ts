/** Names a test by the example of the documents that it runs. */
import { test } from 'vitest';
import { examples } from './examples.ts';

/** `id`: the ID in the inventory. Each test passes a literal, so that the inventory's own test finds it. */
export function example(id: string, run: () => Promise<void>, timeoutMs = 30_000): void {
  const found = examples.find((one) => one.id === id);
  if (!found) throw new Error(`There is no example "${id}".`);
  test(`${id}: ${found.shows} → ${found.result}`, run, timeoutMs);
}
