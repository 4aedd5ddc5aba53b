/**
 * Secrets that a connection refers to are read with the password manager's own program, here a script that reports its arguments.
 *
 * @module-tag posix
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { understand } from '../../../electron/core/clients/import/normalize.ts';
import { secretsInArguments } from '../../../electron/core/secrets/plain-secrets.ts';
import { createMissingSecrets } from '../../../electron/core/secrets/prompt-missing-secrets.ts';
import { openVault, referencesToInputs } from '../../../electron/core/secrets/vault.ts';
import type { Connection, ServerConfig } from '../../../shared/model/server.ts';
import { startCore } from '../../fixtures/core.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
let bin: string;
beforeEach(() => {
  host = testHost();
  bin = join(host.homeDir, 'bin');
  mkdirSync(bin);
});
afterEach(() => host.dispose());

const calls = () => readFileSync(join(bin, 'calls'), 'utf8');

/** Installs a program that appends its arguments, one per line, to `calls`, and then runs `script`. */
function install(name: string, script: string): void {
  const file = join(bin, name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' ${name} "$@" >> '${bin}/calls'\n${script}\n`);
  chmodSync(file, 0o755);
}

const server = (env: Record<string, string>): ServerConfig => ({
  name: 'hub',
  enabled: true,
  connection: { type: 'stdio', command: 'x', args: [], env },
});

async function openSupply() {
  return createMissingSecrets({
    vault: await openVault(host),
    host: { env: { PATH: `${bin}:/usr/bin:/bin` }, homeDir: host.homeDir },
    canAsk: () => false,
    ask: () => Promise.reject(new Error('No question is expected.')),
  });
}

const resolve = async (env: Record<string, string>) => (await openSupply()).resolve(server(env));

const resolved = async (env: Record<string, string>) => ((await resolve(env)) as { env: Record<string, string> }).env;

describe('A reference to a password manager', () => {
  test.each([
    ['op://Private/GitHub token/credential', ['op', 'read', '--no-newline', 'op://Private/GitHub token/credential']],
    ['bw://github', ['bw', 'get', 'password', 'github', '--raw', '--nointeraction']],
    ['bw://github/username', ['bw', 'get', 'username', 'github', '--raw', '--nointeraction']],
    ['dl://1F2/password', ['dcli', 'read', 'dl://1F2/password']],
    [
      'doppler://shop/dev/API_KEY',
      ['doppler', 'secrets', 'get', 'API_KEY', '--plain', '--project', 'shop', '--config', 'dev'],
    ],
    [
      'infisical://77/prod/API_KEY',
      ['infisical', 'secrets', 'get', 'API_KEY', '--plain', '--silent', '--projectId', '77', '--env', 'prod'],
    ],
    ['keeper://ab_c/field/password', ['ksm', 'secret', 'notation', 'keeper://ab_c/field/password']],
    ['lpass://github', ['lpass', 'show', '--password', 'github']],
    ['pass://dev/github', ['pass', 'show', 'dev/github']],
    ['vault://kv/team/hub#token', ['vault', 'kv', 'get', '-mount=kv', '-field=token', 'team/hub']],
  ])('runs the program with fixed arguments: %s', async (reference, command) => {
    install(command[0] as string, 'echo s3cret');
    expect(await resolved({ TOKEN: `Bearer \${${reference}}` })).toEqual({ TOKEN: 'Bearer s3cret' });
    expect(calls().trim().split('\n')).toEqual(command);
  });

  test('takes the value of a JSON answer, and the first line of a file', async () => {
    install('bws', `echo '{"id": "9f", "value": "from json"}'`);
    install('pass', `printf 'first\\nurl: example.com\\n'`);
    expect(await resolved({ A: '${bws://9f}', B: '${pass://x}' })).toEqual({ A: 'from json', B: 'first' });
  });

  test('runs the program once for each reference, however often it occurs', async () => {
    install('op', 'echo s3cret');
    await resolved({ A: '${op://v/i/f}', B: '${op://v/i/f}' });
    expect(calls().match(/^op$/gm)).toHaveLength(1);
  });

  test('is read alone, and once, by servers that start at once', async () => {
    // The program fails if another instance is running.
    install('op', `mkdir '${bin}/lock' || exit 1; sleep 0.1; rmdir '${bin}/lock'; echo s3cret`);
    const supply = await openSupply();
    const references = ['op://v/i/a', 'op://v/i/b', 'op://v/i/a', 'op://v/i/c'];
    const all = await Promise.all(references.map((reference) => supply.resolve(server({ A: `\${${reference}}` }))));
    expect(all.map(({ secrets }) => secrets)).toEqual(references.map(() => ['s3cret']));
    expect(calls().match(/op:\/\/v\/i\/./g)).toEqual(['op://v/i/a', 'op://v/i/b', 'op://v/i/c']);
    await supply.resolve(server({ A: '${op://v/i/a}' }));
    expect(calls().match(/^op$/gm)).toHaveLength(4);
  });

  test('that is refused is read again when the user restarts the server, but not in the background', async () => {
    install('op', 'exit 1');
    const machine = testHost({ env: { PATH: `${bin}:/usr/bin:/bin` } });
    onTestFinished(() => machine.dispose());
    const broken: ServerConfig = {
      ...{ name: 'broken', enabled: true },
      connection: { type: 'stdio', command: join(bin, 'missing'), args: [], env: {} },
    };
    const config = { refreshInterval: '50ms' };
    const trial = await startCore([server({ A: '${op://v/i/f}' }), broken], { host: machine, config });
    let retries = 0;
    trial.core.subscribe((name, data) => {
      if (name === 'discovery.started' && (data as { server: string }).server === 'broken') retries += 1;
    });
    await expect.poll(() => trial.view('hub').failure?.code).toBe('SECRET_MISSING');
    await expect.poll(() => retries).toBeGreaterThan(3);
    expect(calls().match(/^op$/gm)).toHaveLength(1);
    await trial.core.handlers['servers.restart']({ server: 'hub' });
    expect(calls().match(/^op$/gm)).toHaveLength(2);
  });

  test('names the program that is not installed', async () => {
    await expect(resolved({ A: '${op://v/i/f}' })).rejects.toMatchObject({
      failure: {
        code: 'SECRET_MISSING',
        message: '1Password did not return "op://v/i/f": the command "op" was not found.',
        hint: expect.stringContaining('Sign in to 1Password'),
      },
    });
  });

  test('reports why the program refused, without the secrets in its output', async () => {
    install('op', "echo 'no session, token ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8' >&2; exit 6");
    const failed = await resolved({ A: '${op://v/i/f}' }).catch((error) => error.failure);
    expect(failed.message).toMatch(/^1Password did not return "op:\/\/v\/i\/f": no session, token /);
    expect(failed.message).not.toContain('ghp_');
  });

  test('is refused if a part is missing or could be an option of the program', async () => {
    install('bw', 'echo s3cret');
    install('doppler', 'echo s3cret');
    for (const reference of ['bw://--help', 'bw://x/--raw', 'doppler://only/two', 'doppler://a/-b/c'])
      await expect(resolved({ A: `\${${reference}}` })).rejects.toThrow('is not a reference of');
    expect(existsSync(join(bin, 'calls'))).toBe(false);
  });

  test('never reaches a shell', async () => {
    install('pass', 'echo s3cret');
    await resolved({ A: '${pass://x;touch pwned|`id`>y}' });
    expect(calls()).toBe('pass\nshow\nx;touch pwned|`id`>y\n');
    expect(existsSync(join(host.homeDir, 'pwned'))).toBe(false);
  });

  test.each(['${pass://a"&calc&"}', '${pass://%PATH%}'])(
    'stays plain text if a batch file could misread it: %s',
    async (text) => {
      install('pass', 'echo s3cret');
      expect(await resolved({ A: text })).toEqual({ A: text });
    },
  );

  test('is a secret: redacted in output, and reported if it becomes an argument', async () => {
    install('op', 'echo s3cret');
    expect((await resolve({ A: '${op://v/i/f}' })).secrets).toEqual(['s3cret']);
    const connection: Connection = { type: 'stdio', command: 'x', args: ['${op://v/i/f}'], env: {} };
    expect(secretsInArguments(connection)).toEqual(['${op://v/i/f}']);
  });

  test('becomes an input if someone else wrote the server', () => {
    const envOf = ({ connection }: ServerConfig) => connection.type === 'stdio' && connection.env;
    const written = server({ TOKEN: '${op://v/i/f}', MADE: '${A:-$}{op://v/i/f}' });
    expect(envOf(referencesToInputs(written))).toEqual({ TOKEN: '${input:op://v/i/f}', MADE: '${input:op://v/i/f}' });
    expect(envOf(referencesToInputs(written, { keepVariables: true }))).toEqual(envOf(written));
    const nested = `${'${A:-'.repeat(9_000)}${'}'.repeat(9_000)}`;
    expect(JSON.stringify(envOf(referencesToInputs(server({ NESTED: nested }))))).not.toMatch(/\$\{A/);
  });
});

describe('An import', () => {
  const imported = (value: Record<string, unknown>) =>
    understand(
      { name: 'hub', path: ['mcpServers', 'hub'], value },
      { urlMeans: 'http', timeoutUnit: 'ms', placeholders: [] },
    ).server.connection;

  test('turns a value that is a reference into a placeholder', () => {
    const env = { TOKEN: 'op://Private/GitHub/token', PAGE: 'https://example.com', NOTE: 'see op://x/y/z' };
    expect(imported({ command: 'x', env })).toMatchObject({ env: { ...env, TOKEN: '${op://Private/GitHub/token}' } });
  });
});
