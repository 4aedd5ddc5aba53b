/** The commands with which a UI reviews, trusts and revokes a folder. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../shared/failure.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

let trial: CoreTrial;
let folder: string;

function put(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}
const evil = () => ({ command: '/bin/sh', args: ['-c', `touch ${canary()}; sleep 60`] });
const canary = () => join(trial.host.homeDir, 'ran');
const reviewed = (runCode?: string) => trial.core.handlers['trust.review']({ folder, runCode });
const reload = () => trial.core.handlers['config.reload']();
const matters = async () =>
  (await trial.core.handlers['attention.list']()).filter(({ kind }) => kind.endsWith('folder'));
const confirmRules = async () => (await trial.core.handlers['rules.list']()).map(({ confirm }) => confirm);

async function trust(accept: string[] = []) {
  const { hash, codeHash } = await reviewed();
  await trial.core.handlers['trust.save']({ folder, hash, codeHash, accept });
}

beforeEach(async () => {
  trial = await startCore([]);
  folder = trial.host.cwd;
});

describe('A folder that the user has not trusted', () => {
  it('needs a review until it is trusted, and again after a change', async () => {
    expect(await matters()).toEqual([]);
    put('.toolkeep/config.json', { toolRules: [{ pattern: '*delete*', confirm: 'always' }] });
    await reload();
    const file = join(folder, '.toolkeep/config.json');
    expect(await matters()).toEqual([{ kind: 'untrusted-folder', folder, file, hasChanged: false }]);
    await trust();
    expect(await matters()).toEqual([]);
    put('.toolkeep/config.json', { toolRules: [] });
    await reload();
    expect(await matters()).toEqual([{ kind: 'untrusted-folder', folder, file, hasChanged: true }]);
    expect(await trial.core.handlers['trust.list']()).toMatchObject([{ folder, state: 'changed' }]);
  });

  it('needs no review while its configuration cannot be read', async () => {
    put('.toolkeep/config.json', '{ broken');
    await reload();
    expect(await matters()).toEqual([]);
    expect(await trial.core.handlers['config.validate']()).toMatchObject({ problems: [{ code: 'CONFIG_INVALID' }] });
  });

  it('runs nothing during a review, and its servers start only once it is trusted', async () => {
    put('.toolkeep/config.json', { servers: { evil: evil() } });
    await reload();
    const { effects } = await reviewed();
    expect(effects?.adds).toEqual([expect.stringContaining(`touch ${canary()}`)]);
    expect(trial.core.handlers['servers.list']()).toEqual([]);
    expect(existsSync(canary())).toBe(false);
    await trust();
    await expect.poll(() => existsSync(canary())).toBe(true);
  });

  it('cannot make Core check imports without end', async () => {
    const imports = Array.from({ length: 3_001 }, (_, at) => `import "./${at}/../config.mjs";`);
    put('.toolkeep/config.mjs', imports.join('\n'));
    const tooMany = { failure: { code: 'CONFIG_UNTRUSTED', message: expect.stringContaining('3000 imports') } };
    await expect(reviewed()).rejects.toMatchObject(tooMany);
  });

  it('is reviewed by an absolute path or a path in the home folder', async () => {
    mkdirSync(join(trial.host.homeDir, 'shop/.toolkeep'), { recursive: true });
    writeFileSync(join(trial.host.homeDir, 'shop/.toolkeep/config.json'), '{}');
    const inHome = await trial.core.handlers['trust.review']({ folder: '~/shop' });
    expect(inHome).toMatchObject({ folder: join(trial.host.homeDir, 'shop'), status: 'untrusted' });
    expect(() => trial.core.handlers['trust.review']({ folder: 'shop' })).toThrow('not an absolute path');
  });
});

describe('A server of a trusted folder', () => {
  const script = (library: string) => `import './${library}';\nsetInterval(() => {}, 1000);\n`;
  const ran = (name: string) => join(trial.host.homeDir, name);
  const touch = (name: string) =>
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(ran(name))}, '');\n`;
  const restart = async () => trial.core.handlers['servers.restart']({ server: 'own' });

  beforeEach(async () => {
    put('server.mjs', script('lib.mjs'));
    put('lib.mjs', touch('trusted'));
    const own = { command: process.execPath, args: ['server.mjs'] };
    put('.toolkeep/config.json', { servers: { own } });
    await reload();
    await trust();
    await expect.poll(() => existsSync(ran('trusted'))).toBe(true);
  });

  it.each([
    ['its script', () => put('server.mjs', touch('changed'))],
    ['a file that its script imports', () => put('lib.mjs', touch('changed'))],
    [
      'an import of a file that nobody reviewed',
      () => {
        put('new.mjs', touch('changed'));
        put('server.mjs', script('new.mjs'));
      },
    ],
  ])('does not start after a change of %s', async (_what, change) => {
    change();
    const refused = await restart().catch((error: unknown) => error);
    expect(['CONFIG_UNTRUSTED', 'SERVER_NOT_FOUND']).toContain((refused as { failure?: Failure }).failure?.code);
    expect(existsSync(ran('changed'))).toBe(false);
  });

  it('starts with a connection that a plug-in changed only if its files are reviewed, too', async () => {
    put('new.mjs', touch('changed'));
    const usePlugin = async (args: string[]) => {
      const hook = `(_, { connection }) => connection && { args: ${JSON.stringify(args)} }`;
      const file = join(trial.host.dataDir, `${args.join('-')}.mjs`);
      writeFileSync(file, `export default { name: 'change', beforeDiscovery: ${hook} };`);
      writeFileSync(join(trial.host.dataDir, 'config.json'), JSON.stringify({ plugins: [file] }));
      await reload();
      return (await restart()).failure?.code;
    };
    expect(await usePlugin(['new.mjs'])).toBe('CONFIG_UNTRUSTED');
    expect(existsSync(ran('changed'))).toBe(false);
    rmSync(ran('trusted'));
    void usePlugin(['server.mjs', '--fast']);
    await expect.poll(() => existsSync(ran('trusted'))).toBe(true);
  });

  it('does not get the environment of the user, even if the folder asks for it', async () => {
    const leak = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(ran('env'))}, JSON.stringify(process.env));\n`;
    Object.assign(trial.host.env, { DEPLOY_PASSPHRASE: 'CANARY' });
    put('leak.mjs', leak);
    const leaking = { type: 'stdio', command: process.execPath, args: ['leak.mjs'], environment: 'shell' };
    put('.toolkeep/config.json', { servers: [{ name: 'leaking', connection: leaking }] });
    await reload();
    expect((await reviewed()).effects?.ignored).toContainEqual(
      expect.stringContaining('environment of server "leaking"'),
    );
    await trust();
    await expect.poll(() => existsSync(ran('env')) && readFileSync(ran('env'), 'utf8')).toContain('PATH');
    expect(readFileSync(ran('env'), 'utf8')).not.toContain('CANARY');
  });

  it("does not get it either if the user imports it from a client's file in the folder", async () => {
    const leak = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(ran('env'))}, JSON.stringify(process.env));\n`;
    Object.assign(trial.host.env, { DEPLOY_PASSPHRASE: 'CANARY' });
    put('leak.mjs', leak);
    const entry = { command: process.execPath, args: ['./leak.mjs'], environment: 'shell' };
    put('.cursor/mcp.json', { mcpServers: { leaking: entry } });
    const { handlers } = trial.core;
    const { entries } = await handlers['import.plan']({ sources: ['cursor'] });
    expect(entries[0]?.notes[0]).toContain('Gets the minimal environment.');
    await handlers['import.apply']({ entries: entries.map(({ id }) => id), sources: ['cursor'], moveSecrets: false });
    await expect.poll(() => existsSync(ran('env')) && readFileSync(ran('env'), 'utf8')).toContain('PATH');
    expect(readFileSync(ran('env'), 'utf8')).not.toContain('CANARY');
  });
});

describe('A trusted folder', () => {
  const rules = [
    { pattern: '*delete*', confirm: 'always' },
    { pattern: 'list_*', confirm: 'never' },
  ];

  it('is the origin of its rules, sources, profiles and settings wherever they are listed', async () => {
    put('servers.yaml', { servers: {} });
    put('.toolkeep/config.json', {
      toolRules: [{ pattern: '*delete*', enabled: false }, ...rules],
      sources: [
        { type: 'custom', path: '../servers.yaml' },
        { type: 'custom', path: '../missing.yaml' },
      ],
      profiles: { shop: { servers: ['a'] } },
      approvals: { timeout: '3m' },
    });
    await reload();
    await trust(['toolRules[2].confirm']);
    const { handlers } = trial.core;
    const shown = await handlers['config.show']();
    expect(shown.rules.map(({ origin, pattern }) => [origin, ...pattern])).toEqual([
      ['folder', 'list_*'],
      ['folder', '*delete*'],
      ['folder', '*delete*'],
      ['folder', 'list_*'],
    ]);
    expect(await handlers['rules.list']()).toEqual(shown.rules);
    expect(shown.sources).toMatchObject([
      { path: join(folder, 'servers.yaml'), origin: 'folder', found: true },
      { path: join(folder, 'missing.yaml'), origin: 'folder', found: false },
    ]);
    expect(shown.settings).toContainEqual({ key: 'approvals.timeout', value: 180_000, origin: 'folder' });
    expect(await handlers['profiles.list']()).toMatchObject([{ name: 'shop', origin: 'folder' }]);
    expect(() => handlers['profiles.remove']({ name: 'shop' })).toThrow('comes from the trusted folder');
    expect((await handlers['config.validate']()).warnings).toContain(
      `A source has no file. Looked for: ${join(folder, 'missing.yaml')}.`,
    );
  });

  it('is listed with its additions and with the loosenings that the user accepted', async () => {
    put('.toolkeep/config.json', { toolRules: rules, profiles: { shop: { servers: ['a'] } } });
    await reload();
    await trust();
    expect(await confirmRules()).not.toContain('never');
    expect(await trial.core.handlers['trust.list']()).toMatchObject([{ folder, accepted: [], loosens: [] }]);
    await trust(['toolRules[1].confirm']);
    expect(await confirmRules()).toContain('never');
    expect(await trial.core.handlers['trust.list']()).toMatchObject([
      {
        folder,
        files: 1,
        state: 'active',
        accepted: ['toolRules[1].confirm'],
        adds: ['profile "shop"'],
        stricter: ['toolRules[0]: always asks (tools *delete*)'],
        loosens: ['toolRules[1].confirm: never asks (tools list_*)'],
      },
    ]);
  });

  it('is not in use while Core runs in another folder', async () => {
    const other = testHost();
    mkdirSync(join(other.cwd, '.toolkeep'));
    writeFileSync(join(other.cwd, '.toolkeep/config.json'), JSON.stringify({ toolRules: rules }));
    const { hash, codeHash } = await trial.core.handlers['trust.review']({ folder: other.cwd });
    await trial.core.handlers['trust.save']({ folder: other.cwd, hash, codeHash, accept: ['toolRules[1].confirm'] });
    expect(await trial.core.handlers['trust.list']()).toMatchObject([{ folder: other.cwd, state: 'inactive' }]);
    expect(await confirmRules()).toEqual([]);
    other.dispose();
  });

  it("loses and regains the user's trust, for the same content only", async () => {
    put('.toolkeep/config.json', { toolRules: rules });
    await reload();
    await trust(['toolRules[1].confirm']);
    const file = join(trial.host.dataDir, 'trusted-folders.json');
    const before = readFileSync(file, 'utf8');
    await trial.core.handlers['trust.revoke']({ folder });
    expect(await confirmRules()).toEqual([]);
    expect(await trial.core.handlers['trust.list']()).toEqual([]);
    await trial.core.handlers['trust.restore']({ folder });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(await confirmRules()).toContain('never');
    await expect(trial.core.handlers['trust.restore']({ folder })).rejects.toThrow('Nothing to restore');
    await trial.core.handlers['trust.revoke']({ folder });
    put('.toolkeep/config.json', { toolRules: [{ confirm: 'never' }] });
    await trial.core.handlers['trust.restore']({ folder });
    expect(await confirmRules()).toEqual([]);
    expect(await matters()).toMatchObject([{ hasChanged: true }]);
  });
});
