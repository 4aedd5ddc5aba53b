/** The import plan: several clients, equal servers, equal names, known servers, unreadable files. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planImport, readSource } from '../../../electron/core/clients/import/import.ts';
import { knownClients } from '../../../electron/core/clients/known-clients.ts';
import { planInstall } from '../../../electron/core/clients/plan-install.ts';
import { moveToVault, openVault } from '../../../electron/core/secrets/vault.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { serverConfigSchema } from '../../../shared/model/server.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { brief, claude, cursor, putIn, servers } from '../../fixtures/import-plan.ts';

let host: TestHost;
beforeEach(() => {
  host = testHost({ platform: 'linux' });
});
afterEach(() => host.dispose());

const put = (path: string, content: unknown) => putIn(host.homeDir, path, content);

test('The same server in two clients is one entry with two origins, regardless of its names', async () => {
  put(
    claude,
    servers({
      files: { command: 'npx', args: ['-y', 'fs', join(host.homeDir, 'x')], env: { K: 'v' } },
      web: { url: 'https://X.example:443/mcp/' },
    }),
  );
  put(
    cursor,
    servers({
      disk: { command: 'npx', args: ['fs', '~/x'], env: { K: '${V:-v}' } },
      web: { url: 'https://x.example/mcp' },
    }),
  );
  const plan = await planImport(host, { known: [] });
  expect(brief(plan)).toEqual(['files new claude-desktop+cursor', 'web new claude-desktop+cursor']);
  expect(plan.entries[0]?.notes).toContain('Also listed as "disk" (Cursor).');
});

test('Different servers with one name get unique names, and a note explains it', async () => {
  const first = put(claude, servers({ github: { command: 'npx', args: ['a'] } }));
  put(cursor, servers({ GitHub: { command: 'npx', args: ['b'] }, 'github-2': { command: 'npx', args: ['c'] } }));
  const plan = await planImport(host, { known: [] });
  const names = plan.entries.map(({ server }) => server.name);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
  expect(names.slice(0, 2)).toEqual(['github', 'GitHub-2']);
  expect(plan.entries[1]?.notes[0]).toBe(`Renamed from "GitHub": that name belongs to a different server in ${first}.`);
});

test('A server that Toolkeep already has is recognized, even with secrets in the vault and another name', async () => {
  put(
    claude,
    servers({
      github: { command: 'npx', args: ['gh', '--token', 'canary-1234'], env: { API_KEY: 'canary-5678' } },
      github2: { command: 'npx', args: ['gh'] },
    }),
  );
  const [entry] = (await planImport(host, { known: [] })).entries;
  const { server } = await moveToVault({ ...(entry?.server as ServerConfig), name: 'mine' }, await openVault(host));
  const plan = await planImport(host, { known: [server] });
  expect(brief(plan)).toEqual(['github known claude-desktop', 'github2 new claude-desktop']);
  expect(plan.entries[0]).toMatchObject({
    picked: false,
    notes: expect.arrayContaining(['Already in Toolkeep as "mine".']),
  });
});

test('A new server never gets the name of an existing one', async () => {
  put(claude, servers({ github: { command: 'npx', args: ['b'] } }));
  const known: ServerConfig = {
    name: 'GitHub',
    enabled: true,
    connection: { type: 'stdio', command: 'npx', args: ['a'], env: {} },
  };
  const plan = await planImport(host, { known: [known] });
  expect(plan.entries[0]?.server.name).toBe('github-2');
});

test('A server whose command is nowhere on this computer is marked, with the reason', async () => {
  put(
    claude,
    servers({
      here: { command: process.execPath, args: ['a.js'] },
      moved: { command: '/not/there', args: ['a'] },
      node: { command: '/not/there/npx', args: ['a'] },
      absent: { command: 'toolkeep-absent-command' },
      remote: { url: 'https://x.example/mcp' },
    }),
  );
  const { entries } = await planImport(host, { known: [] });
  expect(entries.map(({ missing }) => missing)).toEqual([
    undefined,
    '/not/there does not exist or is not executable.',
    '/not/there/npx does not exist or is not executable. Install Node.js from https://nodejs.org.',
    'toolkeep-absent-command is not installed.',
    undefined,
  ]);
  for (const { missing, notes } of entries) if (missing) expect(notes).toContain(missing);
});

test('A server that is enabled in only one client is imported as enabled', async () => {
  put(claude, servers({ a: { command: 'npx', args: ['a'], disabled: true } }));
  put(cursor, servers({ a: { command: 'npx', args: ['a'] } }));
  expect((await planImport(host, { known: [] })).entries[0]?.server.enabled).toBe(true);
});

test('A folder, a broken link and a circular link are at most reported as problems', async () => {
  mkdirSync(join(host.homeDir, cursor), { recursive: true });
  mkdirSync(join(host.homeDir, '.codeium/windsurf'), { recursive: true });
  symlinkSync('mcp_config.json', join(host.homeDir, '.codeium/windsurf/mcp_config.json'));
  mkdirSync(join(host.homeDir, '.lmstudio'));
  symlinkSync('/not/there', join(host.homeDir, '.lmstudio/mcp.json'));
  writeFileSync(join(host.homeDir, '.kiro'), 'a file where a folder should be');
  put(claude, servers({ a: { command: 'npx', args: ['a'] } }));
  const plan = await planImport(host, { known: [] });
  expect(brief(plan)).toEqual(['a new claude-desktop']);
  const messages = plan.files.flatMap(({ problems }) => problems.map(({ message }) => message));
  expect(messages).toHaveLength(2);
  expect(messages.sort().join()).toMatch(/is a symbolic link to itself.*is a folder/s);
});

/** Runs as another user, because root can read everything. */
async function unprivileged<T>(look: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return look();
  for (const folder of [dirname(host.homeDir), host.homeDir]) chmodSync(folder, 0o755);
  process.seteuid?.(65_534);
  try {
    return await look();
  } finally {
    process.seteuid?.(0);
  }
}

test('An unreadable file is reported, and the other files are imported', async () => {
  chmodSync(put(cursor, servers({})), 0o000);
  put(claude, servers({ a: { command: 'npx', args: ['a'] } }));
  const plan = await unprivileged(() => planImport(host, { known: [] }));
  expect(brief(plan)).toEqual(['a new claude-desktop']);
  expect(plan.files.find(({ source }) => source === 'cursor')?.problems[0]?.message).toContain(
    'cannot be read with your user account',
  );
});

test('Servers in a linked file are found', async () => {
  writeFileSync(join(host.homeDir, 'dotfile.json'), JSON.stringify(servers({ a: { command: 'npx', args: ['a'] } })));
  mkdirSync(join(host.homeDir, '.cursor'));
  symlinkSync('../dotfile.json', join(host.homeDir, cursor));
  expect(brief(await planImport(host, { known: [] }))).toEqual(['a new cursor']);
});

test('A broken large file is reported', async () => {
  const file = put('.claude.json', `{"mcpServers":{"u":{"command":"npx"}},"x":["${'y'.repeat(9_000_000)}`);
  const plan = await planImport(host, { known: [] });
  expect(plan.entries).toEqual([]);
  expect(plan.files.find((entry) => entry.file === file)?.problems).toHaveLength(1);
});

test('A command outside PATH is reported with its location', async () => {
  const bin = join(host.homeDir, '.nvm/versions/node/v22.1.0/bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'some-npx'), '#!/bin/sh\n', { mode: 0o755 });
  put(claude, servers({ a: { command: 'some-npx', args: ['a'] } }));
  const plan = await planImport({ ...host, env: { PATH: '/nonexistent' } }, { known: [] });
  expect(plan.entries[0]?.notes).toEqual([`some-npx is not on PATH; found at ${join(bin, 'some-npx')}.`]);
});

test('Only the given sources are read: client IDs or file paths; unknown names are reported', async () => {
  put(claude, servers({ a: { command: 'npx', args: ['a'] } }));
  put(cursor, servers({ b: { command: 'npx', args: ['b'] } }));
  const file = put('mine.toml', '[mcp_servers.c]\ncommand = "npx"\nargs = ["c"]\n');
  const plan = await planImport(host, { known: [], sources: ['cursor', file, 'curser'] });
  expect(brief(plan)).toEqual(['b new cursor', 'c new custom']);
  expect(plan.files.flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual(['CLIENT_UNKNOWN']);
});

test('Every entry is a valid server config with a unique, stable ID', async () => {
  put(
    claude,
    servers({
      a: { command: 'npx', args: ['a'] },
      b: null,
      c: { url: 'wss://x' },
      toolkeep: { command: 'toolkeep' },
    }),
  );
  const plan = await planImport(host, { known: [] });
  for (const { server } of plan.entries) expect(serverConfigSchema.safeParse(server).error).toBeUndefined();
  const ids = plan.entries.map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect((await planImport(host, { known: [] })).entries.map(({ id }) => id)).toEqual(ids);
  expect(plan.entries.map(({ state, picked }) => `${state} ${picked}`)).toEqual([
    'new true',
    'unusable false',
    'unusable false',
    'self false',
  ]);
  // Toolkeep is no server of the user.
  expect(plan.files.find(({ found }) => found)?.serverCount).toBe(3);
});

test('Notes and problems never contain a secret', async () => {
  const canary = 'canary-9x8y7z6w';
  put(
    claude,
    servers({
      a: {
        command: 'npx',
        args: ['--api-key', canary, `https://u:${canary}@x.example/?token=${canary}`],
        env: { TOKEN: canary },
      },
    }),
  );
  put(cursor, `{"mcpServers": {"b": {"env": {"TOKEN": "${canary}"`);
  put('.codex/config.toml', `[mcp_servers.b]\nenv = { TOKEN = "${canary}" \n`);
  put('.config/goose/config.yaml', `extensions:\n  a:\n\t token: ${canary}\n`);
  const plan = await planImport(host, { known: [] });
  expect(JSON.stringify([plan.files, plan.entries.map(({ notes }) => notes)])).not.toContain(canary);
  expect(plan.files.filter(({ problems }) => problems.length > 0)).toHaveLength(3);
});

test('Client IDs are unique, and paths depend on platform, home folder and environment', () => {
  const names = knownClients.flatMap(({ id, aliases }) => [id, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  const paths = (id: string, platform: NodeJS.Platform, env = {}) =>
    knownClients
      .find((source) => source.id === id)
      ?.locations({ platform, homeDir: '/h', cwd: '/w', env })
      .map(({ path }) => path);
  expect(paths('claude-desktop', 'darwin')).toEqual([
    '/h/Library/Application Support/Claude/claude_desktop_config.json',
  ]);
  expect(paths('claude-desktop', 'linux', { XDG_CONFIG_HOME: '/x' })).toEqual(['/x/Claude/claude_desktop_config.json']);
  expect(paths('claude-desktop', 'linux', { XDG_CONFIG_HOME: 'relative' })).toEqual([
    '/h/.config/Claude/claude_desktop_config.json',
  ]);
  expect(paths('claude-desktop', 'win32', { AppData: '/roaming', LocalAppData: '/local' })).toEqual([
    '/roaming/Claude/claude_desktop_config.json',
    '/local/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json',
  ]);
  expect(paths('claude-code', 'linux')).toEqual([
    '/h/.claude.json',
    '/w/.mcp.json',
    '/etc/claude-code/managed-mcp.json',
  ]);
  expect(paths('zed', 'darwin')?.[0]).toBe('/h/.config/zed/settings.json');
  expect(paths('codex', 'linux', { CODEX_HOME: '~/c' })?.[0]).toBe('/h/c/config.toml');
});

test('A server that only a folder lists is not preselected, and gives way to the names of the own servers', async () => {
  const cwd = join(host.homeDir, 'clone');
  const run = { command: 'sh', args: ['-c', 'evil'] };
  put('clone/.mcp.json', servers({ github: run, shared: { command: 'npx', args: ['shared'] } }));
  put(cursor, servers({ github: { command: 'npx', args: ['gh'] }, shared: { command: 'npx', args: ['shared'] } }));
  const machine = { ...host, cwd };
  const { entries } = await planImport(machine, { known: [] });
  const states = Object.fromEntries(entries.map(({ server, picked, folder }) => [server.name, { picked, folder }]));
  expect(states).toEqual({
    github: { picked: true, folder: undefined },
    shared: { picked: true, folder: undefined },
    'github-2': { picked: false, folder: cwd },
  });
  const evil = entries.find(({ folder }) => folder === cwd);
  expect(evil?.notes).toContain(`From the folder ${cwd}, not from your own files. Gets the minimal environment.`);
  const named = await planImport(machine, { known: [], sources: [join(cwd, '.mcp.json')] });
  expect(named.entries.map(({ picked }) => picked)).toEqual([true, true]);
  const ofClient = await planImport(machine, { known: [], sources: ['claude-code'] });
  expect(ofClient.entries.map(({ picked }) => picked)).toEqual([false, false]);
  const configured = await readSource(machine, { type: 'claude-code', path: '' });
  expect(configured).toMatchObject({ servers: [], problems: [] });
});

test("In the home folder, a file that is both the user's and the project's is read once", async () => {
  put(cursor, servers({ one: { command: 'one' } }));
  const plan = await planImport({ ...host, cwd: host.homeDir }, { known: [] });
  expect(plan.files.filter(({ source, found }) => source === 'cursor' && found)).toHaveLength(1);
  expect(brief(plan)).toEqual(['one new cursor']);
});

test('On Windows on ARM, where an update ends the bridge, the plan says to restart the client after updates', async () => {
  const bridge = { command: 'C:\\Toolkeep\\Toolkeep.exe', args: ['bridge.cjs'] };
  const onArm = { ...host, platform: 'win32' as const, bridge: { ...bridge, env: { ELECTRON_RUN_AS_NODE: '1' } } };
  expect((await planInstall(onArm, 'claude-code', {})).warnings).toEqual([
    'After each update of Toolkeep, restart Claude Code.',
  ]);
  expect((await planInstall({ ...onArm, bridge }, 'claude-code', {})).warnings).toEqual([]);
});
