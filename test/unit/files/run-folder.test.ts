/** The folders of one process, and what is never removed with them. */
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  cacheFolderOf,
  createRunFolder,
  removeRunFolder,
  runFolderOf,
} from '../../../electron/core/files/run-folder.ts';

/** No process has this number. */
const dead = 4_194_301;

/** A data folder, the user's documents, and the shared temporary folder. */
function places() {
  const all = mkdtempSync(join(tmpdir(), 'toolkeep-run-'));
  onTestFinished(() => rmSync(all, { recursive: true, force: true }));
  const [dataDir, documents, shared] = ['data', 'documents', 'shared'].map((name) => join(all, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [dataDir, documents, shared]) mkdirSync(folder);
  writeFileSync(join(documents, 'letter'), 'mine');
  vi.stubEnv('TMPDIR', shared).stubEnv('TEMP', shared);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { dataDir, documents, shared };
}

const onUnix = process.platform === 'win32' ? it.skip : it;

describe('A folder of this process', () => {
  it('is in the data folder, and no other user can enter it', async () => {
    const { dataDir, shared } = places();
    const folder = await createRunFolder(runFolderOf({ dataDir }), 'proxy');
    expect(folder.startsWith(join(dataDir, 'run', 'proxy', `${process.pid}-`))).toBe(true);
    if (process.platform !== 'win32')
      for (const one of [folder, join(folder, '..'), join(dataDir, 'run')]) expect(statSync(one).mode & 0o077).toBe(0);
    expect(readdirSync(shared)).toEqual([]);
    await removeRunFolder(folder);
    expect(existsSync(folder)).toBe(false);
  });

  onUnix('is created without following or removing what others have put into the shared temporary folder', async () => {
    const { dataDir, documents, shared } = places();
    const planted = ['toolkeep-proxy', 'toolkeep-results', 'proxy', 'results'].map((name) =>
      join(shared, `${name}-${dead}-evil`),
    );
    for (const folder of planted) {
      mkdirSync(folder);
      symlinkSync(documents, join(folder, 'link'));
    }
    for (const kind of ['proxy', 'results'] as const) await createRunFolder(runFolderOf({ dataDir }), kind);
    expect(planted.filter(existsSync)).toEqual(planted);
    expect(readdirSync(documents)).toEqual(['letter']);
  });

  onUnix('is created only in a folder of the user, and a link of a killed process removes no other file', async () => {
    const { dataDir, documents } = places();
    mkdirSync(join(dataDir, 'run/proxy'), { recursive: true });
    symlinkSync(documents, join(dataDir, `run/proxy/${dead}-a`));
    mkdirSync(join(dataDir, `run/proxy/${dead}-b`));
    symlinkSync(documents, join(dataDir, `run/proxy/${dead}-b/link`));
    const folder = await createRunFolder(runFolderOf({ dataDir }), 'proxy');
    expect(readdirSync(join(folder, '..'))).toHaveLength(1);
    expect(readdirSync(documents)).toEqual(['letter']);
    symlinkSync(documents, join(dataDir, 'run/results'));
    mkdirSync(join(documents, `${dead}-c`));
    await expect(createRunFolder(runFolderOf({ dataDir }), 'results')).rejects.toThrow('is a link or a file');
    expect(readdirSync(documents)).toEqual([`${dead}-c`, 'letter']);
    if (process.getuid?.() !== 0) return;
    chownSync(join(dataDir, 'run/proxy'), 65_534, 65_534);
    mkdirSync(join(dataDir, `run/proxy/${dead}-d`));
    await expect(createRunFolder(runFolderOf({ dataDir }), 'proxy')).rejects.toThrow('belongs to another user');
    expect(existsSync(join(dataDir, `run/proxy/${dead}-d`))).toBe(true);
  });

  it('is outside of the data folder if agents open its files', () => {
    const on = (platform: NodeJS.Platform, env = {}) => cacheFolderOf({ homeDir: '/home/ann', platform, env });
    expect(on('linux')).toBe('/home/ann/.cache/toolkeep');
    expect(on('linux', { XDG_CACHE_HOME: '/cache' })).toBe('/cache/toolkeep');
    expect(on('darwin')).toBe('/home/ann/Library/Caches/toolkeep');
    expect(on('win32', { LOCALAPPDATA: '/local' })).toBe('/local/toolkeep');
  });
});
