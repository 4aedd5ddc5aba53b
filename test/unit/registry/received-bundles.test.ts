/** Bundles that a page sends in parts. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createReceivedBundles } from '../../../electron/core/registry/received-bundles.ts';
import { limits } from '../../../shared/limits.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolkeep-received-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const part = (text: string) => Buffer.from(text);
const invalid = (message: string) => ({
  failure: { code: 'INPUT_INVALID', message: expect.stringContaining(message) },
});

it('Parts are joined in a file that only the user can read', async () => {
  const bundles = createReceivedBundles(folder);
  const { id } = await bundles.add(undefined, part('one '));
  const { file } = await bundles.add(id, part('two'));
  expect(readFileSync(file, 'utf8')).toBe('one two');
  expectMode(dirname(file), 0o700);
});

it('Files of an earlier Core are deleted at the start', async () => {
  const old = join(folder, 'bundles/.received/old.mcpb');
  mkdirSync(dirname(old), { recursive: true });
  writeFileSync(old, 'old');
  createReceivedBundles(folder);
  await expect.poll(() => existsSync(old)).toBe(false);
});

it('A bundle that is no longer needed is deleted, and no other file', async () => {
  const bundles = createReceivedBundles(folder);
  const { id, file } = await bundles.add(undefined, part('one'));
  const other = join(folder, 'other.mcpb');
  const beside = join(dirname(file), 'beside.mcpb');
  for (const name of [other, beside]) writeFileSync(name, 'x');
  for (const name of [other, beside, join(dirname(file), '../../other.mcpb'), file]) await bundles.remove(name);
  expect([other, beside, file].map((name) => existsSync(name))).toEqual([true, true, false]);
  await expect(bundles.add(id, part('two'))).rejects.toMatchObject(invalid('Choose its file again'));
});

it('All but the last four bundles are deleted, and accept no more parts', async () => {
  const bundles = createReceivedBundles(folder);
  const received = [];
  for (const text of ['1', '2', '3', '4', '5']) received.push(await bundles.add(undefined, part(text)));
  expect(received.map(({ file }) => existsSync(file))).toEqual([false, true, true, true, true]);
  await expect(bundles.add(received[0]?.id, part('6'))).rejects.toMatchObject(invalid('Choose its file again'));
  await expect(bundles.add('../../settings', part('6'))).rejects.toMatchObject(invalid('Choose its file again'));
});

it('A bundle that is too large is refused', async () => {
  const bundles = createReceivedBundles(folder);
  const huge = { length: limits.bundle.fileBytes + 1 } as Buffer;
  await expect(bundles.add(undefined, huge)).rejects.toMatchObject(invalid('larger than 512 MB'));
});

it('A bundle in use is deleted only after its last use, and not used again', async () => {
  const bundles = createReceivedBundles(folder);
  const { file } = await bundles.add(undefined, part('one'));
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const read = (when: Promise<void>) => bundles.use(file, () => when.then(() => readFileSync(file, 'utf8')));
  const uses = [read(first.promise), read(second.promise)];
  const removed = bundles.remove(file);
  first.resolve();
  await uses[0];
  await expect(read(Promise.resolve())).rejects.toMatchObject(invalid('Choose its file again'));
  second.resolve();
  expect(await Promise.all(uses)).toEqual(['one', 'one']);
  await removed;
  expect(existsSync(file)).toBe(false);
});

it('A bundle is deleted even if its use fails', async () => {
  const bundles = createReceivedBundles(folder);
  const { file } = await bundles.add(undefined, part('one'));
  const failed = bundles.use(file, () => Promise.reject(new Error('refused')));
  const removed = bundles.remove(file);
  await expect(failed).rejects.toThrow('refused');
  await removed;
  expect(existsSync(file)).toBe(false);
});
