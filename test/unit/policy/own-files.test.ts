/** Arguments that name Toolkeep's own files or address, however they are written. */
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { createOwnFiles } from '../../../electron/core/policy/own-files.ts';

const homeDir = realpathSync(mkdtempSync(join(tmpdir(), 'toolkeep-own-')));
const dataDir = join(homeDir, 'state', 'gh');
const passphraseFile = join(homeDir, 'unlock');
const project = join(homeDir, 'project');
for (const folder of [join(dataDir, 'run'), join(project, 'src')]) mkdirSync(folder, { recursive: true });
writeFileSync(passphraseFile, 'x');
writeFileSync(join(dataDir, 'run', 'core.json'), 'x');
writeFileSync(join(dataDir, 'run', 'core.key'), 'x');
const hardLink = join(project, 'second-name');
linkSync(join(dataDir, 'run', 'core.key'), hardLink);
writeFileSync(join(project, 'one-name'), 'x');
linkSync(join(project, 'one-name'), join(project, 'other-name'));
symlinkSync(join(homeDir, 'state'), join(project, 'link'));
symlinkSync(join(dataDir, 'run', 'core.key'), join(project, 'notes.txt'));
symlinkSync(dataDir, join(project, 'a:b'));
symlinkSync(join(homeDir, 'state'), join(project, 'x\ny'));
symlinkSync(join(dataDir, 'config.json'), join(project, 'cfg '));
const clone = join(homeDir, 'elsewhere', 'clone');
mkdirSync(clone, { recursive: true });
symlinkSync(dataDir, join(clone, 'docs'));
symlinkSync(join(dataDir, 'config.yaml'), join(project, 'new.yaml'));
symlinkSync('new.yaml', join(project, 'newer.yaml'));
symlinkSync('link/gh/missing/x', join(project, 'deep.yaml'));
symlinkSync('around.yaml', join(project, 'around.yaml'));
symlinkSync(join(project, 'nowhere/x'), join(project, 'nothing'));
symlinkSync(tmpdir(), join(project, 'out'));
// The user's configuration may be in another folder.
const dotfiles = join(homeDir, 'dotfiles');
mkdirSync(dotfiles);
symlinkSync(join(dotfiles, 'gh.json'), join(dataDir, 'config.json'));
const root = join(homeDir, 'opened');
mkdirSync(root);
symlinkSync(dataDir, join(root, 'data'));
afterAll(() => rmSync(homeDir, { recursive: true }));

const env = { TOOLKEEP_PASSPHRASE_FILE: passphraseFile };
const host = { dataDir, homeDir, platform: process.platform, env };
const ownFiles = createOwnFiles(
  host,
  () => 41_207,
  () => ['~/project', '/missing'],
);
const reason = (args: Record<string, unknown>) => ownFiles.reasonToAsk(args);
/** A call of a tool of this server, for a client with these folders. */
const called = (server: string, properties = {}, foldersOfCaller = async (): Promise<string[]> => []) => ({
  tool: { server, inputSchema: { properties } },
  foldersOfCaller,
});

test.each([
  ['the folder', { path: dataDir }],
  ['a file in it', { path: join(dataDir, 'run/core.json') }],
  ['a file of the usual folder', { path: '~/.toolkeep/config.json' }],
  ['the usual folder in a command', { command: 'cp evil.yaml "$HOME/.toolkeep/config.yaml"' }],
  ['the usual folder in another case', { path: '/home/me/.Toolkeep/settings.json' }],
  ['the folder in an address', { uri: pathToFileURL(join(dataDir, 'settings.json')).href }],
  ['the variable with the folder', { path: '$TOOLKEEP_HOME/run/core.json' }],
  ['the variable with the folder in a command', { command: 'type %toolkeep_home%\\settings.json' }],
  ['another name of a file in it', { path: hardLink }],
  ['the environment of Core', { path: `/proc/${process.pid}/environ` }],
  ['the open files of Core in a command', { command: `cat /proc/${process.pid}/fd/20` }],
  ["a search for Core's key in a folder above it", { path: homeDir, pattern: '**/core.key' }],
  ['a name escaped as in HTML', { path: '/home/me/&#46;toolkeep/settings.json' }],
  ['a name escaped as in HTML with a hexadecimal number', { path: '/home/me/&#x2E;toolkeep/settings.json' }],
  ['a name with a full-width period', { path: '/home/me/．toolkeep/settings.json' }],
  ['a name with an octal escape', { code: "open('/home/me/\\056toolkeep/settings.json')" }],
  ['a name with an octal letter', { code: "open('/home/me/.\\164oolkeep/settings.json')" }],
  ['an escaped name', { uri: 'file:///home/me/%2etoolkeep/run/core.json' }],
  ['an escaped name after a broken escape', { uri: '/%zz/home/me/%2Etool%6Beep/x' }],
  ['a name escaped as in JSON', { params: '{"path":"/home/me/.toolkee\\u0070/run/core.json"}' }],
  ['a name escaped as in code', { code: "open('/home/me/.tool\\x6beep/run/core.json')" }],
  ['a path that servers complete', { path: 'state/gh/settings.json' }],
  ['a link after a blank', { path: ` ${join(project, 'link/gh/settings.json')}` }],
  ['a path from the home folder', { path: '~/state/gh/settings.json' }],
  ['a way around', { path: join(project, 'src/../../state/gh/settings.json') }],
  ['a link', { path: join(project, 'link/gh/settings.json') }],
  ['a link by a path from the home folder', { path: 'project/link/gh/settings.json' }],
  ['a link by a path from the folder of a server', { path: './link/gh/settings.json' }],
  ['the name of a link', { path: 'notes.txt' }],
  ['the name of a link to a folder, with a colon', { path: 'a:b' }],
  ['a link whose name has a colon', { path: 'a:b/run/core.json' }],
  ['a link in a folder of the same call', { cwd: clone, path: 'docs/run/core.json' }],
  ['the name of a link in a folder of the same call', { root: '~/elsewhere/clone', options: { path: 'docs' } }],
  [
    'the name of a link among many words',
    { words: [...Array.from({ length: 9_000 }, (_, i) => `w${i}`), 'notes.txt'] },
  ],
  ['the name of a link among a few words', { words: ['a', 'notes.txt', 'b'], text: 'x'.repeat(300) }],
  ['the name of a link with a dot that Windows ignores', { path: 'notes.txt.' }],
  ['a link after many parts that lead nowhere', { path: `${project}/${'./'.repeat(2_100)}link/gh/x` }],
  ['a link after many separators', { path: `${project}${'/'.repeat(4_200)}link/gh/x` }],
  ['a relative path with many parts that lead nowhere', { path: `${'./'.repeat(2_100)}link/gh/x` }],
  ['a link after many ways around', { path: `${project}/${'a/../'.repeat(10_000)}link/gh/x` }],
  ['a path that is too long to check', { path: `${project}/${'a/../'.repeat(30_000)}link/gh/x` }],
  ['a link whose name has a line break', { path: join(project, 'x\ny/gh/x') }],
  ['a relative path through a link whose name has a line break', { path: 'x\ny/gh/x' }],
  ['the name of a link that ends with a blank', { path: 'cfg ' }],
  ['a path to a link that ends with a blank', { path: join(project, 'cfg ') }],
  ['a link and a way around', { path: 'src/../link/gh/../gh/settings.json' }],
  ['a path deep in the arguments', { edits: [{ to: [{ file: join(project, 'link/gh/x') }] }] }],
  ['a path as a key', { files: { [join(dataDir, 'config.json')]: '{}' } }],
  ['a link to a file that does not exist', { path: join(project, 'new.yaml') }],
  ['the name of a link to a file that does not exist', { path: 'new.yaml' }],
  ['a link to a link to a file that does not exist', { path: join(project, 'newer.yaml') }],
  ['a link through a link to a folder that does not exist', { path: join(project, 'deep.yaml') }],
  ['a file that does not exist, below a link', { path: join(project, 'link/gh/plugins/new/index.ts') }],
  ['a way around a folder that does not exist', { path: join(project, 'missing/../link/gh/run/core.json') }],
  ['a relative way around a folder that does not exist', { path: 'project/missing/../link/gh/run' }],
  ['a relative way around its first folder, which does not exist', { path: 'missing/../notes.txt' }],
  ['a way back over a link that leads elsewhere', { path: join(project, 'out/../notes.txt') }],
  ['where a link in the folder leads', { path: join(dotfiles, 'gh.json') }],
  ['an escaped escape', { uri: 'file:///home/me/%252etoolkeep/run/core.json' }],
  ['an escaped escape in JSON', { text: '"\\\\u002etoolkeep/run"' }],
  ['a link whose name is escaped', { path: join(project, 'l%69nk/gh/settings.json') }],
  ['a relative path to a link whose name is escaped', { path: 'project/l%69nk/gh/settings.json' }],
  ['a link by a variable', { path: '$HOME/project/link/gh/settings.json' }],
  ['a link by a variable in braces', { path: '${HOME}/project/link/gh/settings.json' }],
  ['a link by the name of the user', { path: `~${basename(homeDir)}/project/link/gh/settings.json` }],
  ['its name alone', { folder: homeDir, name: '.toolkeep' }],
  ['the file of the passphrase', { path: passphraseFile }],
])("Toolkeep's own path is recognized: %s", async (_what, args) => {
  expect(await reason(args)).toContain("Toolkeep's own files");
});

test.each([
  ['the name of a link', { path: 'data' }],
  ['a path through a link', { path: './data/config.yaml' }],
  ['a path around a missing folder', { path: 'missing/../data/config.yaml' }],
])('%s in a folder of the caller is recognized', async (_what, args) => {
  expect(await reason(args)).toBeUndefined();
  expect(
    await ownFiles.reasonToAsk(
      args,
      called('files', {}, async () => [root]),
    ),
  ).toContain("Toolkeep's own files");
});

test('A relative path is recognized if a folder of the caller belongs to Toolkeep', async () => {
  const inData = async () => [join(root, 'data')];
  expect(await ownFiles.reasonToAsk({ path: 'config.yaml' }, called('files', {}, inData))).toContain(
    "Toolkeep's own files",
  );
});

test('The folders of the caller are only read for relative paths', async () => {
  const asked = vi.fn(async () => [root]);
  await ownFiles.reasonToAsk({ path: join(project, 'src'), count: 1 }, called('files', {}, asked));
  expect(asked).not.toHaveBeenCalled();
});

test.each([
  ['with a tab that browsers ignore', { url: 'http://127.0.0.1:412\t07/' }],
  ['with a line break that browsers ignore', { url: 'http://127.0.0.1:\n41207/' }],
  ['after a control character that browsers ignore', { url: '\u0001http://127.0.0.1:412\t07/' }],
  ['with an encoded colon', { url: 'http://127.0.0.1%3A41207/' }],
  ['by number', { url: 'http://127.0.0.1:41207/#code=x' }],
  ['by name', { url: 'http://localhost:41207/mcp' }],
  ['by a name of its own', { url: 'http://127.0.0.1.nip.io:41207/' }],
  ['in a command', { command: 'curl -s localhost:41207/mcp' }],
  ['in parts', { host: '127.0.0.1', port: 41_207 }],
  ['in parts of text', { host: '127.0.0.1', port: ' 41207' }],
])("Toolkeep's own address is recognized %s", async (_how, args) => {
  expect(await reason(args)).toContain("Toolkeep's own address");
});

test.each([
  { path: join(project, 'src/a.ts') },
  { path: join(project, 'other-name') },
  { path: `/proc/${process.pid}0/environ` },
  { text: 'full．width and &#65;' },
  { path: homeDir },
  { path: join(project, 'missing/new.ts') },
  { path: join(project, 'nothing') },
  { path: join(project, 'around.yaml') },
  { path: join(dotfiles, 'other.json') },
  { path: 'project/src/a.ts' },
  { path: 'other/gh', text: 'and/or' },
  { url: 'https://example.toolkeep.dev/x' },
  { text: 'The toolkeep of the castle was built in 1207, at 12:41.' },
  { url: 'http://127.0.0.1:4120/' },
  { count: 41_207 },
  Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`option${i}`, i === 0 ? 'src' : `word${i}`])),
  {
    paths: Array.from({ length: 400 }, (_, i) => `/x/${i}`),
    files: Array.from({ length: 600 }, (_, i) => `./src/${i}`),
  },
  { cells: Array.from({ length: 9_000 }, (_, i) => `${i}/x`), words: Array.from({ length: 9_000 }, (_, i) => `w${i}`) },
  {},
])("Ordinary arguments are not recognized as Toolkeep's own (%$)", async (args) => {
  expect(await reason(args)).toBeUndefined();
});

test('The name of a parameter of the tool is not a path', async () => {
  const call = called('files', { 'notes.txt': {} });
  const isRecognized = async (args: object) => (await ownFiles.reasonToAsk({ arguments: args }, call)) !== undefined;
  expect(await isRecognized({ 'notes.txt': 'x' })).toBe(false);
  expect(await isRecognized({ 'notes.txt': 'notes.txt' })).toBe(true);
  expect(await isRecognized({ files: { 'notes.txt': 'x' } })).toBe(true);
  expect(await isRecognized({ 'a:b': 'x' })).toBe(true);
});

test('A path is relative to the folders of the server that is called', async () => {
  const folders = (server?: string) => (server === 'other' ? [] : ['~/project']);
  const { reasonToAsk } = createOwnFiles(host, () => undefined, folders);
  const args = { arguments: { path: 'notes.txt' } };
  expect(await reasonToAsk(args, called('files'))).toContain("Toolkeep's own files");
  expect(await reasonToAsk(args)).toContain("Toolkeep's own files");
  expect(await reasonToAsk(args, called('other'))).toBeUndefined();
});

test('A long string is searched completely, in overlapping slices', async () => {
  for (const before of [65_530, 131_000, 5_000_000])
    expect(await reason({ script: `${'x '.repeat(before / 2)}cat ~/.toolkeep/run/core.json` })).toContain(
      "Toolkeep's own files",
    );
  expect(await reason({ script: 'x '.repeat(100_000) })).toBeUndefined();
});

test('Arguments that cannot be checked need approval: too deep, or with too many paths', async () => {
  let deep: unknown = '/x';
  for (let i = 0; i < 100; i++) deep = [deep];
  expect(await reason({ deep })).toContain('too deeply');
  expect(await reason({ paths: Array.from({ length: 600 }, (_, i) => `/x/${i}`) })).toContain('600 paths');
  expect(await reason({ paths: Array.from({ length: 9_000 }, (_, i) => `src/${i}`) })).toContain('paths, too many');
});
