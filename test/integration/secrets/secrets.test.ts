/** Resolving connections, and the vault with the secrets that they refer to. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Sealer } from '../../../electron/core/host.ts';
import { plainSecrets } from '../../../electron/core/secrets/plain-secrets.ts';
import { createMissingSecrets } from '../../../electron/core/secrets/prompt-missing-secrets.ts';
import { resolveConnection, secretNames } from '../../../electron/core/secrets/resolve.ts';
import { moveToVault, openVault, secretsToInputs, type Vault } from '../../../electron/core/secrets/vault.ts';
import type { Connection, ServerConfig } from '../../../shared/model/server.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';
import { memorySealer, type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
const persistentSealer: Sealer = { ...memorySealer(), persistent: true, label: 'a test keychain' };
beforeEach(() => {
  host = testHost({ sealer: persistentSealer });
});
afterEach(() => host.dispose());

const stdio = (more: Partial<Extract<Connection, { type: 'stdio' }>>): Connection => ({
  type: 'stdio',
  command: 'x',
  args: [],
  env: {},
  ...more,
});
/** Resolves a connection as a server start does, with all references from the vault. */
async function resolveWithVault(
  connection: Connection,
  { vault, env }: { vault: Vault; env: typeof options.env | Record<string, string> },
) {
  const supply = createMissingSecrets({
    ...{ vault, host: { env, homeDir: '/home/me' }, canAsk: () => false },
    ask: () => Promise.reject(new Error('nobody is to be asked')),
  });
  const { secrets, ...resolved } = await supply.resolve({ name: 'git hub', enabled: true, connection });
  return resolved;
}
const options = { env: { A: 'one', EMPTY: '', 'ProgramFiles(x86)': 'C:\\PF' }, homeDir: '/home/me' };

test('Toolkeep waits for a named pipe from a password manager without blocking anything else', async () => {
  const [values, one] = [join(host.homeDir, 'env'), join(host.homeDir, 'one')];
  execFileSync('mkfifo', [values, one]);
  const vault = await openVault(host);
  const resolving = resolveWithVault(stdio({ envFile: values, args: [`\${file:${one}}`] }), { vault, env: {} });
  await Promise.all([writeFile(values, 'KEY=out of the pipe\n'), writeFile(one, 'alone\n')]);
  expect(await resolving).toMatchObject({ args: ['alone'], env: { KEY: 'out of the pipe' } });
});

test('A device is not read as a file', () => {
  expect(() => resolveConnection(stdio({ args: ['${file:/dev/zero}'] }), options)).toThrowError(
    'Not set: file /dev/zero',
  );
});

(process.platform === 'linux' ? test : test.skip)('A file without an end is not read', () => {
  expect(() => resolveConnection(stdio({ args: ['${file:/proc/self/pagemap}'] }), options)).toThrowError(
    'Not set: file /proc/self/pagemap',
  );
});

test.each([
  ['${A}', 'one'],
  ['a-${A}-b', 'a-one-b'],
  ['${env:A}', 'one'],
  ['${A:-two}', 'one'],
  ['${B:-two}', 'two'],
  ['${EMPTY:-two}', 'two'],
  ['${EMPTY}', ''],
  ['${B:-}', ''],
  ['${B:-a:b-c}', 'a:b-c'],
  ['${B:-https://x/y}', 'https://x/y'],
  ['~', '/home/me'],
  ['~/x y', '/home/me/x y'],
  ['a~', 'a~'],
  ['${userHome}/x', '/home/me/x'],
  ['$A', '$A'],
  ['${command:pick}', '${command:pick}'],
  ['${}', '${}'],
  ['${A', '${A'],
  ['${env:ProgramFiles(x86)}', 'C:\\PF'],
  ['${A}${A}', 'oneone'],
  ['${workspaceFolder}', '/home/me'],
  ['--dir=${userHome}', '--dir=/home/me'],
])('The value %j becomes %j', (text, expected) => {
  expect(resolveConnection(stdio({ args: [text] }), options)).toMatchObject({ args: [expected] });
});

test('A value that contains a placeholder is not resolved again', () => {
  const env = { A: '${B}', B: 'inner' };
  expect(resolveConnection(stdio({ args: ['${A}'] }), { ...options, env })).toMatchObject({ args: ['${B}'] });
});

test.each([
  ['${secret:hub/token}', 'Run `toolkeep secrets set hub/token`, or restart'],
  ['${secret:a; curl x}', 'Set secret "a; curl x", or restart'],
  ['${NOPE}', 'Set NOPE, or restart'],
  ['${file:/not/there}', 'Set file /not/there, or restart'],
])('The hint for a missing %j suggests a command only for a plain name', (text, hint) => {
  expect(() => resolveConnection(stdio({ args: [text] }), options)).toThrowError(
    expect.objectContaining({ failure: expect.objectContaining({ hint: expect.stringContaining(hint) }) }),
  );
});

test('All missing values are named at once, without any value', () => {
  const connection = stdio({
    args: ['${NOPE}', '${A}'],
    env: { X: '${secret:gone}', Y: '${input:pat}', Z: '${file:/not/there}' },
  });
  expect(() => resolveConnection(connection, options)).toThrowError(
    expect.objectContaining({
      failure: expect.objectContaining({
        code: 'SECRET_MISSING',
        message: 'Not set: NOPE, secret "gone", input "pat", file /not/there.',
      }),
    }),
  );
});

test('The URL and headers are resolved, and a relative cwd starts at the home folder', () => {
  expect(
    resolveConnection({ type: 'http', url: 'https://${A}.example', headers: { H: 'Bearer ${A}' } }, options),
  ).toMatchObject({
    type: 'http',
    url: 'https://one.example',
    headers: { H: 'Bearer one' },
  });
  expect(resolveConnection(stdio({ cwd: 'sub' }), options)).toMatchObject({ cwd: '/home/me/sub' });
  expect(resolveConnection(stdio({ cwd: '~/sub' }), options)).toMatchObject({ cwd: '/home/me/sub' });
});

test('A folder is inserted unchanged, whatever placeholders its name contains', () => {
  const folder = '/work/${A}/$&';
  expect(resolveConnection(stdio({ args: ['--root=${workspaceFolder}'] }), { ...options, folder })).toMatchObject({
    args: [`--root=${folder}`],
    cwd: folder,
  });
});

test('A variable in `env` overrides envFile, and a missing envFile is reported', () => {
  const envFile = join(host.homeDir, '.env');
  writeFileSync(
    envFile,
    '\uFEFF# comment\nexport A=1\nB="two # not a comment" # one\nC=\'three\'\nD=a#b\nE=\nbad line\nF=x=y\r\n',
  );
  const resolved = resolveConnection(stdio({ envFile, env: { A: 'own' } }), options);
  expect(resolved).toMatchObject({
    env: { A: 'own', B: 'two # not a comment', C: 'three', D: 'a#b', E: '', F: 'x=y' },
  });
  expect(() => resolveConnection(stdio({ envFile: '/not/there' }), options)).toThrowError(/\/not\/there/);
});

test('${file:…} resolves to the content without its final newline', () => {
  const file = join(host.homeDir, 'token');
  writeFileSync(file, 'abc\n');
  expect(resolveConnection(stdio({ args: [`\${file:${file}}`] }), options)).toMatchObject({ args: ['abc'] });
});

const canary = 'canary-7Hq2xW9pLm4';
const server: ServerConfig = {
  name: 'git hub',
  enabled: true,
  connection: stdio({
    command: 'npx',
    args: [
      'x',
      '--api-key',
      `${canary}-1`,
      `--token=${canary}-2`,
      '--header',
      `Authorization: Bearer ${canary}-3`,
      `postgres://u:${canary}-4@db/x?sslmode=on&password=${canary}-5`,
    ],
    env: {
      GITHUB_TOKEN: `${canary}-6`,
      PLAIN: 'stays',
      URL: `https://x.example/?api_key=${canary}-7`,
      REF: '${GITHUB_TOKEN}',
    },
  }),
};

test('moveToVault leaves only references, and resolving them restores every value', async () => {
  const vault = await openVault(host);
  const { server: moved, moved: names } = await moveToVault(server, vault);
  expect(JSON.stringify(moved)).not.toContain(canary);
  expect(plainSecrets(moved.connection)).toEqual([]);
  expect(names).toHaveLength(7);
  const env = { GITHUB_TOKEN: 'from env' };
  const { secrets: _, ...before } = resolveConnection(server.connection, { ...options, env });
  expect(await resolveWithVault(moved.connection, { ...options, env, vault })).toEqual(before);
  // A second Core on the same machine reads them; none is in plain text on disk.
  const again = await openVault(host);
  expect(await resolveWithVault(moved.connection, { ...options, env, vault: again })).toEqual(before);
  for (const file of readdirSync(host.dataDir))
    expect(readFileSync(join(host.dataDir, file), 'utf8')).not.toContain(canary);
  expectMode(join(host.dataDir, 'vault.json'), 0o600);
});

test('The headers and URL of a remote server move as well', async () => {
  const vault = await openVault(host);
  const remote: ServerConfig = {
    name: 'r',
    enabled: true,
    connection: {
      type: 'http',
      url: `https://x.example/mcp?token=${canary}-1`,
      headers: { Authorization: `Bearer ${canary}-2`, Accept: 'a' },
    },
  };
  const { server: moved } = await moveToVault(remote, vault);
  expect(moved.connection).toEqual({
    type: 'http',
    url: 'https://x.example/mcp?token=${secret:r/token}',
    headers: { Authorization: 'Bearer ${secret:r/Authorization}', Accept: 'a' },
  });
  const { secrets: _, ...before } = resolveConnection(remote.connection, options);
  expect(await resolveWithVault(moved.connection, { ...options, vault })).toEqual(before);
});

test('Different values never share a name, and equal values do', async () => {
  const vault = await openVault(host);
  const one = await moveToVault({ ...server, connection: stdio({ env: { TOKEN: 'first-value' } }) }, vault);
  const two = await moveToVault({ ...server, connection: stdio({ env: { TOKEN: 'second-value' } }) }, vault);
  const three = await moveToVault({ ...server, connection: stdio({ env: { TOKEN: 'first-value' } }) }, vault);
  expect([one.moved, two.moved, three.moved]).toEqual([['git hub/TOKEN'], ['git hub/TOKEN-2'], ['git hub/TOKEN']]);
});

test('With a sealer that is not persistent, nothing is written and an existing vault is unchanged', async () => {
  const vault = await openVault(host);
  await vault.set('kept', canary);
  const file = join(host.dataDir, 'vault.json');
  const before = readFileSync(file, 'utf8');
  const memory = await openVault({ ...host, sealer: memorySealer() });
  await memory.set('new', canary);
  expect(memory.persistent).toBe(false);
  expect((await memory.reveal(['new', 'kept'])).get('new')).toBe(canary);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('A damaged vault is renamed and logged, and is never fatal', async () => {
  const file = join(host.dataDir, 'vault.json');
  writeFileSync(file, '{"version":1,"secrets":');
  const vault = await openVault(host);
  expect(vault.names()).toEqual([]);
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(host.dataDir).some((name) => name.startsWith('vault.json.damaged-'))).toBe(true);
  expect(host.logged.some(({ level }) => level === 'error')).toBe(true);
});

test('A secret that cannot be unsealed counts as missing and is named without its value', async () => {
  await (await openVault(host)).set('a', canary);
  const broken: Sealer = { ...persistentSealer, unseal: async () => Promise.reject(new Error('no key')) };
  const vault = await openVault({ ...host, sealer: broken });
  await expect(resolveWithVault(stdio({ env: { A: '${secret:a}' } }), { ...options, vault })).rejects.toThrowError(
    /secret "a"/,
  );
});

test('Concurrent writes are all saved, and removed secrets are gone', async () => {
  const vault = await openVault(host);
  await Promise.all(Array.from({ length: 20 }, (_, index) => vault.set(`n${index}`, `v${index}`)));
  await vault.remove('n3');
  const again = await openVault(host);
  expect(again.names()).toHaveLength(19);
  expect((await again.reveal(['n19', 'n3'])).size).toBe(1);
});

test('secretsToInputs replaces every plain-text secret with an input', () => {
  const bare = secretsToInputs(server);
  expect(JSON.stringify(bare)).not.toContain(canary);
  expect(secretNames(bare.connection, 'git hub')).toContain('git hub/input:GITHUB_TOKEN');
});
