/** Bundles: manifests of every version become exact commands, and hostile archives are refused before anything is written. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkNames } from '../../../electron/core/registry/bundle/entry-names.ts';
import { connectBundle, parseManifest } from '../../../electron/core/registry/bundle/manifest.ts';
import { openBundle, readZip, unpack } from '../../../electron/core/registry/bundle/zip.ts';
import { type BundleEnd, type BundleFile, manifestFile, zipOf } from '../../fixtures/bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolkeep-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** Opens and unpacks an archive; returns the folder. */
async function open(content: Buffer): Promise<string> {
  count += 1;
  const file = join(folder, `${count}.mcpb`);
  const target = join(folder, `unpacked-${count}`);
  writeFileSync(file, content);
  await using handle = await openBundle(file);
  await unpack(await readZip(handle), target);
  return target;
}

const ok: BundleFile = { name: 'manifest.json', content: '{}' };
const named = (...names: string[]): BundleFile[] => [ok, ...names.map((name) => ({ name, content: 'x' }))];
const longNames = Array.from({ length: 140 }, (_, index) => `${index}`.padEnd(60_000, 'x'));
const big = Buffer.alloc(2 * 1024 * 1024);

describe('An archive', () => {
  it('is unpacked with its folders, and only with the modes that servers need', async () => {
    const target = await open(
      zipOf([
        ok,
        { name: 'server/', mode: 0o40755 },
        { name: 'server/run.sh', content: '#!/bin/sh', mode: 0o104755 },
        { name: 'server/data.bin', content: big.subarray(0, 70_000), method: 0, mode: 0o100666 },
        { name: 'empty.txt' },
        { name: 'ünïcode/ﬁle.txt', content: 'text' },
      ]),
    );
    expect(readdirSync(target, { recursive: true }).sort()).toEqual(
      ['empty.txt', 'manifest.json', 'server', 'server/data.bin', 'server/run.sh', 'ünïcode', 'ünïcode/ﬁle.txt'].sort(),
    );
    expect(readFileSync(join(target, 'server/data.bin'))).toHaveLength(70_000);
    expect(statSync(join(target, 'server/run.sh')).mode & 0o7777).toBe(0o700);
    expect(statSync(join(target, 'server/data.bin')).mode & 0o7777).toBe(0o600);
  });

  it('that is followed by a signature is unpacked, whether or not its comment includes the signature', async () => {
    const tail = Buffer.concat([
      Buffer.from('MCPB_SIG_V1'),
      Buffer.from([3, 0, 0, 0, 1, 2, 3]),
      Buffer.from('MCPB_SIG_END'),
    ]);
    const signed = zipOf([ok], { after: tail });
    expect(readdirSync(await open(signed))).toEqual(['manifest.json']);
    const raised = Buffer.from(signed);
    raised.writeUInt16LE(tail.length, signed.length - tail.length - 2);
    expect(readdirSync(await open(raised))).toEqual(['manifest.json']);
  });

  const good = zipOf([ok]);
  it.each<[string, Buffer, string]>([
    ['is empty', Buffer.alloc(0), 'not a bundle'],
    ['is no archive', Buffer.from('<!doctype html>'), 'not a bundle'],
    ['ends too early', good.subarray(0, -5), 'not a bundle'],
    ['lacks its beginning', good.subarray(10), 'damaged'],
    ['has a beginning that is not its own', zipOf([ok], { before: '#!/bin/sh\n' }), 'damaged'],
    ['has an unknown tail', zipOf([ok], { after: 'tail' }), 'damaged'],
    ['has the end of a signature only', zipOf([ok], { after: 'MCPB_SIG_END' }), 'damaged'],
    ['is one of several parts', zipOf([ok], { disk: 1 }), 'damaged'],
    ['lists more entries than it has', zipOf([ok], { count: 2 }), 'damaged'],
    ['lists fewer entries than it has', zipOf([ok, { name: 'b' }], { count: 1 }), 'damaged'],
    ['has a list of files of more than 8 MB', zipOf(named(...longNames)), 'too many'],
    ['claims too many entries', zipOf([ok], { count: 65_535 }), 'too many'],
  ])('that %s is refused', async (_what, content, reason) => {
    await expect(open(content)).rejects.toThrow(reason);
  });

  it.each<[string, BundleFile[], string, BundleEnd?]>([
    ['a name that climbs out', named('../evil'), 'leads outside its folder'],
    ['a name that climbs out later', named('a/../../evil'), 'leads outside its folder'],
    ['a name that climbs in place', named('a/./b'), 'leads outside its folder'],
    ['an empty part in its name', named('a//b'), 'leads outside its folder'],
    ['an absolute name', named('/etc/passwd'), 'absolute'],
    ['a drive', named('C:/evil'), 'colon'],
    ['a stream', named('a.txt:evil'), 'colon'],
    ['a backslash', named('..\\evil'), 'backslash'],
    ['a NUL', named('a\0b'), 'control characters'],
    ['a newline', named('a\nb'), 'control characters'],
    ['a device', named('server/NUL.txt'), 'device'],
    ['another device', named('com1'), 'device'],
    ['a device with a superscript', named('LPT¹.log'), 'device'],
    ['a dot at its end', named('evil.'), 'dot or a space'],
    ['a space at its end', named('evil /a'), 'dot or a space'],
    ['a character that Windows forbids', named('a?b'), 'not valid on every system'],
    ['a folder that is too deep', named(`${'a/'.repeat(32)}b`), 'nested too deeply'],
    ['a long name', named('x'.repeat(300)), 'not valid on every system'],
    ['a name that is no text', [ok, { name: Buffer.from([0xff, 0xfe]) }], 'not valid text'],
    ['the same name twice', named('a', 'a'), 'same file'],
    ['names that differ in case', named('Index.js', 'index.js'), 'same file'],
    ['names that differ in composition', named('\u00e9', 'e\u0301'), 'same file'],
    ['a file that is also a folder', named('a', 'a/b'), 'file and a folder'],
    ['a folder and a file of one name', [ok, { name: 'a/', mode: 0o40755 }, { name: 'A', content: 'x' }], 'same file'],
    ['a symbolic link', [ok, { name: 'a', content: '/etc/passwd', mode: 0o120777 }], 'link'],
    ['a device node', [ok, { name: 'a', mode: 0o060644 }], 'not a file'],
    ['a named pipe', [ok, { name: 'a', mode: 0o010644 }], 'not a file'],
    ['an encrypted file', [ok, { name: 'a', content: 'x', flags: 0x801 }], 'encrypted'],
    ['an unknown compression', [ok, { name: 'a', content: 'x', method: 14 }], 'unknown compression method'],
    ['a file that grows too much', [ok, { name: 'a', content: big }], 'far too large'],
    [
      'a size of more than a gigabyte',
      [ok, { name: 'a', content: 'x', size: 0x7fffffff, packedSize: 0x7fffff }],
      'too large',
    ],
    ['more data than it says', [ok, { name: 'a', content: 'xxxx', size: 1 }], 'larger than'],
    ['less data than it says', [ok, { name: 'a', content: 'x', size: 4 }], 'damaged'],
    ['a wrong checksum', [ok, { name: 'a', content: 'x', crc: 1 }], 'damaged'],
    ['stored data of another size', [ok, { name: 'a', content: 'x', method: 0, size: 2 }], 'damaged'],
    [
      'data that cannot be unpacked',
      [ok, { name: 'a', content: '\xff\xff\xff', method: 0, flags: 0, size: 3 }],
      'damaged',
    ],
    ['two different names', [ok, { name: 'safe', localName: 'evil', content: 'x' }], 'two different names'],
    ['data outside the archive', [ok, { name: 'a', content: 'x', packedSize: 100_000 }], 'damaged'],
    ['a start outside the archive', [ok, { name: 'a', content: 'x', offset: 100_000 }], 'damaged'],
    [
      'overlapping files',
      [ok, { name: 'manifest2.jso', localName: 'manifest.json', content: '{}', offset: 0 }],
      'two different|overlap',
    ],
  ])('with %s is refused, and nothing lands outside its folder', async (what, files, reason) => {
    const archive = zipOf(files);
    if (what === 'data that cannot be unpacked') setMethod(archive, 8);
    await expect(open(archive)).rejects.toThrow(new RegExp(reason));
    expect(readdirSync(folder).filter((name) => !/^(?:unpacked-)?\d+(?:\.mcpb)?$/.test(name))).toEqual([]);
  });
});

describe('The check of file names', () => {
  it('finds a file that is also a folder, at any depth and in any order', async () => {
    for (const names of [
      ['a/b/c/d', 'a/b'],
      ['a/b', 'a/b/c/d'],
      ['a/b/x', 'a/b/c/d', 'A/B/C'],
    ])
      await expect(checkNames(names)).rejects.toThrow('file and a folder');
    await checkNames(['a/', 'a/b/c/d', 'a/b/', 'a/b/e', `${'x/'.repeat(31)}y`]);
  });

  it('lets other work run while it checks many names', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `${`${index}/`.repeat(31)}x`);
    let hasRun = false;
    setImmediate(() => {
      hasRun = true;
    });
    await checkNames(names);
    expect(hasRun).toBe(true);
  });
});

/** Declares the last entry deflated, in both places, though it is not. */
function setMethod(archive: Buffer, method: number): void {
  archive.writeUInt16LE(method, archive.lastIndexOf(Buffer.from([0x50, 0x4b, 3, 4])) + 8);
  archive.writeUInt16LE(method, archive.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 10);
}

const node = (more: Record<string, unknown> = {}, server: Record<string, unknown> = {}) => ({
  manifest_version: '0.3',
  name: 'notes',
  version: '1.0.0',
  description: 'Notes.',
  author: { name: 'Ada' },
  server: {
    type: 'node',
    entry_point: 'server/index.js',
    mcp_config: { command: 'node', args: ['${__dirname}/server/index.js'], env: {} },
    ...server,
  },
  ...more,
});
const config = (args: string[], env: Record<string, string> = {}, more: Record<string, unknown> = {}) => ({
  mcp_config: { command: 'node', args, env, ...more },
});

const variables = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`A${index}`, '']));

function derive(manifest: unknown, entered: Record<string, string> = {}, platform: NodeJS.Platform = 'linux') {
  const { content } = manifestFile(manifest);
  const parsed = parseManifest(String(content), platform);
  return connectBundle(parsed, { folder: '/b', entered, server: 'notes', host: { homeDir: '/home/ada', platform } });
}

describe('A manifest', () => {
  it.each(['0.1', '0.2', '0.3', '0.4'])('of version %s becomes a connection to our own Node.js', (manifestVersion) => {
    expect(derive(node({ manifest_version: manifestVersion, unknown: true })).connection).toEqual({
      type: 'stdio',
      command: '${toolkeep:node}',
      args: ['/b/server/index.js'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      cwd: '/b',
    });
  });

  it('of the older format (dxt_version) is read', () => {
    expect(derive({ ...node(), manifest_version: undefined, dxt_version: '0.1' }).command).toEqual([
      'node',
      '/b/server/index.js',
    ]);
  });

  const userConfig = (user: Record<string, unknown>) => ({ user_config: user });
  it.each<[string, unknown, Record<string, string>, string[]]>([
    [
      'a value',
      node(userConfig({ mode: { type: 'string' } }), config(['--mode=${user_config.mode}'])),
      { mode: 'a b' },
      ['--mode=a b'],
    ],
    [
      'several folders',
      node(userConfig({ dirs: { type: 'directory', multiple: true } }), config(['${user_config.dirs}'])),
      { dirs: '/a\n/b' },
      ['/a', '/b'],
    ],
    [
      'a default in a folder',
      node(userConfig({ dir: { type: 'directory', default: '${HOME}/x' } }), config(['${user_config.dir}'])),
      {},
      ['/home/ada/x'],
    ],
    [
      'several defaults',
      node(
        userConfig({ dirs: { type: 'directory', multiple: true, default: ['${DOCUMENTS}', '/b'] } }),
        config(['${user_config.dirs}']),
      ),
      {},
      ['/home/ada/Documents', '/b'],
    ],
    [
      'an optional value that is missing',
      node(userConfig({ x: { type: 'string' } }), config(['a', '${user_config.x}'])),
      {},
      ['a'],
    ],
    [
      'a boolean',
      node(userConfig({ x: { type: 'boolean', default: true } }), config(['${user_config.x}'])),
      {},
      ['true'],
    ],
    ['a separator', node({}, config(['${__dirname}${/}a'])), {}, ['/b/a']],
    [
      'a variable of the system',
      node({}, config(['${PATH}', '${secret:other/key}', '${user_config.none}'])),
      {},
      ['${PATH}', '${secret:other/key}', '${user_config.none}'],
    ],
  ])('expands %s', (_what, manifest, entered, args) => {
    expect(derive(manifest, entered).command.slice(1)).toEqual(args);
  });

  it('keeps a sensitive value in the vault, and asks with its title', () => {
    const manifest = node(
      { user_config: { key: { type: 'string', title: 'API key', sensitive: true, required: true } } },
      config([], { API_KEY: '${user_config.key}', OTHER: '${user_config.none_given}' }),
    );
    const { connection, fields, secrets } = derive(manifest, { key: 's3cret' });
    expect(connection).toMatchObject({
      env: { API_KEY: '${secret:notes/key}', OTHER: '${$}{user_config.none_given}' },
    });
    expect(fields).toMatchObject([{ name: 'key', label: 'API key', kind: 'secret', required: true }]);
    expect(Object.fromEntries(secrets)).toEqual({ key: 's3cret' });
    expect(Object.fromEntries(derive(manifest).problems)).toEqual({ key: 'Required.' });
  });

  it('sets the variables with which its code finds its libraries', () => {
    const manifest = node({}, { type: 'python', ...config([], { PYTHONPATH: '${__dirname}/server/lib' }) });
    expect(derive(manifest).connection).toMatchObject({ env: { PYTHONPATH: '/b/server/lib' } });
  });

  it('uses the command of its platform', () => {
    const manifest = node(
      {},
      config(['a'], {}, { platform_overrides: { win32: { command: '${__dirname}/run.exe', args: [] } } }),
    );
    expect(derive(manifest, {}, 'win32').command).toEqual(['/b/run.exe']);
    expect(derive(manifest, {}, 'linux').command).toEqual(['node', 'a']);
  });

  it('sets up to 100 variables', () => {
    expect(derive(node({}, config([], variables(100)))).values).toHaveLength(100);
  });

  it('whose arguments and defaults are not text is read', () => {
    const odd = { toString: 1 };
    const inputs = { a: { type: 'string', default: [odd, 2] }, b: { type: 'string', default: [[odd]] } };
    const args = [odd, 3, '${user_config.a}', '${user_config.b}'];
    const manifest = {
      ...node({ user_config: inputs }),
      server: { type: 'node', mcp_config: { command: 'node', args } },
    };
    expect(derive(manifest).command).toEqual(['node', '{"toString":1}', '3', '{"toString":1}\n2', '[{"toString":1}]']);
  });

  it('of a uv server needs no command', () => {
    expect(derive(node({}, { type: 'uv', entry_point: 'src/main.py', mcp_config: undefined })).command).toEqual([
      'uv',
      'run',
      '--directory',
      '/b',
      '/b/src/main.py',
    ]);
  });

  it.each<[string, unknown, string]>([
    ['is no JSON', '{', 'not valid JSON'],
    ['is a list', '[]', 'no name'],
    ['has no version', { ...node(), version: undefined }, 'no version'],
    ['has no server', { ...node(), server: undefined }, 'type of its server'],
    ['names no command', node({}, { mcp_config: {} }), 'does not specify a command'],
    ['sets 101 variables', node({}, config([], variables(101))), 'more than 100 environment variables'],
    ['sets 80,000 variables', node({}, config([], variables(80_000))), 'more than 100 environment variables'],
  ])('that %s is refused', (_what, manifest, reason) => {
    expect(() => derive(manifest)).toThrow(reason);
  });

  it.each<[string, unknown, string]>([
    ['another platform', node({ compatibility: { platforms: ['darwin'] } }), 'for darwin only'],
    [
      'a secret argument',
      node({ user_config: { k: { type: 'string', sensitive: true, required: true } } }, config(['${user_config.k}'])),
      'command line',
    ],
    ['no way to start', node({}, { mcp_config: undefined }), 'how to start'],
    [
      'too many places for one input',
      node({ user_config: { x: { type: 'string' } } }, config(['${user_config.x}'.repeat(100_000)])),
      'too many values',
    ],
    ['a strange variable', node({}, config([], { 'A B': 'x' })), '"A B"'],
    ['a variable that loads code', node({}, config([], { NODE_OPTIONS: '-r /x.js' })), '"NODE_OPTIONS"'],
  ])('with %s is refused', (_what, manifest, reason) => {
    expect(derive(manifest).refused).toContain(reason);
  });
});
