/**
 * A newer bundle of an installed server is shown as an update, and reverted with one command.
 *
 * @module-tag exhaustive
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isNewer } from '../../../electron/core/registry/bundle/installed.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';
import { notesBundle } from '../../fixtures/notes-bundle.ts';
import { type NotesRelease, notesProgram } from '../../fixtures/notes-package.ts';
import { textOf } from '../servers/server-harness.ts';

const secret = 's3cret-of-the-user';
const find = { name: 'find_notes', description: 'Finds notes.' };
const place = { name: 'place', description: 'Reads its place.' };
const old: NotesRelease = { tools: [find, place] };

/** A Core with version 1.0.0 of the bundle, which runs. */
async function startInstalled() {
  const host = testHost();
  onTestFinished(() => host.dispose());
  const folder = join(host.homeDir, 'my notes');
  mkdirSync(folder);
  writeFileSync(join(folder, 'private.txt'), 'private');
  // These servers tell what they receive, so the installed version must not get stand-ins.
  const trial = await startCore([], { host, config: { sandbox: { newServers: 'off' } } });
  const { handlers } = trial.core;
  const open = (content: Buffer) => {
    const file = join(host.homeDir, 'notes.mcpb');
    writeFileSync(file, content);
    return file;
  };
  const first = { file: open(notesBundle('1.0.0', old)), inputs: { folder, token: secret } };
  const { hash = '' } = await handlers['bundle.plan'](first);
  await handlers['bundle.install']({ ...first, hash });
  await settled(trial, '1.0.0');
  return {
    trial,
    handlers,
    host,
    folder,
    plan: async (content: Buffer) => handlers['bundle.plan']({ file: open(content), inputs: {} }),
  };
}
const settled = (trial: CoreTrial, version: string) =>
  expect.poll(() => trial.view('notes'), { timeout: 20_000 }).toMatchObject({ status: 'ready', version });

describe('A newer bundle of an installed server', () => {
  it('is shown with what changes, installed, and undone with one command', async () => {
    const { trial, handlers, host, folder, plan } = await startInstalled();
    const theme = { type: 'string', title: 'Theme', description: 'x' };
    const next = notesBundle(
      '1.10.0',
      {
        tools: [place, { name: 'delete_notes', description: 'Deletes notes.' }],
      },
      { theme },
    );
    const { hash = '', changes, ...shown } = await plan(next);
    expect(shown).toMatchObject({ server: 'notes', replaces: '1.0.0', problems: {} });
    expect(shown.warnings).toContainEqual(expect.stringContaining('may come from another publisher'));
    expect(changes).toEqual([
      { what: 'command', before: expect.stringContaining('1.0.0-'), after: expect.stringContaining('1.10.0-') },
      { what: 'input', after: 'theme' },
    ]);
    const choice = { file: join(host.homeDir, 'notes.mcpb'), inputs: {}, hash };
    expect(await handlers['bundle.install'](choice)).toEqual({ server: 'notes' });
    await settled(trial, '1.10.0');
    const heldTools = async () =>
      (await handlers['tools.list']({ server: 'notes', sort: 'name' } as never)).flatMap(({ name, held }) =>
        held ? name : [],
      );
    await expect.poll(heldTools).toEqual(['delete_notes']);
    expect(await handlers['registry.installed']()).toMatchObject([
      { previous: '1.0.0', origin: { version: '1.10.0' } },
    ]);
    expect(host.store.get('servers')).toMatchObject([{ registry: { inputs: { folder } } }]);

    expect(await handlers['registry.revert']({ server: 'notes' })).toEqual({ version: '1.0.0' });
    await settled(trial, '1.0.0');
    expect(JSON.parse(textOf(await trial.call('notes', 'place')))).toMatchObject({
      token: secret,
      files: ['private.txt'],
    });
  }, 90_000);

  it('is installed even if its view was closed in the meantime', async () => {
    const { trial, handlers, host } = await startInstalled();
    const { file } = await handlers['bundle.receive']({ part: notesBundle('2.0.0', old).toString('base64') });
    const { hash = '' } = await handlers['bundle.plan']({ file, inputs: {} });
    const choice = { file, inputs: {}, hash };
    await Promise.all([handlers['bundle.install'](choice), handlers['bundle.discard'](choice)]);
    await expect((async () => handlers['bundle.plan'](choice))()).rejects.toMatchObject({
      failure: { code: 'INPUT_INVALID', message: expect.stringContaining('Choose its file again') },
    });
    await settled(trial, '2.0.0');
    expect(readdirSync(join(host.dataDir, 'bundles/.received'))).toEqual([]);
  }, 60_000);

  it('changes nothing if it is not what the user saw', async () => {
    const { handlers, host, plan } = await startInstalled();
    const { hash = '' } = await plan(notesBundle('2.0.0', old));
    const choice = { file: join(host.homeDir, 'notes.mcpb'), inputs: {}, hash };
    writeFileSync(choice.file, notesBundle('2.0.1', old));
    const refused = { failure: { code: 'INSTALL_REFUSED' } };
    await expect(handlers['bundle.install'](choice)).rejects.toMatchObject(refused);
    expect(
      existsSync(join(host.dataDir, 'bundles/.received')) && readdirSync(join(host.dataDir, 'bundles/.received')),
    ).toBe(false);
    expect(host.store.get('servers')).toMatchObject([{ registry: { version: '1.0.0' } }]);
  }, 60_000);

  it('is installed once if it is installed twice at the same time', async () => {
    const { trial, handlers, host, plan } = await startInstalled();
    const { hash = '' } = await plan(notesBundle('2.0.0', old));
    const choice = { file: join(host.homeDir, 'notes.mcpb'), inputs: {}, hash };
    const both = await Promise.allSettled([1, 2].map(async () => handlers['bundle.install'](choice)));
    expect(both).toMatchObject([
      { status: 'fulfilled', value: { server: 'notes' } },
      { status: 'rejected', reason: { failure: { code: 'INSTALL_REFUSED' } } },
    ]);
    await settled(trial, '2.0.0');
    expect(host.store.get('servers')).toMatchObject([{ previous: { registry: { version: '1.0.0' } } }]);
  }, 60_000);

  it('is not installed if its server is removed in the meantime, and leaves no folder and no secret', async () => {
    const { handlers, host, plan } = await startInstalled();
    const { hash = '' } = await plan(notesBundle('2.0.0', old));
    const choice = { file: join(host.homeDir, 'notes.mcpb'), inputs: { token: 'newer' }, hash };
    const seen = await handlers['bundle.plan'](choice);
    const results = await Promise.allSettled([
      (async () => handlers['bundle.install']({ ...choice, hash: seen.hash ?? '' }))(),
      (async () => handlers['servers.remove']({ server: 'notes' }))(),
    ]);
    expect(results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled' }]);
    expect(host.store.get('servers')).toEqual([]);
    expect((await handlers['secrets.list']()).secrets).toEqual([]);
    await expect
      .poll(() => readdirSync(join(host.dataDir, 'bundles/notes')))
      .toEqual([expect.stringMatching(/^1\.0\.0-/)]);
    await handlers['servers.restore']({ server: 'notes' });
    expect((await handlers['secrets.list']()).secrets).toMatchObject([{ name: 'notes/token', isSet: true }]);
  }, 60_000);

  it('warns a user without a keyring that an entered secret will be lost', async () => {
    const { handlers, host } = await startInstalled();
    const choice = { file: join(host.homeDir, 'notes.mcpb'), inputs: { token: 'newer' } };
    const { warnings } = await handlers['bundle.plan'](choice);
    expect(warnings).toContainEqual(expect.stringContaining('keeps secrets only until it quits'));
  }, 60_000);

  it('of the same or an earlier version is another server', async () => {
    const { plan } = await startInstalled();
    for (const version of ['1.0.0', '0.9.9', '1.0.0-beta']) {
      const { server, replaces } = await plan(notesBundle(version, old));
      expect([server, replaces]).toEqual(['notes-2', undefined]);
    }
  }, 60_000);
});

describe('The folder of a bundle', () => {
  const folders = (dataDir: string) =>
    readdirSync(join(dataDir, 'bundles/notes')).map((name) => name.replace(/-[a-f0-9]{32}$/, ''));

  it('stays while a server runs in it, can go back to it or can be restored, and is deleted otherwise', async () => {
    const { trial, handlers, host, plan } = await startInstalled();
    const update = async (version: string) => {
      const { hash = '' } = await plan(notesBundle(version, old));
      await handlers['bundle.install']({ file: join(host.homeDir, 'notes.mcpb'), inputs: {}, hash });
      await settled(trial, version);
    };
    await update('1.1.0');
    await expect.poll(() => folders(host.dataDir)).toEqual(['1.0.0', '1.1.0']);
    await update('1.2.0');
    await expect.poll(() => folders(host.dataDir)).toEqual(['1.1.0', '1.2.0']);
    await handlers['registry.revert']({ server: 'notes' });
    await settled(trial, '1.1.0');
    await expect.poll(() => folders(host.dataDir)).toEqual(['1.1.0']);

    await handlers['servers.remove']({ server: 'notes' });
    // Another installation deletes the folders that no server needs.
    const { hash = '' } = await plan(notesBundle('3.0.0', old));
    const inputs = { folder: host.homeDir, token: secret };
    const other = await handlers['bundle.plan']({ file: join(host.homeDir, 'notes.mcpb'), inputs });
    expect([hash, other.server]).toEqual(['', 'notes-2']);
    await handlers['bundle.install']({ file: join(host.homeDir, 'notes.mcpb'), inputs, hash: other.hash ?? '' });
    await expect.poll(() => folders(host.dataDir)).toEqual(['1.1.0', '3.0.0']);
    await handlers['servers.remove']({ server: 'notes-2' });
    await handlers['servers.restore']({ server: 'notes' });
    expect(JSON.parse(textOf(await trial.call('notes', 'place')))).toMatchObject({ token: secret });
  }, 90_000);

  it('with a missing file is complete once the bundle is installed again, and keeps the files that its server added', async () => {
    const { handlers, host } = await startInstalled();
    const file = join(host.homeDir, 'notes.mcpb');
    const [name = ''] = readdirSync(join(host.dataDir, 'bundles/notes'));
    const folder = join(host.dataDir, 'bundles/notes', name);
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data/notes.db'), 'kept');
    for (const damage of [
      () => rmSync(join(folder, 'notes.mjs')),
      () => writeFileSync(join(folder, 'notes.mjs'), notesProgram.replace('Reads ', 'reads ')),
    ]) {
      damage();
      const again = { file, inputs: { folder: host.homeDir, token: secret } };
      const { hash = '' } = await handlers['bundle.plan'](again);
      await handlers['bundle.install']({ ...again, hash });
      expect(readFileSync(join(folder, 'notes.mjs'), 'utf8')).toBe(notesProgram);
      expect(readFileSync(join(folder, 'data/notes.db'), 'utf8')).toBe('kept');
      await expect.poll(() => readdirSync(join(host.dataDir, 'bundles/notes'))).toEqual([name]);
    }
  }, 60_000);

  it('that no longer exists prevents a revert: the installed version stays', async () => {
    const { handlers, host, plan } = await startInstalled();
    const [first = ''] = readdirSync(join(host.dataDir, 'bundles/notes'));
    const { hash = '' } = await plan(notesBundle('2.0.0', old));
    await handlers['bundle.install']({ file: join(host.homeDir, 'notes.mcpb'), inputs: {}, hash });
    rmSync(join(host.dataDir, 'bundles/notes', first), { recursive: true });
    const revert = async () => handlers['registry.revert']({ server: 'notes' });
    const message = 'The files of notes 1.0.0 are gone.';
    await expect(revert()).rejects.toMatchObject({ failure: { code: 'INSTALL_REFUSED', message } });
    expect(host.store.get('servers')).toMatchObject([{ registry: { version: '2.0.0' } }]);
    await expect.poll(() => folders(host.dataDir)).toEqual(['2.0.0']);
  }, 60_000);

  it('is deleted if its server cannot be stored', async () => {
    const { handlers, host, plan } = await startInstalled();
    const { hash = '' } = await plan(notesBundle('2.0.0', old));
    rmSync(join(host.dataDir, 'registry'), { recursive: true });
    writeFileSync(join(host.dataDir, 'registry'), 'A file in the place of the folder.');
    const choice = { file: join(host.homeDir, 'notes.mcpb'), inputs: {}, hash };
    await expect(handlers['bundle.install'](choice)).rejects.toThrow();
    await expect.poll(() => folders(host.dataDir)).toEqual(['1.0.0']);
    expect(host.store.get('servers')).toMatchObject([{ registry: { version: '1.0.0' } }]);
  }, 60_000);

  it('is deleted at the next start if Core was killed, but only if it is one and no settings name it', async () => {
    const host = testHost();
    onTestFinished(() => host.dispose());
    const hash = 'a1'.repeat(16);
    const bundles = join(host.dataDir, 'bundles');
    const names = [`1.0.0-${hash}`, `2.0.0-${hash}`, `3.0.0-${hash}`, `4.0.0-${hash}`, '.tmp-1', 'my-notes'];
    for (const name of names) mkdirSync(join(bundles, 'notes', name, 'server'), { recursive: true });
    mkdirSync(join(bundles, 'gone/.tmp-2'), { recursive: true });
    mkdirSync(join(bundles, '.hidden', `1.0.0-${hash}`), { recursive: true });
    const connection = {
      type: 'stdio' as const,
      command: 'none',
      args: [join(bundles, 'notes', `1.0.0-${hash}`)],
      env: {},
    };
    const own: ServerConfig = { name: 'own', enabled: false, connection };
    writeFileSync(join(host.dataDir, 'settings.damaged-1.json'), `{"cwd":"…/2.0.0-${hash}`);
    const configured = {
      name: 'configured',
      enabled: false,
      connection: { ...connection, args: [`/3.0.0-${hash}/x`] },
    };
    const { core } = await startCore([own], { host, config: { servers: [configured] } });
    await core.close();
    expect(readdirSync(bundles)).toEqual(['.hidden', 'notes']);
    expect(readdirSync(join(bundles, 'notes')).sort()).toEqual([...names.slice(0, 3), 'my-notes']);
    expect(readdirSync(join(bundles, '.hidden'))).toHaveLength(1);
  }, 60_000);
});

it.each([
  ['1.10.0', '1.9.0'],
  ['2', '1.9.9.9'],
  ['v1.0.1', '1.0.0'],
  ['1.0.0', '1.0.0-rc.1'],
  ['1.0.0-rc.10', '1.0.0-rc.9'],
  ['b', 'a'],
])('Version %s is newer than %s, and not the other way round', (newer, older) => {
  expect([isNewer(newer, older), isNewer(older, newer), isNewer(newer, newer)]).toEqual([true, false, false]);
});
