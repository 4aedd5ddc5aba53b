/** Saving binary results to files, also when their folder is gone or cannot be written. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createSavedFiles } from '../../../electron/core/calls/saved-files.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';

const bytes = Buffer.alloc(6_000, 'PNG data 1');
const data = bytes.toString('base64');
const blocks = [
  { type: 'audio', data, mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'x://y', blob: data, mimeType: 'application/pdf' } },
  { type: 'text', text: `before data:image/png;base64,${data} after` },
];
let dataDir: string;
let parent: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolkeep-saved-'));
  parent = join(dataDir, '.cache', 'toolkeep', 'results');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
});

function open() {
  const files = createSavedFiles({ homeDir: dataDir, platform: 'linux', env: {} });
  onTestFinished(() => files.close());
  const paths = async () =>
    (await files.withoutBinary(blocks, 1_000))
      .filter(({ type }) => type === 'resource_link')
      .map(({ uri }) => fileURLToPath(String(uri)));
  return { ...files, paths };
}

describe('Files of binary results', () => {
  it('are in a private folder, which is removed at the end', async () => {
    const { paths, close } = open();
    const saved = await paths();
    expect(saved.map((path) => readFileSync(path))).toEqual([bytes, bytes, bytes]);
    const folder = dirname(saved[0] ?? '');
    expect(dirname(folder)).toBe(parent);
    expectMode(folder, 0o700);
    await close();
    expect(readdirSync(parent)).toEqual([]);
  });

  it('are still saved after the folder was removed', async () => {
    const { paths } = open();
    const [first = ''] = await paths();
    rmSync(dirname(first), { recursive: true });
    const saved = await Promise.all([paths(), paths()]);
    expect(saved.flat().map((path) => readFileSync(path))).toEqual(Array.from({ length: 6 }, () => bytes));
    expect(readdirSync(parent)).toHaveLength(1);
  });

  it('stay in the result while there is no folder for them, and are saved as soon as there is one', async () => {
    const { withoutBinary, paths } = open();
    mkdirSync(join(parent, '..'), { recursive: true });
    writeFileSync(parent, 'not a folder');
    expect(await withoutBinary(blocks, 1_000)).toBe(blocks);
    rmSync(parent);
    expect(await paths()).toHaveLength(3);
  });

  it('stay in the result if they cannot be written, and closing still succeeds', async () => {
    const { withoutBinary, paths, close } = open();
    const [first = ''] = await paths();
    rmSync(dirname(first), { recursive: true });
    writeFileSync(dirname(first), 'not a folder');
    expect(await withoutBinary(blocks, 1_000)).toBe(blocks);
    await close();
    const other = open();
    rmSync(parent, { recursive: true });
    writeFileSync(parent, 'not a folder');
    await other.withoutBinary(blocks, 1_000);
    await expect(other.close()).resolves.toBeUndefined();
  });

  it('of a killed process are removed, and those of a running one are not', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const [left, used] = [pid, process.ppid].map((owner) => join(parent, `${owner}-x`));
    for (const folder of [left, used]) mkdirSync(folder ?? '', { recursive: true });
    await open().paths();
    expect([left, used].map((folder) => existsSync(folder ?? ''))).toEqual([false, true]);
  });
});
