/** The folders of confined servers when a server is removed, restored or renamed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  deleteRemovedFolders,
  keptFolder,
  renameKept,
  restoreKept,
  setKeptAside,
} from '../../../electron/core/servers/kept-folders.ts';
import { testHost } from '../../fixtures/host.ts';

function setUp(server: string) {
  const host = testHost();
  onTestFinished(host.dispose);
  const folder = keptFolder(server, host);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'data'), server);
  return { host, folder };
}
const dataIn = (folder: string) => (existsSync(folder) ? readFileSync(join(folder, 'data'), 'utf8') : undefined);

test("A removed server's folder comes back when the removal is undone", async () => {
  const { host, folder } = setUp('notes');
  await setKeptAside('notes', host);
  expect(dataIn(folder)).toBeUndefined();
  await restoreKept('notes', host);
  await deleteRemovedFolders(host);
  expect(dataIn(folder)).toBe('notes');
});

test("A removed server's folder is deleted at the next start, and no other", async () => {
  const { host } = setUp('notes');
  const other = keptFolder('other', host);
  mkdirSync(other);
  writeFileSync(join(other, 'data'), 'other');
  await setKeptAside('notes', host);
  await deleteRemovedFolders(host);
  await restoreKept('notes', host);
  expect([dataIn(keptFolder('notes', host)), dataIn(other)]).toEqual([undefined, 'other']);
});

test('A renamed server keeps its folder, and replaces one that a server of this name left', async () => {
  const { host } = setUp('notes');
  const to = keptFolder('memos', host);
  mkdirSync(to);
  writeFileSync(join(to, 'data'), 'old');
  await renameKept('notes', 'memos', host);
  expect([dataIn(to), dataIn(keptFolder('notes', host))]).toEqual(['notes', undefined]);
});
