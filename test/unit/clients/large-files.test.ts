/**
 * Client files that are large, costly or hostile: read within a short time, or refused with one problem.
 *
 * @module-tag exhaustive
 */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planImport } from '../../../electron/core/clients/import/import.ts';
import { applyInstall, installStatus } from '../../../electron/core/clients/install/install.ts';
import { planInstall, planUninstall } from '../../../electron/core/clients/plan-install.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { brief, cursor, putIn, servers } from '../../fixtures/import-plan.ts';
import { longestTurn } from '../../fixtures/longest-turn.ts';

let host: TestHost;
beforeEach(() => {
  host = testHost({ platform: 'linux' });
});
afterEach(() => host.dispose());

const put = (path: string, content: unknown) => putIn(host.homeDir, path, content);

test('The servers in a 40 MB Claude Code file are found', async () => {
  const chats = Array.from({ length: 4000 }, (_, index) => ({ text: `${'x\\"}{[,'.repeat(1200)}${index}` }));
  put('.claude.json', {
    projects: {
      '/p': { history: chats, mcpServers: { p: { command: 'npx', args: ['p'] } }, disabledMcpServers: ['p'] },
      '/q': {},
    },
    mcpServers: { u: { command: 'npx', args: ['u', 'ü"\\'] } },
    last: 1,
  });
  const plan = await planImport(host, { known: [] });
  expect(brief(plan)).toEqual(['u new claude-code', 'p new claude-code']);
  expect(plan.entries[0]?.server.connection).toMatchObject({ args: ['u', 'ü"\\'] });
  expect(plan.entries[1]?.server.enabled).toBe(false);
});

test.each([
  [
    'cursor',
    '.cursor/mcp.json',
    `{"mcpServers":{}} // ${'x'.repeat(600_000)}`,
    'more than 512 KB, or with many keys, must be JSON',
  ],
  ['codex', '.codex/config.toml', `# ${'x'.repeat(600_000)}`, 'Toolkeep reads up to 128 KB of TOML'],
  ['goose', '.config/goose/config.yaml', `# ${'x'.repeat(60_000)}`, 'Toolkeep reads up to 48 KB of YAML'],
])(
  'A file of %s that would take too long to parse is refused by import and status',
  async (client, name, text, said) => {
    const file = put(name, text);
    const plan = await planImport(host, { known: [], sources: [client] });
    expect(plan.files.find((entry) => entry.file === file)?.problems[0]?.message).toContain(said);
    const status = (await installStatus(host)).find((one) => one.client === client);
    expect(status).toMatchObject({ file, state: 'unreadable', problem: { message: expect.stringContaining(said) } });
  },
);

test('Servers whose parsing would take too long are refused, in a file of any size', async () => {
  const entries = Array.from({ length: 100_000 }, (_, at) => `"s${at}":{"k${at}":{}}`);
  const file = put('.claude.json', `{"mcpServers":{${entries.join(',')}}}`);
  const plan = await planImport(host, { known: [] });
  expect(plan.entries).toEqual([]);
  expect(plan.files.find((entry) => entry.file === file)?.problems[0]?.message).toContain('more keys and values');
});

test('No name has invisible characters, with which it could look like another', async () => {
  const names = [
    'github',
    'git\u200bhub',
    '\u202egithub',
    'git\nhub\u001b',
    `${'x'.repeat(99)}😀`,
    '\u200b',
    '__proto__',
  ];
  const entries = names.map((name, at) => `${JSON.stringify(name)}:{"command":"npx","args":["${at}"]}`);
  put(cursor, `{"mcpServers":{${entries.join()}}}`);
  const found = (await planImport(host, { known: [] })).entries.map(({ server }) => server.name);
  const clean = ['github', 'github-2', 'github-3', 'github-4', 'x'.repeat(99), 'unnamed', '__proto__'];
  expect(found).toEqual(clean);
});

test('A string of megabytes in a file does not hold Core', async () => {
  put('.claude.json', `{"chat":"${'\\"'.repeat(10_000_000)}","mcpServers":{"u":{"command":"npx"}}}`);
  const { result, ms } = await longestTurn(() => planImport(host, { known: [], sources: ['claude-code'] }));
  expect(brief(result)).toEqual(['u new claude-code']);
  expect(ms).toBeLessThan(100);
});

test.each([
  ['5,001 equal sections', `{${'"mcpServers":{"a":{"command":"x"}},'.repeat(5_001)}"x":"${'x'.repeat(600_000)}"}`],
  ['a key of 100 KB', `{"${'x'.repeat(100_000)}":"${'x'.repeat(600_000)}","mcpServers":{"a":{"command":"x"}}}`],
  ['700,000 backslashes', `{"x":"${'\\'.repeat(700_000)}","mcpServers":{"a":{"command":"x"}}}`],
  ['a byte order mark', `\ufeff{"x":"${'x'.repeat(600_000)}","mcpServers":{"a":{"command":"x"}}}`],
])('A file with %s is read', async (_, text) => {
  put(cursor, text);
  expect(brief(await planImport(host, { known: [], sources: ['cursor'] }))).toEqual(['a new cursor']);
});

test('A file above 64 MB is refused in one sentence, and one of 60 MB does not hold Core', async () => {
  const file = put('.claude.json', `{"chat":"${'x'.repeat(66 * 1024 * 1024)}","mcpServers":{"u":{"command":"npx"}}}`);
  const { files } = await planImport(host, { known: [], sources: ['claude-code'] });
  const problems = files.find((entry) => entry.file === file)?.problems.map(({ message }) => message);
  expect(problems).toEqual([`${file} is 66 MB; the limit is 64 MB.`]);
  const chats = Array.from({ length: 400_000 }, (_, at) => ({ at, text: 'x'.repeat(120) }));
  put('.claude.json', { chats, mcpServers: { u: { command: 'npx' } } });
  const { result, ms } = await longestTurn(() => planImport(host, { known: [], sources: ['claude-code'] }));
  expect(brief(result)).toEqual(['u new claude-code']);
  expect(ms).toBeLessThan(50);
});

test.each([
  ['too many levels', `{"mcpServers":${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}}`],
  ['twenty million lists', `{"a":[${'[],'.repeat(20_000_000)}0],"mcpServers":{}}`],
  ['bytes that are not text', Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(600_000, 0xff), Buffer.from('"}')])],
  ['an error at each character', `{"mcpServers":[${','.repeat(500_000)}`],
])('A file with %s is reported once', async (_, text) => {
  const file = put(cursor, text);
  const { files, entries } = await planImport(host, { known: [], sources: ['cursor'] });
  expect(entries).toEqual([]);
  expect(files.find((entry) => entry.file === file)?.problems).toHaveLength(1);
});

test('Only some of many equal keys are reported, and a huge entry is shown but not imported', async () => {
  const huge = `"huge":{"command":"npx","args":["${'x'.repeat(70_000)}"]}`;
  const file = put(cursor, `{"mcpServers":{${'"same":{"command":"npx"},'.repeat(5_000)}${huge}}}`);
  const plan = await planImport(host, { known: [] });
  expect(brief(plan)).toEqual(['same new cursor', 'huge unusable cursor']);
  expect(plan.files.find((entry) => entry.file === file)?.problems).toHaveLength(20);
});

test('A tool that a large file disables stays disabled', async () => {
  const permissions = { deny: ['mcp__a__rm'] };
  put('.claude.json', servers({ a: { command: 'npx' } }));
  put('.claude/settings.json', { permissions, more: 'x'.repeat(600_000) });
  put('.gemini/settings.json', {
    ...servers({ b: { command: 'npx', args: ['b'] } }),
    excludeTools: ['rm'],
    more: 'x'.repeat(600_000),
  });
  const plan = await planImport(host, { known: [] });
  expect(brief(plan)).toEqual(['a new claude-code', 'b new gemini-cli']);
  for (const { server } of plan.entries) expect(JSON.stringify(server.disabledTools)).toContain('rm');
});

test('Toolkeep is installed in a file of megabytes, found there and removed', async () => {
  const history = Array.from({ length: 20_000 }, (_, at) => ({ display: `prompt ${at} ${'x'.repeat(100)}` }));
  const before = JSON.stringify({ history, mcpServers: {} }, null, 2);
  const file = put('.claude.json', before);
  await applyInstall(host, await planInstall(host, 'claude-code', {}));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ history, mcpServers: { toolkeep: {} } });
  const state = async () => (await installStatus(host)).find(({ client }) => client === 'claude-code')?.state;
  expect(await state()).toBe('installed');
  await applyInstall(host, await planUninstall(host, 'claude-code'));
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(await state()).toBe('absent');
});
