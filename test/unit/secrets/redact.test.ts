/** The detection of secrets, and redaction that leaves no part of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainSecrets } from '../../../electron/core/secrets/plain-secrets.ts';
import { describeConnection, redact, redactText, redactUrl } from '../../../electron/core/secrets/redact.ts';
import { createValueRedactor } from '../../../electron/core/secrets/redact-values.ts';
import { looksSecret } from '../../../electron/core/secrets/secret-names.ts';
import { redaction } from '../../../electron/core/secrets/token-patterns.ts';
import type { Connection } from '../../../shared/model/server.ts';

/** Invented tokens, assembled at run time to avoid alarms from secret scanners. */
const tokens = {
  github: `gh${'p_'}16C7e42F292c6912E7710c838347Ae178B4a`,
  githubFine: `github${'_pat_'}11AAAAAAA0aBcDeFgHiJkL_mNoPqRsTuVwXyZ0123456789`,
  openai: `sk${'-proj-'}Abc123Def456Ghi789Jkl012Mno345`,
  anthropic: `sk${'-ant-'}api03-Abc123Def456Ghi789-Jkl012`,
  slack: `xox${'b-'}123456789012-1234567890123-AbCdEfGhIjKlMnOp`,
  aws: `AK${'IA'}IOSFODNN7EXAMPLE`,
  gitlab: `gl${'pat-'}AbCdEfGhIj0123456789`,
  jwt: `ey${'JhbGciOiJIUzI1NiJ9'}.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U`,
  google: `AI${'za'}SyA1234567890abcdefghijklmnopqrstuv`,
  stripe: `sk${'_live_'}4eC39HqLyjWDarjtT1zdp7dc`,
  notion: `ntn${'_'}1234567890abcdefghijABCDEFGHIJ1234567890`,
  linear: `lin${'_api_'}AbCdEfGhIjKlMnOpQrStUvWx`,
  huggingFace: `hf${'_'}AbCdEfGhIjKlMnOpQrStUvWxYz`,
  webhook: `wh${'sec_'}+/+/+/+/+/+/+/+/+/+/AbCdEfGhIj12`,
  slackShort: `xox${'p-'}a1b2c3d4e5`,
  jwtShort: `ey${'J12345678'}.abcdefgh`,
  pem: `-----BEGIN RSA ${'PRIVATE'} KEY-----\nMIIEpAIBAAKCAQEA7bq\nabc+/=\n-----END RSA PRIVATE KEY-----`,
};

describe('A token of a known shape', () => {
  for (const [kind, token] of Object.entries(tokens)) {
    test(`is secret under any name and redacted everywhere: ${kind}`, () => {
      expect(looksSecret('comment', token)).toBe(true);
      for (const text of [token, `use ${token}, please`, `x=${token}`, `"${token}"`, `a/${token}/b`]) {
        expect(redactText(text)).not.toContain(token.slice(-12));
      }
      expect(JSON.stringify(redact({ deep: [{ note: `see ${token}` }] }))).not.toContain(token.slice(-12));
    });
  }
});

test.each([
  'GITHUB_TOKEN',
  'OPENAI_API_KEY',
  'api-key',
  'apiKey',
  'X-Api-Key',
  'x_goog_api_key',
  'Authorization',
  'Proxy-Authorization',
  'PGPASSWORD',
  'DB_PASS',
  'password',
  'client_secret',
  'AWS_SECRET_ACCESS_KEY',
  'accessKey',
  'PRIVATE_KEY',
  'Cookie',
  'refreshToken',
  'connection_string',
  'SLACK_WEBHOOK_URL',
  'authToken',
  'STRIPE_KEY',
  'ENCRYPTION_KEY',
  'API_KEYS',
  'jwt',
])('The name %s makes its value secret', (name) => {
  expect(looksSecret(name, 'hunter22')).toBe(true);
});

test.each([
  'MAX_TOKENS',
  'token_count',
  'KEY_FILE',
  'keyboard',
  'issueKey',
  'sort_key',
  'public_key',
  'AUTH_TYPE',
  'TOKEN_URL',
  'author',
  'monkey',
  'NODE_ENV',
  'path',
  'passive',
  'SECRET_NAME',
  'tokenizer',
  'compass',
  'key',
  'SSH_AUTH_SOCK',
  'API_KEY_HEADER',
])('The name %s does not make its value secret', (name) => {
  expect(looksSecret(name, 'hunter22')).toBe(false);
});

test.each([
  ['${GITHUB_TOKEN}'],
  ['Bearer ${TOKEN}'],
  ['${input:pat}'],
  [''],
  ['   '],
  ['<YOUR_API_KEY>'],
  ['REPLACE_ME'],
  ['your-api-key-here'],
  ['xxxxxxxx'],
  ['true'],
  ['oauth2'],
  ['YOUR_TOKEN'],
  ['insert-key-here'],
])('%j is not a secret even under a secret name', (value) => {
  expect(looksSecret('API_TOKEN', value)).toBe(false);
});

test.each([
  ['https://user:hunter22@example.com/x', 'hunter22'],
  ['https://example.com/mcp?api_key=hunter22&x=1', 'hunter22'],
  ['https://example.com/mcp?x=1&token=hunter22#end', 'hunter22'],
  ['https://example.com/#access_token=hunter22', 'hunter22'],
  ['https://hooks.example.com/services/T0000/B000/XxYyZz0123456789abcdefgh', 'XxYyZz0123456789abcdefgh'],
  ['postgres://admin:p%40ss!word@db:5432/x', 'p%40ss!word'],
  ['postgresql://u:a@b@host/db', 'a@b'],
  ['Server=db;User=x;Password=hunter22;', 'hunter22'],
  ['Authorization: Bearer hunter22abc', 'hunter22abc'],
  ['curl -H "Authorization: Basic aHVudGVyMjI6eA==" x', 'aHVudGVyMjI6eA=='],
  ['{"password": "hunter22"}', 'hunter22'],
  ['--api-key=hunter22', 'hunter22'],
  ['GITHUB_TOKEN=hunter22', 'hunter22'],
])('Only the secret part of %j is redacted', (text, secret) => {
  const shown = redactText(text);
  expect(shown).not.toContain(secret);
  expect(shown).toContain(redaction);
  expect(shown.slice(0, 4)).toBe(text.slice(0, 4));
});

test.each([
  'https://example.com/mcp?limit=5',
  'npx -y @modelcontextprotocol/server-github',
  'a: b',
  '/usr/bin/node',
  'C:\\tools\\x.exe',
  'max_tokens=500',
  'https://example.com/${TOKEN}?key=${KEY}',
  'git@github.com:owner/repo.git',
  'issue_key: PROJ-12',
  'https://api.example.com/orgs/0a1b2c3d-1111-2222-3333-444455556666/mcp',
  'Bearer ${TOKEN}',
  'https://github.com/modelcontextprotocol/modelcontextprotocol-servers-archived',
])('%j is not redacted', (text) => {
  expect(redactText(text)).toBe(text);
});

test('describeConnection redacts every secret in a command line', () => {
  const connection: Connection = {
    type: 'stdio',
    command: 'npx',
    args: [
      '-y',
      'thing',
      '--api-key',
      'hunter22',
      '--header',
      'Authorization: Bearer abc123def',
      '--name',
      'a b',
      '--token=${T}',
    ],
    env: { X: 'not shown' },
  };
  expect(describeConnection(connection)).toBe(
    `npx -y thing --api-key ${redaction} --header "Authorization: Bearer ${redaction}" --name "a b" --token=\${T}`,
  );
  expect(
    describeConnection({ type: 'http', url: 'https://a.example/mcp?key=k9k9k9k9k9k9k9k9k9k9k9&a=1', headers: {} }),
  ).toBe(`https://a.example/mcp?key=${redaction}&a=1`);
});

test('redact copies, redacts by name and by section, and leaves everything else unchanged', () => {
  const value = {
    user: 'anna',
    password: 'x',
    nested: { apiKey: 'abc', list: ['--token', 'abc', 'plain'] },
    count: 3,
    pin: 1234,
    headers: { Authorization: 'Bearer abc', Accept: 'text/html' },
    env: [
      { name: 'API_KEY', value: 'abc' },
      { name: 'HOME', value: '/root' },
    ],
    secrets: { whatever: 'abc', deeper: { still: 7 } },
    none: null,
    yes: true,
  };
  const before = structuredClone(value);
  expect(redact(value)).toEqual({
    user: 'anna',
    password: redaction,
    nested: { apiKey: redaction, list: ['--token', redaction, 'plain'] },
    count: 3,
    pin: redaction,
    headers: { Authorization: `Bearer ${redaction}`, Accept: 'text/html' },
    env: [
      { name: 'API_KEY', value: redaction },
      { name: 'HOME', value: '/root' },
    ],
    secrets: { whatever: redaction, deeper: { still: redaction } },
    none: null,
    yes: true,
  });
  expect(value).toEqual(before);
});

test('A known value is redacted in every form in which programs print it', () => {
  const value = 'p@ss "wörd" 1/2';
  const redactValue = createValueRedactor([value, 'unrelated']);
  const base64 = (text: string, as: 'base64' | 'base64url' = 'base64') => Buffer.from(text).toString(as);
  for (const form of [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    base64(value),
    base64(value, 'base64url'),
    ...['a', 'ab', 'abc'].map((user) => base64(`${user}:${value}`)),
    base64(JSON.stringify({ user: 'me', key: 'unrelated' })),
  ]) {
    expect(redactValue(`before ${form} after`), form).toBe(`before ${redaction} after`);
    expect(redactValue(`https://a.example/x/${form}?y=1`)).not.toContain(form);
  }
  const key = `ghp_${'aB3'.repeat(30)}`;
  const redactKey = createValueRedactor([key]);
  const lines = base64(`first ${key} last`).match(/.{1,76}/g) ?? [];
  for (const lineBreak of ['\n', '\r\n', '\\n'])
    expect(redactKey(lines.join(lineBreak))).toMatch(/^Zmlyc3Qg•{6}[\w=]{0,8}$/);
  expect(redactValue(`token_${base64(value)}`)).toBe(redaction);
  expect(redactValue(`{"text":"one\\n${base64(value)}"}`)).toBe(`{"text":"one\\n${redaction}"}`);
  for (const harmless of [
    'aHR0cHM6Ly9hLmV4YW1wbGU=',
    'createElicitationQuestion',
    '/home/me/Projects/toolkeep/Electron',
  ])
    expect(redactValue(harmless)).toBe(harmless);
});

test('redact terminates on cycles and on hostile depth', () => {
  const cycle: Record<string, unknown> = { a: 1 };
  cycle.self = cycle;
  expect(redact(cycle)).toEqual({ a: 1, self: '…' });
  let deep: unknown = 'x';
  for (let depth = 0; depth < 10_000; depth += 1) deep = { deep };
  expect(() => JSON.stringify(redact(deep))).not.toThrow();
});

test('Redacting a megabyte of hostile input terminates', () => {
  const redactValue = createValueRedactor(['a-value-of-the-vault']);
  for (const part of ['aB', 'aB/', 'aB= ', `${'aB'.repeat(3000)} `]) redactValue(part.repeat(1_000_000 / part.length));
  const unit = [
    'eyJaaaaaaaaa-',
    'sk-a',
    'a.',
    '--',
    'http://',
    'a:',
    'Bearer ',
    '-----BEGIN A PRIVATE KEY-----',
    'SG.aaaaaaaaaaaaaaaaaaaa.',
    '"a"',
    '${',
    ' = ',
  ];
  for (const piece of unit) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(typeof redactText(text)).toBe('string');
    expect(typeof looksSecret('x', text)).toBe('boolean');
  }
});

test('The description of any connection contains nothing that plainSecrets finds', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9]{8}[0-9][a-z]{3,20}$/);
  const name = fc.constantFrom('API_KEY', 'token', 'X-Secret', 'password');
  fc.assert(
    fc.property(name, secret, fc.constantFrom('flag', 'equals', 'env', 'query', 'header'), (key, value, form) => {
      fc.pre(!/^(?:xxx|oauth)/i.test(value));
      const args =
        form === 'flag'
          ? [`--${key}`, value]
          : form === 'equals'
            ? [`--${key}=${value}`]
            : form === 'env'
              ? ['-e', `${key}=${value}`]
              : [];
      const connection: Connection =
        form === 'query'
          ? { type: 'http', url: `https://x.example/mcp?a=1&${key}=${value}`, headers: {} }
          : form === 'header'
            ? { type: 'stdio', command: 'npx', args: ['mcp-remote', '--header', `${key}: ${value}`], env: {} }
            : { type: 'stdio', command: 'docker', args, env: {} };
      expect(plainSecrets(connection).map((found) => found.value)).toEqual([value]);
      expect(describeConnection(connection)).not.toContain(value);
    }),
  );
});

test.each([
  'https:\\\\user:hunter2@example.com/x',
  'https:/user:hunter2@example.com',
  'HTTP:user:hunter2@example.com',
  'https://user:hunter2@example.com\\x@y',
])('The password in %s, which a browser accepts as a web address, is redacted', (address) => {
  expect(URL.parse(address)?.password).toBe('hunter2');
  expect(redactUrl(address)).not.toContain('hunter2');
});

test('All secrets in a very long URL are redacted', () => {
  const value = 'abcdefgh1';
  const url = `https://example.com/?${`token=${value}&`.repeat(50_000)}last=x`;
  const shown = redactUrl(url);
  expect(shown).not.toContain(value);
  expect(shown).toBe(url.replaceAll(value, redaction));
});

test('The value of a short flag is redacted if it looks generated', () => {
  for (const flag of ['-s', '-t', '-k']) {
    expect(looksSecret(flag, 'abcdEFGH1234ijklMNOP5678')).toBe(true);
    expect(looksSecret(flag, '/home/user1/projects/service')).toBe(false);
    expect(looksSecret(flag, 'stdio')).toBe(false);
  }
});
