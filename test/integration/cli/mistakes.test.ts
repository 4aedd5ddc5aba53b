/** Invalid command lines: a clear message, a hint, and no change. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProduct } from '../../e2e/product.ts';
import { runCli } from '../../fixtures/cli-in-process.ts';
import { commands } from '../../fixtures/commands.ts';
import { spawnPeer } from '../gateway/raw-peer.ts';

const product = newProduct();
const project = join(product.home, 'project');

beforeAll(() =>
  product.file('.toolkeep/config.json', {
    servers: [
      { name: 'github', connection: { type: 'stdio', ...commands.github() } },
      { name: 'gone', connection: { type: 'stdio', command: 'no-such-program' } },
    ],
  }),
);
afterAll(() => product.dispose());

describe('An invalid command line', () => {
  it.each([
    [['serve', '--port', 'abc'], 1, /whole number from 1 to 65535.*\n.*toolkeep serve --help/],
    [['profiles', 'delete', 'work'], 1, /unknown command 'delete'\n.*toolkeep profiles --help/],
    [['profiles', 'save', 'work', '--mode', 'ful'], 1, /lazy, full, hybrid.*\n.*toolkeep profiles save --help/],
    [['profiles', 'save', 'a b'], 1, /name: letters, digits/],
    [['profiles', 'remove', 'nope'], 2, /no profile "nope"/],
    [['secrets', 'bogus'], 1, /unknown command 'bogus'/],
    [['install', 'cursor', '--profile', 'nope', '--yes'], 2, /no profile "nope"/],
    [['setup', 'export', '/no/such/folder/setup.json'], 1, /cannot be written: \/no\/such\/folder does not exist/],
    [['history', '--export', 'csv', '/no/such/folder/calls.csv'], 1, /cannot be written: .* does not exist/],
    [['trust', '/no/such/folder'], 1, /\/no\/such\/folder does not exist/],
    [['token', 'create', 'ci', '--profile', 'nope'], 2, /no profile "nope"\.\n.*Run `toolkeep profiles` to list/],
    [['token', 'create', ''], 1, /^✗ name: use only letters/],
    [['token', 'revoke', 'nope'], 3, /^✗ No client token is named "nope"\.\n[^\n]*\n$/],
    [['tools', 'gone'], 3, /"gone" did not start: the command "no-such-program" was not found/],
  ])('%j exits and prints the reason', async (args, code, words) => {
    const said = await runCli(product, ...args);
    expect(said.code, said.stdout).toBe(code);
    expect(said.stderr).toMatch(words);
    expect(said.stderr).not.toContain('Please report');
  });

  it('changes nothing: an unknown profile, or an existing output file', async () => {
    expect(existsSync(join(product.home, '.cursor/mcp.json'))).toBe(false);
    product.file('project/setup.json', 'mine');
    expect((await runCli(product, 'setup', 'export', 'setup.json')).stderr).toContain('already exists');
    expect(readFileSync(join(project, 'setup.json'), 'utf8')).toBe('mine');
  });

  it('names the client or file that does not exist', async () => {
    const unknown = await runCli(product, 'import', '--source', 'nope');
    expect(unknown).toMatchObject({ code: 1, stdout: expect.stringMatching(/✗ nope\n.*"nope"\.\n {2}Known: claude/) });
    const missing = await runCli(product, 'import', '--source', './servers.json');
    expect(missing).toMatchObject({ code: 2, stdout: expect.stringContaining('Custom file (~/project/servers.json)') });
  });
});

describe('A relative path on the command line', () => {
  it("is resolved against the user's folder, not against the folder of the running Core", async () => {
    product.file('project/servers.json', { mcpServers: { near: commands.github() } });
    // A Core that a bridge starts runs in the home folder. An AppImage passes the extra argument.
    const { command, args, env } = product.bridge('--no-sandbox');
    const client = spawnPeer({ command, args, env: { ...env, TOOLKEEP_IDLE_EXIT_MS: '2000' } });
    await expect.poll(() => existsSync(join(product.home, '.toolkeep/run/core.json'))).toBe(true);
    const plan = JSON.parse(
      (await runCli(product, 'import', '--source', './servers.json', '--dry-run', '--json')).stdout,
    );
    expect(plan.entries.map((entry: { server: { name: string } }) => entry.server.name)).toEqual(['near']);
    client.close();
    await product.nothingLeft();
  });
});

describe('connect', () => {
  it.each([['--sever', 'github'], ['--mode', 'ful'], ['--profile']])(
    'refuses %j %s instead of showing everything to a client',
    async (...args) => {
      const peer = spawnPeer(product.bridge(...args));
      const { error } = await peer.request('initialize', {});
      expect(error?.message).toMatch(/^toolkeep connect: .*(--sever|"ful"|--profile).*toolkeep connect --help/);
      expect(error?.data).toEqual({ code: 'INPUT_INVALID' });
      await peer.closed;
      expect(product.processes()).toEqual([]);
    },
  );

  it('prints help without starting a Core', async () => {
    const { code, stdout } = await runCli(product, 'connect', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('--profile <name>');
    expect(product.processes()).toEqual([]);
  });
});

it('Several errors in a file share one line about their effect', async () => {
  product.file('.toolkeep/config.json', { servers: [{ name: 'a' }], approvals: { mode: 'maybe' } });
  const { code, stdout } = await runCli(product, 'config', 'validate');
  expect(code).toBe(2);
  expect(stdout).toContain('servers[0]: needs a "command"');
  expect(stdout).toContain('approvals.mode: must be');
  expect(stdout.match(/its servers do not run and its last valid rules apply/g)).toHaveLength(1);
});
