/** The limits that a client's roots set, and the key that distinguishes sets of roots. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { firstFolder, isFileUri, isInsideRoots, rootsKey, rootsOf } from '../../../electron/core/servers/roots.ts';
import type { Client } from '../../../electron/core/types.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolkeep-roots-'));
const project = join(folder, 'project');
const roots = [{ uri: pathToFileURL(project).href }];
mkdirSync(join(project, 'src'), { recursive: true });
writeFileSync(join(folder, 'secret.txt'), 'secret');
symlinkSync(join(folder, 'secret.txt'), join(project, 'link'));
symlinkSync(folder, join(project, 'up'));
symlinkSync(project, join(folder, 'alias'));
afterAll(() => rmSync(folder, { recursive: true }));

const uri = (...path: string[]) => pathToFileURL(join(...path)).href;

test.each([
  ['the root itself', uri(project)],
  ['a file in it', uri(project, 'src', 'a.ts')],
  ['a file that does not exist yet', uri(project, 'new', 'deep.txt')],
  ['a file through a link to the root', uri(folder, 'alias', 'src')],
])('A client may read %s', async (_what, allowed) => {
  expect(await isInsideRoots(roots, allowed)).toBe(true);
});

test.each([
  ['a file beside the root', uri(folder, 'secret.txt')],
  ['a folder with the same prefix', `${uri(project)}-other/a`],
  ['a leading space', ` ${uri(folder, 'secret.txt')}`],
  ['upper case', uri(folder, 'secret.txt').replace('file:', 'FILE:')],
  ['encoded dots', `${uri(project)}/%2e%2e/secret.txt`],
  ['a link out of the root', uri(project, 'link')],
  ['a file through a linked folder', uri(project, 'up', 'secret.txt')],
  ['a new file through a linked folder', uri(project, 'up', 'new', 'x.txt')],
  ['another host', 'file://elsewhere/x'],
])('A client may not read outside its roots by %s', async (_what, refused) => {
  expect(isFileUri(refused)).toBe(true);
  expect(await isInsideRoots(roots, refused)).toBe(false);
});

test('Only files are restricted, in every form that a server may accept', () => {
  expect(['note://one', 'https://example.com/a', 'urn:x:y'].filter(isFileUri)).toEqual([]);
  expect(['file:/etc/passwd', '\tfile:///x', '/etc/passwd', '~/x', '../x'].every(isFileUri)).toBe(true);
});

test('Sets of roots do not depend on their order, and are never empty', () => {
  const [a, b] = [{ uri: 'file:///a' }, { uri: 'file:///b', name: 'B' }];
  expect(rootsKey([a, b])).toBe(rootsKey([b, a, b]));
  expect(rootsKey([a])).not.toBe(rootsKey([b]));
  expect([rootsKey(), rootsKey([])]).toEqual(['', '']);
  expect(firstFolder([{ uri: 'https://x' }, a, b])).toBe('/a');
});

test('A client is asked for its roots only if it declares them', async () => {
  const asked: string[] = [];
  const client = (capabilities: Record<string, unknown>, answer: unknown): Client => ({
    id: '1',
    name: 'client',
    identity: 'client',
    capabilities,
    scope: {},
    request: async (method) => {
      asked.push(method);
      return { roots: answer };
    },
  });
  const { signal } = new AbortController();
  expect(rootsOf(client({}, roots), signal)).toBeUndefined();
  expect(asked).toEqual([]);
  expect(await rootsOf(client({ roots: {} }, roots), signal)?.()).toEqual(roots);
  expect(await rootsOf(client({ roots: {} }, [null, {}, 7]), signal)?.()).toBeUndefined();
  expect(await rootsOf(client({ roots: {} }, 'all'), signal)?.()).toBeUndefined();
});
