/**
 * Installation in sample files of every client: only Toolkeep's entry is inserted, and removing it restores the bytes.
 *
 * @module-tag exhaustive
 */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyInstall, clientFile, installStatus, undo } from '../../../electron/core/clients/install/install.ts';
import { planInstall, planUninstall } from '../../../electron/core/clients/plan-install.ts';
import { documents, layouts, write } from '../../fixtures/documents.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { clientIds, formatOf, install, meaningOf, putFile, uninstall } from '../../fixtures/round-trip.ts';

const corpus = join(import.meta.dirname, '../../fixtures/corpus');
const runs = Number(process.env.TOOLKEEP_CASES) || 100;

let host: TestHost;
beforeEach(() => {
  host = hostOf('cursor');
});
afterEach(() => host.dispose());

/** The platforms of the client. */
function hostOf(client: string): TestHost {
  return testHost({ platform: client === 'visual-studio' ? 'win32' : 'linux' });
}

const stateOf = async (client: string) => (await installStatus(host)).find((status) => status.client === client)?.state;

test('No client gets an entry for an app at a temporary path', async () => {
  const temporary = testHost({ bridgeProblem: 'Move Toolkeep to the Applications folder.' });
  const planned = planInstall(temporary, 'cursor', {});
  await expect(planned).rejects.toMatchObject({
    failure: { code: 'INSTALL_REFUSED', message: expect.stringContaining('Move Toolkeep') },
  });
  temporary.dispose();
});

const refused = { failure: { code: 'CLIENT_FILE_INVALID' } };
const endings: Record<string, RegExp> = { json: /\.jsonc?$/, toml: /\.toml$/, yaml: /\.ya?ml$/ };

/** Checks that the files differ only in a new section and Toolkeep's entry. */
function expectOnlyOurs(before: Record<string, unknown>, after: Record<string, unknown>): void {
  const added = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]));
  expect(added).toHaveLength(1);
  const [section = ''] = added;
  const { [section]: held, ...others } = after;
  const { [section]: was, ...rest } = before;
  expect(others).toEqual(rest);
  if (Array.isArray(held)) expect(held.filter((item) => item.name !== 'toolkeep')).toEqual(was ?? []);
  else {
    const { toolkeep: _, ...neighbours } = held as Record<string, unknown>;
    expect(neighbours).toEqual(was ?? {});
  }
}

describe.each(clientIds)('%s', (client) => {
  beforeEach(() => {
    host.dispose();
    host = hostOf(client);
  });

  test("In every sample file, Toolkeep's entry is the only difference and removing it restores the bytes, or the file is refused", async () => {
    const format = await formatOf(host, client);
    const files = readdirSync(join(corpus, client), { recursive: true, encoding: 'utf8' }).filter((name) =>
      endings[format]?.test(name),
    );
    let entered = 0;
    for (const name of files) {
      host.dispose();
      host = hostOf(client);
      const bytes = readFileSync(join(corpus, client, name));
      const file = await putFile(host, client, bytes);
      try {
        await planInstall(host, client, {});
      } catch (error) {
        expect(error, name).toMatchObject(refused);
        expect(readFileSync(file).equals(bytes), name).toBe(true);
        expect(readdirSync(dirname(file)), name).toHaveLength(1);
        continue;
      }
      entered += 1;
      const after = await install(host, client);
      const before = bytes.length === 0 ? {} : meaningOf(bytes, format);
      if (!('toolkeep' in ((before.mcpServers ?? {}) as object))) expectOnlyOurs(before, meaningOf(after, format));
      expect(await stateOf(client), name).toBe('installed');
      const left = await uninstall(host, client);
      expect(await stateOf(client), name).toBe('absent');
      // Content that already has Toolkeep's entry must not get a second one.
      if (!bytes.includes('toolkeep')) expect(left.equals(bytes), name).toBe(true);
    }
    if (files.length > 0) expect(entered).toBeGreaterThan(0);
  });

  test("A missing file is created for Toolkeep's entry and removed with it", async () => {
    const { path } = await clientFile(host, client);
    await install(host, client);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(await stateOf(client)).toBe('installed');
    await applyInstall(host, await planUninstall(host, client));
    expect(existsSync(path)).toBe(false);
    expect(await stateOf(client)).toBe('absent');
  });

  test('A second installation or removal changes nothing', async () => {
    const bridge = { command: '/usr/bin/node', args: ['/opt/checkout/start.cjs'] };
    host = { ...host, bridge };
    const once = await install(host, client);
    expect(await planInstall(host, client, {})).toMatchObject({ unchanged: true, warnings: [] });
    expect((await install(host, client)).equals(once)).toBe(true);
    await applyInstall(host, await planUninstall(host, client));
    expect((await planUninstall(host, client)).unchanged).toBe(true);
  });
});

describe('Random files of random clients', () => {
  const json = clientIds.filter((client) => !['continue', 'codex', 'goose'].includes(client));

  test("survive installation, removal and undo with the same bytes; after other changes, only Toolkeep's entry is removed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...json),
        documents,
        layouts,
        fc.constantFrom('utf8', 'utf8 bom', 'utf16le bom'),
        fc.boolean(),
        async (client, document, layout, encoding, touched) => {
          // A section that was null is empty afterwards, unless the whole previous file is restored.
          fc.pre(!(touched && Object.values(document as object).includes(null)));
          const here = hostOf(client);
          try {
            const text = write(document, layout);
            const marked = encoding.endsWith('bom') ? `\uFEFF${text}` : text;
            const bytes = Buffer.from(marked, encoding.startsWith('utf16') ? 'utf16le' : 'utf8');
            const file = await putFile(here, client, bytes);
            let plan: Awaited<ReturnType<typeof planInstall>>;
            try {
              plan = await planInstall(here, client, {});
            } catch (error) {
              // The section is not a map of servers, or has a lone surrogate, which UTF-8 cannot encode.
              expect(error).toMatchObject(refused);
              expect(readFileSync(file).equals(bytes)).toBe(true);
              return;
            }
            await applyInstall(here, plan);
            const format = await formatOf(here, client);
            const entered = readFileSync(file);
            expectOnlyOurs(meaningOf(bytes, format), meaningOf(entered, format));
            if (touched) {
              // Any editor may add a blank line at the end.
              const tail = Buffer.from('\n', encoding.startsWith('utf16') ? 'utf16le' : 'utf8');
              writeFileSync(file, Buffer.concat([entered, tail]));
              expect((await uninstall(here, client)).equals(Buffer.concat([bytes, tail]))).toBe(true);
            } else {
              expect(await undo(here, client)).toMatchObject({ file, restored: 'file' });
              expect(readFileSync(file).equals(bytes)).toBe(true);
            }
          } finally {
            here.dispose();
          }
        },
      ),
      { numRuns: runs },
    );
  }, 600_000);
});

describe('Special files', () => {
  const text = '{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "x" }, // about a\r\n\t}\r\n}';

  test('keep mode, line endings, tabs and comments', async () => {
    const file = await putFile(host, 'cursor', text);
    chmodSync(file, 0o640);
    const after = (await install(host, 'cursor')).toString();
    expectMode(file, 0o640);
    expect(after).toContain('// mine\r\n');
    expect(after).toContain('// about a\r\n');
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(after).toContain('\r\n\t\t"toolkeep": {\r\n');
    expect((await uninstall(host, 'cursor')).toString()).toBe(text);
    expectMode(file, 0o640);
  });

  test('keep a byte order mark, with a warning for clients that reject it', async () => {
    await putFile(host, 'claude-desktop', `\uFEFF${text}`);
    const plan = await planInstall(host, 'claude-desktop', {});
    expect(plan.warnings.join()).toContain('byte order mark');
    const after = await install(host, 'claude-desktop');
    expect([...after.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect((await uninstall(host, 'claude-desktop')).toString()).toBe(`\uFEFF${text}`);
  });

  test('keep UTF-16', async () => {
    const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
    await putFile(host, 'cursor', bytes);
    const after = await install(host, 'cursor');
    expect(after.toString('utf16le')).toContain('"toolkeep"');
    expect((await uninstall(host, 'cursor')).equals(bytes)).toBe(true);
  });

  test('that are links stay links, and the target changes', async () => {
    const { path } = await clientFile(host, 'cursor');
    const real = join(host.homeDir, 'dotfiles/cursor.json');
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(dirname(real));
    writeFileSync(real, text, { mode: 0o600 });
    symlinkSync('../dotfiles/cursor.json', path);
    await install(host, 'cursor');
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('"toolkeep"');
    expectMode(real, 0o600);
    await uninstall(host, 'cursor');
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe(text);
  });

  test.each<[string, (file: string) => void, RegExp]>([
    ['a syntax error', (file) => writeFileSync(file, '{"mcpServers": {'), /JSON/],
    ['a list', (file) => writeFileSync(file, '[]'), /object/],
    ['a duplicate key', (file) => writeFileSync(file, '{"mcpServers": {}, "mcpServers": {}}'), /duplicate key/],
    ['not UTF-8', (file) => writeFileSync(file, Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x7d])), /UTF-8/],
    ['write-protected', (file) => chmodSync(file, 0o400), /write-protected/],
    ['a hard link', (file) => linkSync(file, `${file}.second`), /hard link/],
    [
      'a broken link',
      (file) => {
        renameSync(file, `${file}.old`);
        symlinkSync('nowhere', file);
      },
      /broken link/,
    ],
    [
      'a folder',
      (file) => {
        renameSync(file, `${file}.old`);
        mkdirSync(file);
      },
      /regular file/,
    ],
  ])('that cannot be edited safely are refused with the reason and stay unchanged: %s', async (_, damage, reason) => {
    const file = await putFile(host, 'cursor', text);
    damage(file);
    const look = () => [
      lstatSync(file).mode,
      lstatSync(file).ino,
      lstatSync(file).isFile() && readFileSync(file, 'hex'),
    ];
    const before = look();
    await expect(planInstall(host, 'cursor', {})).rejects.toMatchObject(refused);
    await expect(planInstall(host, 'cursor', {})).rejects.toThrow(reason);
    await expect(planInstall(host, 'cursor', {})).rejects.toThrow(file);
    expect(look()).toEqual(before);
  });

  test('that changed after the plan are not written', async () => {
    const file = await putFile(host, 'cursor', text);
    const plan = await planInstall(host, 'cursor', {});
    writeFileSync(file, text.replace('mine', 'yours'));
    await expect(applyInstall(host, plan)).rejects.toMatchObject({ failure: { code: 'CLIENT_FILE_CHANGED' } });
    expect(readFileSync(file, 'utf8')).toBe(text.replace('mine', 'yours'));
    expect(await stateOf('cursor')).toBe('absent');
    expect(readdirSync(dirname(file))).toEqual(['mcp.json']);
  });
});

describe('Entries of other programs', () => {
  const theirs = '{"mcpServers": {"toolkeep": {"command": "other-tool", "args": ["run"]}}}';

  test("with Toolkeep's name are not removed", async () => {
    const file = await putFile(host, 'cursor', theirs);
    expect(await stateOf('cursor')).toBe('foreign');
    await expect(planUninstall(host, 'cursor')).rejects.toMatchObject(refused);
    expect((await planInstall(host, 'cursor', {})).warnings.join()).toContain('Replaces an entry');
    expect(readFileSync(file, 'utf8')).toBe(theirs);
  });

  test("Undo does not remove Toolkeep's entry after another program changed it", async () => {
    const file = await putFile(host, 'cursor', '{"mcpServers": {}}');
    await install(host, 'cursor');
    writeFileSync(file, theirs);
    await expect(undo(host, 'cursor')).rejects.toMatchObject(refused);
    expect(readFileSync(file, 'utf8')).toBe(theirs);
  });

  test("Additions by the client stay, and do not prevent the removal of Toolkeep's entry", async () => {
    const file = await putFile(host, 'cursor', '{"mcpServers": {}}');
    const entered = JSON.parse((await install(host, 'cursor')).toString());
    entered.mcpServers.toolkeep.disabled = false;
    entered.mcpServers.later = { command: 'y' };
    writeFileSync(file, JSON.stringify(entered));
    expect(await undo(host, 'cursor')).toMatchObject({ file, restored: 'entry' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { later: { command: 'y' } } });
  });

  test('An entry that the client removed is detected, and installing again restores it', async () => {
    const file = await putFile(host, 'claude-desktop', '{"mcpServers": {"a": {"command": "x"}}}');
    await install(host, 'claude-desktop');
    writeFileSync(file, '{"theme": "dark"}');
    expect(await stateOf('claude-desktop')).toBe('wiped');
    await install(host, 'claude-desktop');
    expect(await stateOf('claude-desktop')).toBe('installed');
    expect((await uninstall(host, 'claude-desktop')).toString()).toBe('{"theme": "dark"}');
  });
});

describe('A second installation with other options', () => {
  const text = '{\n  "mcpServers": {\n    "a": { "command": "x" }, // about a\n    "b": { "command": "y" }\n  }\n}\n';

  test('Uninstall restores the bytes before the first installation; undo, those before the last', async () => {
    const file = await putFile(host, 'cursor', text);
    const first = await install(host, 'cursor', { moveServers: ['a'] });
    const second = await install(host, 'cursor', { mode: 'full' });
    expect(second.toString()).toContain('"full"');
    await undo(host, 'cursor');
    expect(readFileSync(file).equals(first)).toBe(true);
    await install(host, 'cursor', { mode: 'hybrid' });
    expect((await uninstall(host, 'cursor')).toString()).toBe(text);
    expect(await stateOf('cursor')).toBe('absent');
  });

  test('A removal restores all moved servers after other changes', async () => {
    const file = await putFile(host, 'cursor', text);
    await install(host, 'cursor', { moveServers: ['a'] });
    const second = await install(host, 'cursor', { mode: 'full', moveServers: ['b'] });
    writeFileSync(file, `${second.toString()}\n`);
    expect(meaningOf(await uninstall(host, 'cursor'), 'json')).toEqual({
      mcpServers: { a: { command: 'x' }, b: { command: 'y' } },
    });
  });
});

describe('Moving servers to Toolkeep', () => {
  const text = '{\n  "mcpServers": {\n    "a": { "command": "x" }, // about a\n    "b": { "command": "y" }\n  }\n}\n';

  test('removes only the named servers, and uninstall restores the bytes', async () => {
    await putFile(host, 'cursor', text);
    const after = await install(host, 'cursor', { moveServers: ['a', 'none'] });
    const { mcpServers } = meaningOf(after, 'json') as { mcpServers: object };
    expect(Object.keys(mcpServers).sort()).toEqual(['b', 'toolkeep']);
    expect((await uninstall(host, 'cursor')).toString()).toBe(text);
  });

  test('restores them after other changes, and never overwrites a server with the same name', async () => {
    const file = await putFile(host, 'cursor', text);
    const moved = await install(host, 'cursor', { moveServers: ['a', 'b'] });
    const changed = JSON.parse(moved.toString().replaceAll(/\/\/.*$/gm, '')) as { mcpServers: Record<string, unknown> };
    changed.mcpServers.b = { command: 'new' };
    writeFileSync(file, JSON.stringify(changed));
    expect(meaningOf(await uninstall(host, 'cursor'), 'json')).toEqual({
      mcpServers: { a: { command: 'x' }, b: { command: 'new' } },
    });
  });
});

test('The displayed difference contains no secret', async () => {
  const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
  await putFile(
    host,
    'cursor',
    `{\n  "mcpServers": {\n    "a": { "command": "x", "env": { "TOKEN": "${secret}" } }\n  }\n}\n`,
  );
  const { diff, ...rest } = await planInstall(host, 'cursor', { moveServers: ['a'] });
  expect(diff).toContain('+    "toolkeep": {');
  expect(diff).toContain('-    "a"');
  expect(diff).not.toContain(secret);
  const { change: _, ...shown } = rest;
  expect(JSON.stringify(shown)).not.toContain(secret);
});

test('Uninstall restores TOML and YAML files after other changes', async () => {
  const files = {
    codex: ['# mine\nmodel = "x"\n\n[mcp_servers.a]\ncommand = "x" # why\n', '\n[profiles.p]\nmodel = "y"\n'],
    goose: ['# mine\nversion: 1.10\nextensions:\n  a:\n    cmd: x # why\n', 'later: true\n'],
    continue: ['# mine\nname: me\nmcpServers:\n  - name: a\n    command: x # why\n', 'later: true\n'],
  };
  for (const [client, [text = '', later = '']] of Object.entries(files)) {
    const file = await putFile(host, client, text);
    writeFileSync(file, Buffer.concat([await install(host, client), Buffer.from(later)]));
    expect((await uninstall(host, client)).toString(), client).toBe(text + later);
  }
});
