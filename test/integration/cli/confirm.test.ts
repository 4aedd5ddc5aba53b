/** Commands that change something need a flag or the user's confirmation; a script without the flag changes nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { confirm } from '../../../electron/cli/confirm.ts';
import { newProduct } from '../../e2e/product.ts';
import { runCli } from '../../fixtures/cli-in-process.ts';
import { commands } from '../../fixtures/commands.ts';

const product = newProduct();
const file = join(product.home, '.cursor/mcp.json');
const setup = join(product.home, 'setup.json');
const original = `{ "mcpServers": { "github": ${JSON.stringify(commands.github())} } }\n`;
const serversOf = async () => JSON.parse((await runCli(product, 'config', 'show', '--json')).stdout).servers.configured;

beforeAll(async () => {
  product.file('.cursor/mcp.json', original);
  await product.serve();
});
afterAll(() => product.dispose());
afterEach(() => vi.restoreAllMocks());

describe('Without a terminal', () => {
  it.each([
    ['import', ['import'], '--all', '+ github'],
    ['import --source', ['import', '--source', 'cursor'], '--yes', '+ github'],
    ['install', ['install', 'cursor'], '--yes', '"toolkeep"'],
  ])('%s shows the change, does not make it, and names the flag', async (_name, command, flag, shown) => {
    const plain = await runCli(product, ...command);
    expect(plain).toMatchObject({ code: 1, stdout: expect.stringContaining(shown) });
    expect(plain.stderr).toMatch(new RegExp(`Not a terminal.*Nothing was changed.*\n.*Pass ${flag} .*--dry-run`));
    const json = await runCli(product, ...command, '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      success: false,
      error: { code: 'INPUT_INVALID', hint: expect.stringContaining(flag) },
    });
    expect((await runCli(product, ...command, '--dry-run')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(original);
    expect(await serversOf()).toBe(0);
  });

  it('install, undo and uninstall need a flag only if they change something', async () => {
    expect((await runCli(product, 'import', '--source', 'cursor', '--yes')).code).toBe(0);
    expect(await serversOf()).toBe(1);
    expect((await runCli(product, 'import')).code).toBe(0);
    expect((await runCli(product, 'install', 'cursor', '--yes')).code).toBe(0);
    const installed = readFileSync(file, 'utf8');
    expect(installed).toContain('toolkeep');
    expect((await runCli(product, 'install', 'cursor')).code).toBe(0);
    expect(await runCli(product, 'undo', 'cursor')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^-.*"toolkeep"/m),
    });
    expect((await runCli(product, 'undo', 'cursor', '--dry-run')).code).toBe(0);
    expect((await runCli(product, 'uninstall', 'cursor')).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(installed);
    expect((await runCli(product, 'uninstall', 'cursor', '-y')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(original);
  });

  it('import --undo lists the servers, removes none, and names the flag', async () => {
    const undo = await runCli(product, 'import', '--undo');
    expect(undo).toMatchObject({ code: 1, stdout: expect.stringMatching(/- github\n.*node.*github/) });
    expect(undo.stderr).toMatch(/Nothing was changed.*\n.*Pass --yes/);
    expect((await runCli(product, 'import', '--undo', '--json')).code).toBe(1);
    expect(await serversOf()).toBe(1);
  });

  it('a setup file is imported only with a flag, and --undo cannot be combined with --dry-run', async () => {
    expect((await runCli(product, 'setup', 'export', setup)).code).toBe(0);
    const mixed = await runCli(product, 'import', '--undo', '--dry-run');
    expect(mixed).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be used with') });
    expect(await serversOf()).toBe(1);
    expect((await runCli(product, 'import', '--undo', '--yes')).code).toBe(0);
    const refused = await runCli(product, 'setup', 'import', setup);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    expect(await serversOf()).toBe(0);
    expect((await runCli(product, 'setup', 'import', setup, '--yes')).code).toBe(0);
    expect(await serversOf()).toBe(1);
    expect((await runCli(product, 'setup', 'import', setup)).stdout).toContain('The file contains nothing new.');
  });
});

describe('The servers of the current folder', () => {
  const clone = join(product.home, 'clone');
  const mcp = join(clone, '.mcp.json');
  const ofFolder = { evil: commands.memory() };

  it('are imported only if the user names their file, also while Core runs in another folder', async () => {
    product.file('clone/.mcp.json', { mcpServers: ofFolder });
    Object.assign(product.env, { INIT_CWD: clone });
    const before = await serversOf();
    const all = await runCli(product, 'import', '--all');
    expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining(`From the folder ${clone}`) });
    expect(all.stderr).toContain(`Not imported from the folder ${clone}: evil.`);
    expect(all.stderr).toContain(`toolkeep import --source ${mcp}`);
    expect((await runCli(product, 'import', '--source', 'claude-code')).stderr).toContain('Not imported');
    expect(await serversOf()).toBe(before);
    expect((await runCli(product, 'import', '--source', '.mcp.json')).code).toBe(1);
    expect(await serversOf()).toBe(before);
    expect((await runCli(product, 'import', '--source', '.mcp.json', '--yes')).code).toBe(0);
    expect(await serversOf()).toBe(before + 1);
    expect((await runCli(product, 'import', '--undo', '-y')).code).toBe(0);
    delete product.env.INIT_CWD;
    expect((await runCli(product, 'import', '--dry-run')).stdout).not.toContain('evil');
  });
});

it('A server whose program is missing is imported disabled, and one command enables it', async () => {
  const program = join(product.home, 'bin/uvx');
  product.file('.codeium/windsurf/mcp_config.json', { mcpServers: { later: { command: program, args: ['x'] } } });
  const imported = await runCli(product, 'import', '--source', 'windsurf', '--yes');
  expect(imported.stdout).toContain('later (will be disabled)');
  expect(imported.stdout).toContain('Install uv from https://docs.astral.sh/uv.');
  expect(imported.stdout).toContain('`toolkeep override later --enable`');
  const status = async () =>
    JSON.parse((await runCli(product, 'list', '--json')).stdout).servers.find(
      ({ name }: { name: string }) => name === 'later',
    );
  expect(await status()).toMatchObject({ state: 'disabled' });
  expect((await runCli(product, 'override', 'later', '--enable')).stderr).toContain('terminal');
  expect(await product.inTerminal('override', 'later', '--enable')).toMatchObject({ code: 0 });
  expect((await status()).state).not.toBe('disabled');
});

it.each([
  ['y\n', true],
  ['Yes\n', true],
  ['n\n', false],
  ['\n', false],
  ['', false],
])('The answer %j at a terminal confirms: %s', async (typed, expected) => {
  const shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const stdin = new PassThrough();
  stdin.end(typed);
  const terminal = { stdin, canAsk: true } as never;
  expect(await confirm(terminal, {}, 'Go on?', 'Pass --yes')).toBe(expected);
  expect(shown).toHaveBeenCalledWith('\nGo on? [y/N] ');
  const asJson = confirm(terminal, { json: true }, 'Go on?', 'Pass --yes');
  await expect(asJson).rejects.toThrow('--json cannot ask for confirmation');
});
