/** Secrets in the place of names, and secrets inside other values: found at import in each client's format. */
import { describe, expect, it, test } from 'vitest';
import { notesOn } from '../../../electron/core/clients/import/check.ts';
import { understand } from '../../../electron/core/clients/import/normalize.ts';
import { plainSecrets } from '../../../electron/core/secrets/plain-secrets.ts';
import { resolveConnection, tryResolve } from '../../../electron/core/secrets/resolve.ts';
import type { Connection } from '../../../shared/model/server.ts';

const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const uuid = '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0';
const hex = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const none = { urlMeans: undefined, timeoutUnit: undefined, placeholders: ['dollar', 'braced-env'] as const };
const url = 'https://mcp.example.com/mcp';

function imported(value: Record<string, unknown>) {
  const { server, notes, unusable } = understand(
    { name: 'a', value, path: ['a'] },
    { ...none, placeholders: [...none.placeholders] },
  );
  expect(unusable).toBeUndefined();
  return { connection: server.connection, notes: [...notes, ...notesOn(server.connection)] };
}
const isSet = (connection: Connection) => tryResolve(connection, { env: {}, homeDir: '/' }).missing.length === 0;

describe('A value in the place of a name', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['a bearer token', { url, bearer_token_env_var: token }, token],
    ['a bearer token with its scheme', { url, bearer_token_env_var: `Bearer ${uuid}` }, uuid],
    ['a hexadecimal token', { url, bearer_token_env_var: hex }, hex],
    ['a header', { url, env_http_headers: { 'X-Api-Key': uuid } }, uuid],
    ['a variable in a header', { url, headers: { Authorization: `Bearer \${${token}}` } }, token],
    ['a variable with a dollar', { url, headers: { Authorization: `Bearer $${token}` } }, token],
    ['an input', { command: 'npx', env: { API_KEY: `\${input:${uuid}}` } }, uuid],
    ['a variable in braces', { command: 'npx', args: ['--api-key', `{env:${token}}`] }, token],
    ['a passed variable', { command: 'npx', env_vars: [`API_KEY=${uuid}`] }, uuid],
    ['the key for the token itself', { url, bearer_token: hex }, hex],
  ])('is the value: %s', (_name, entry, value) => {
    const { connection, notes } = imported(entry);
    expect(plainSecrets(connection).map((secret) => secret.value)).toEqual([value]);
    expect(isSet(connection)).toBe(true);
    expect(notes.join('\n')).toMatch(/secret in plain text/);
    expect(notes.join('\n')).not.toContain(value);
  });

  it('is left out where it has no place', () => {
    for (const list of [{ env_vars: [token] }, { env_keys: [token] }])
      expect(JSON.stringify(imported({ command: 'npx', ...list }))).not.toContain(token);
  });

  it('is not shown in the message about a missing value', () => {
    for (const name of [token, `input:${uuid}`, `secret:${hex}`]) {
      const connection = { type: 'http' as const, url, headers: { Authorization: `\${${name}}` } };
      const failing = () => resolveConnection(connection, { env: {}, homeDir: '/', server: 'a' });
      expect(failing).toThrow('Not set: ');
      const { missing } = tryResolve(connection, { env: {}, homeDir: '/', server: 'a' });
      expect(JSON.stringify(missing)).not.toMatch(/ghp_|0b1c|9f8e/);
    }
  });

  it.each([
    'GITHUB_TOKEN',
    'AWS_S3_BUCKET_2024_EU1_KEY',
    'github-personal-access-token-v2',
    'K8S_CLUSTER_TOKEN_20241231',
  ])('is not seen in the name %s', (name) => {
    const { connection } = imported({ command: 'npx', env: { A: `\${input:${name}}` } });
    expect(JSON.stringify(connection)).toContain(`\${input:${name}}`);
  });
});

describe('A secret inside another value', () => {
  const args = (...list: string[]): Connection => ({ type: 'stdio', command: 'npx', args: list, env: {} });
  const env = (value: string): Connection => ({ type: 'stdio', command: 'npx', args: [], env: { MCP_HEADERS: value } });
  const header = (value: string): Connection => ({ type: 'http', url, headers: { 'X-Forward': value } });
  test.each<[string, Connection, string[]]>([
    ['JSON in an argument', args('--config', `{"exaApiKey":"${uuid}"}`), [uuid]],
    ['JSON after an equals sign', args(`--config={"a":{"api_key": "${uuid}"}}`), [uuid]],
    ['JSON with escaped quotes', args('--config', `{\\"exaApiKey\\":\\"${uuid}\\"}`), [uuid]],
    ['JSON in a variable', env(`{"Authorization":"Bearer ${hex}","Accept":"json"}`), [hex]],
    ['a header line', env(`Authorization: Bearer ${hex}`), [hex]],
    ['several header lines', env(`Accept: json\nX-Api-Key: ${uuid}\nAuthorization: Bearer ${hex}`), [uuid, hex]],
    ['a scheme word', env(`Bearer ${hex}`), [hex]],
    ['a short pair after Basic', header('Basic dXNlcjpwYXNz'), ['dXNlcjpwYXNz']],
    ['a word after Basic', env('Basic Authentication'), []],
    ['a placeholder of another client', header('Bearer {{PAT_2}}'), []],
    ['JSON without a secret', args('--config', '{"keyboard":"qwerty123456"}'), []],
  ])('%s', (_name, connection, values) => {
    const found = plainSecrets(connection);
    expect(found.map(({ value }) => value)).toEqual(values);
    for (const { at, offset, value } of found) {
      const stored = connection.type === 'stdio' && at.part === 'args' ? connection.args[at.index] : undefined;
      const named = 'key' in at && (connection.type === 'stdio' ? connection.env : connection.headers)[at.key];
      expect((stored ?? (named || '')).slice(offset, offset + value.length)).toBe(value);
    }
  });
});
