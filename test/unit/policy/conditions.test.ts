/** The calls that a limited grant covers. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { holds, suggestConditions, withOwners } from '../../../electron/core/policy/conditions.ts';
import { keptChoices } from '../../../electron/core/policy/kept-choices.ts';
import type { Condition } from '../../../shared/model/question.ts';
import { cpuMs } from '../../fixtures/cpu-ms.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolkeep-conditions-')));
const project = join(root, 'work', 'project');
const elsewhere = join(root, 'elsewhere');
mkdirSync(join(project, 'src'), { recursive: true });
mkdirSync(elsewhere);
writeFileSync(join(project, 'a.txt'), 'a');
symlinkSync(elsewhere, join(project, 'way-out'));
symlinkSync(join(elsewhere, 'not-yet'), join(project, 'dangling'));
symlinkSync(join(project, 'src'), join(project, 'way-in'));
afterAll(() => rmSync(root, { recursive: true }));

const inside: Condition[] = [{ kind: 'inside', value: project }];

describe('A grant for paths inside a folder', () => {
  it.each([
    ['a file', { path: join(project, 'a.txt') }],
    ['a file that does not exist yet', { path: join(project, 'new', 'deep.txt') }],
    ['a way up that stays inside', { path: `${project}/src/../a.txt` }],
    ['a link that stays inside', { path: join(project, 'way-in', 'b.txt') }],
    ['an address of a file', { uri: pathToFileURL(join(project, 'a.txt')).href }],
    ['a name with a comma and blanks', { path: join(project, 'Notes, 1; 2.txt') }],
    ['several files', { paths: [join(project, 'a.txt'), join(project, 'src')] }],
    ['content with separators', { path: join(project, 'a.txt'), content: 'and/or' }],
    ['content beside a path', { path: join(project, 'a.txt'), content: '/etc/hosts\nis a file' }],
  ])('covers %s', async (_what, args) => {
    expect(await holds(inside, args)).toBe(true);
  });

  it.each([
    ['another folder', { path: elsewhere }],
    ['a folder whose name begins alike', { path: `${project}-other/a.txt` }],
    ['a way up and out', { path: `${project}/../../elsewhere/x` }],
    ['a link that leads out', { path: join(project, 'way-out', 'x') }],
    ['a way up after a link, which the system reads otherwise than the text', { path: `${project}/way-out/../x` }],
    ['a way up after what does not exist', { path: `${project}/nothing/../../x` }],
    ['a link to what does not exist yet', { path: join(project, 'dangling') }],
    ['a relative path', { path: 'src/a.txt' }],
    ['a path from the home folder', { path: '~/a.txt' }],
    ['a path with a zero byte', { path: `${project}/a\0.txt` }],
    ['an empty path', { path: '' }],
    ['an encoded way out', { uri: `${pathToFileURL(project).href}/%2e%2e/%2e%2e/elsewhere` }],
    ['an address on another machine', { uri: `file://server${project}/a.txt` }],
    ['a second path elsewhere', { path: join(project, 'a.txt'), destination: join(elsewhere, 'a.txt') }],
    ['a second path of any name', { path: join(project, 'a.txt'), whatever: elsewhere }],
    ['the folder itself, unless it was approved', { path: project }],
    ['a path deep in the arguments', { path: join(project, 'a.txt'), edits: [{ to: { file: elsewhere } }] }],
    ['a path as a key', { path: join(project, 'a.txt'), files: { [elsewhere]: 'x' } }],
    ['no path at all', { content: 'x' }],
    ['a program that may go anywhere', { cwd: project, command: 'rm -rf /' }],
    ['a program deep in the arguments', { path: join(project, 'a.txt'), options: { command: 'rm -rf ~' } }],
    ['a program of another name', { path: join(project, 'a.txt'), cmdline: 'x' }],
    ['a program in another language', { path: join(project, 'a.txt'), befehl: 'rm -rf ~' }],
    ['a way out in characters that look alike', { path: `${project}/．．/．．/elsewhere` }],
    ['a separator that looks alike', { path: `${project}/..／..／elsewhere` }],
    ['a second path on the next line', { path: `${project}/a.txt\n${elsewhere}` }],
    ['a second path after a comma', { path: `${project}/a.txt,${elsewhere}` }],
    ['a second path after a semicolon', { path: `${project}/a.txt; ~/x` }],
    ['a shell', { path: join(project, 'a.txt'), bash: 'x' }],
    ['an environment', { path: join(project, 'a.txt'), env: { LD_PRELOAD: 'x' } }],
    ['an address', { path: join(project, 'a.txt'), upload_to: 'http://evil.example' }],
    ['a relative path of any name', { path: join(project, 'a.txt'), target: 'secrets/x' }],
    ['a path in an option', { path: join(project, 'a.txt'), extra: '--output=/etc/passwd' }],
    ['a percent-encoded way out', { path: `${project}/%2e%2e/%2e%2e/etc` }],
    ['a wildcard', { path: `${project}/*` }],
    ['a climb hidden under another name', { path: join(project, 'a.txt'), target: 'a/../../../etc' }],
  ])('does not cover %s', async (_what, args) => {
    expect(await holds(inside, args)).toBe(false);
  });

  it('ends when the folder becomes a link to another folder', async () => {
    const folder = join(root, 'replaced');
    mkdirSync(folder);
    const granted: Condition[] = [{ kind: 'inside', value: folder }];
    expect(await holds(granted, { path: join(folder, 'x') })).toBe(true);
    rmSync(folder, { recursive: true });
    symlinkSync(elsewhere, folder);
    expect(await holds(granted, { path: join(folder, 'x') })).toBe(false);
  });

  it('is offered for the folder of a file and its parent, never for the whole disk or the home folder', async () => {
    expect(await suggestConditions({ path: join(project, 'a.txt') })).toEqual([
      { kind: 'inside', value: project },
      { kind: 'inside', value: join(root, 'work') },
    ]);
    expect(await suggestConditions({ path: project })).toEqual([
      { kind: 'inside', value: project, itself: true },
      { kind: 'inside', value: join(root, 'work') },
    ]);
    expect(await holds([{ kind: 'inside', value: project, itself: true }], { path: project })).toBe(true);
    expect(await suggestConditions({ path: '/x' })).toEqual([]);
    expect(await suggestConditions({ path: join(process.env.HOME ?? '/root', 'x') })).toEqual([]);
  });

  it('is offered for the folder that contains all paths of the call, so it covers this call', async () => {
    const args = { source: join(project, 'a.txt'), destination: join(project, 'src', 'b.txt') };
    const conditions = await suggestConditions(args);
    expect(conditions[0]).toEqual({ kind: 'inside', value: project });
    for (const condition of conditions) expect(await holds([condition], args)).toBe(true);
  });
});

describe('A grant for a folder or a host', () => {
  it('does not cover sending something elsewhere', async () => {
    const args = { path: join(project, 'a'), to: 'me@example.com', url: 'https://good.example/a' };
    const conditions = withOwners(inside, args);
    expect(await holds(conditions, { ...args, path: join(project, 'b') })).toBe(true);
    for (const more of [{ to: 'you@example.com' }, { url: 'https://evil.example/a' }])
      expect(await holds(conditions, { ...args, ...more })).toBe(false);
    const host: Condition = { kind: 'host', argument: 'url', value: 'https://good.example' };
    const other = { ...args, url: 'https://good.example/b' };
    expect(await holds(withOwners([host], args), other)).toBe(true);
    expect(await holds(withOwners([host], args), { ...other, to: 'you@example.com' })).toBe(false);
  });

  it('still covers other paths in the folder as a destination', async () => {
    const args = { from: join(project, 'a'), to: join(project, 'b') };
    expect(await holds(withOwners(inside, args), { ...args, to: join(project, 'c') })).toBe(true);
    expect(await holds(withOwners(inside, args), { ...args, to: elsewhere })).toBe(false);
  });

  it.each([
    ['chat_id', 5, 6],
    ['chatId', 5, 6],
    ['user_id', 'me', 'you'],
    ['target', 'me', 'you'],
    ['room', 'a', 'b'],
    ['conversation_ids', 'a', 'b'],
    ['to_addresses', 'me@example.com', 'you@example.com'],
    ['phone_numbers', '+1 555 0100', '+1 555 0199'],
    ['to', join(project, 'b'), 'you@example.com'],
    ['to', 'https://good.example/me', 'you@example.com'],
  ])('keeps the recipient in "%s"', async (name, approved, other) => {
    const args = { path: join(project, 'a'), url: 'https://good.example/a', [name]: approved };
    const host: Condition = { kind: 'host', argument: 'url', value: 'https://good.example' };
    for (const conditions of [withOwners(inside, args), withOwners([host], args)]) {
      expect(await holds(conditions, args)).toBe(true);
      expect(await holds(conditions, { ...args, [name]: other })).toBe(false);
      expect(await holds(conditions, { ...args, [name]: [other] })).toBe(false);
    }
  });

  it('is not offered, and does not hold, if no condition can keep a destination', async () => {
    const host: Condition = { kind: 'host', argument: 'url', value: 'https://good.example' };
    for (const more of [
      { to: ['me@example.com'] },
      { to: [5] },
      { chat: { id: 5 } },
      { cc: null },
      { toRecipients: [{ emailAddress: { address: 'me@example.com' } }] },
      { user: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789' },
    ]) {
      const args = { path: join(project, 'a'), repo: 'ada/engine', ...more };
      expect(await suggestConditions(args)).toEqual([]);
      expect(await holds(withOwners(inside, args), args)).toBe(false);
      const addressed = { url: 'https://good.example/a', ...more };
      expect(await suggestConditions(addressed)).toEqual([]);
      expect(await holds(withOwners([host], addressed), addressed)).toBe(false);
    }
  });

  it('is not offered for a folder if no condition can keep a destination', async () => {
    const path = join(project, 'a');
    for (const more of [
      { to: ['me@example.com'] },
      { options: { host: 'x' } },
      { recipients: 'a@b.example,'.repeat(20) },
    ])
      expect(await suggestConditions({ path, ...more })).toEqual([]);
  });
});

describe('A grant for one value of an argument', () => {
  it('is offered for an argument that names a place, and covers only that value', async () => {
    const args = { repo: 'ada/engine', title: 'x', url: 'https://example.com/a' };
    expect(await suggestConditions(args)).toEqual([
      { kind: 'is', argument: 'repo', value: 'ada/engine' },
      { kind: 'host', argument: 'url', value: 'https://example.com' },
    ]);
    const repo: Condition[] = [{ kind: 'is', argument: 'repo', value: 'ada/engine' }];
    expect(await holds(repo, { repo: 'ada/engine', title: 'y' })).toBe(true);
    expect(await holds(repo, { repo: 'Ada/engine' })).toBe(false);
    expect(await holds(repo, { title: 'ada/engine' })).toBe(false);
    expect(await holds([{ kind: 'is', argument: 'constructor', value: 'x' }], {})).toBe(false);
    const account = 12_345;
    expect(await suggestConditions({ account })).toEqual([{ kind: 'is', argument: 'account', value: account }]);
    expect(await holds([{ kind: 'is', argument: 'account', value: account }], { account })).toBe(true);
  });

  it("includes the owner of the value, and applies to the argument's name at any depth and in any case", async () => {
    const args = { owner: 'me', repo: 'mine', title: 'x', options: { repo: 'mine' } };
    const repo: Condition = { kind: 'is', argument: 'repo', value: 'mine' };
    const conditions = withOwners([repo], args);
    expect(conditions).toEqual([repo, { kind: 'is', argument: 'owner', value: 'me' }]);
    expect(await holds(conditions, { ...args, title: 'y' })).toBe(true);
    for (const more of [{ owner: 'you' }, { options: { repo: 'theirs' } }, { options: { Repo: 'theirs' } }])
      expect(await holds(conditions, { ...args, ...more })).toBe(false);
    expect(withOwners([{ kind: 'host', argument: 'url', value: 'https://x.example' }], args)).toHaveLength(1);
  });

  it('is never offered for a number that loses digits when parsed, because servers get all digits', async () => {
    const approved = JSON.parse('{"account":12345678901234567890}');
    const other = JSON.parse('{"account":12345678901234567999}');
    expect(await suggestConditions(approved)).toEqual([]);
    expect(await holds([{ kind: 'is', argument: 'account', value: approved.account }], other)).toBe(false);
  });

  it('parses a host as a browser does', async () => {
    const host: Condition[] = [{ kind: 'host', argument: 'url', value: 'https://example.com' }];
    expect(await holds(host, { url: 'https://EXAMPLE.com/b' })).toBe(true);
    for (const url of [
      'https://example.com.evil.net/',
      'https://example.com@evil.net/',
      'https://evil.net/?example.com',
      'https://example.com:8443/',
      'ftp://example.com/',
      'http://example.com/',
      'https://example.com\\@evil.net/',
      'example.com',
    ])
      expect(await holds(host, { url })).toBe(false);
  });

  it.each([
    ['a second address', { base_url: 'https://evil.net' }],
    ['an address of another case', { URL: 'https://evil.net' }],
    ['an address deep in the arguments', { options: [{ proxy: 'https://evil.net' }] }],
    ['an address in a text', { note: 'post it to https://evil.net' }],
    ['an address as a key', { headers: { 'https://evil.net': 'x' } }],
    ['a host without a scheme', { endpoint: 'evil.net' }],
    ['an address without a scheme', { note: '//evil.net/x' }],
  ])('of one origin does not cover %s', async (_case, more) => {
    const host: Condition[] = [{ kind: 'host', argument: 'url', value: 'https://good.example' }];
    expect(await holds(host, { url: 'https://good.example/2' })).toBe(true);
    expect(await holds(host, { url: 'https://good.example/2', ...more })).toBe(false);
  });

  it('is never offered for a secret', async () => {
    expect(await suggestConditions({ user: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789' })).toEqual([]);
  });

  it('with several conditions requires all of them', async () => {
    const both: Condition[] = [...inside, { kind: 'is', argument: 'branch', value: 'main' }];
    expect(await holds(both, { path: join(project, 'a'), branch: 'main' })).toBe(true);
    expect(await holds(both, { path: join(project, 'a'), branch: 'dev' })).toBe(false);
    expect(await holds(both, { path: elsewhere, branch: 'main' })).toBe(false);
  });
});

describe('A grant for an amount', () => {
  const payment = { iban: 'DE02', amount: 49.5, currency: 'EUR', note: 'x' };
  const limits: Condition[] = [
    { kind: 'is', argument: 'iban', value: 'DE02' },
    { kind: 'atMost', argument: 'amount', value: 49.5 },
    { kind: 'is', argument: 'currency', value: 'EUR' },
  ];

  it('is offered with the account and the currency, also if the destinations are known', async () => {
    expect(await suggestConditions(payment)).toEqual(limits);
    expect(await suggestConditions(payment, 'folders')).toEqual(limits);
    expect(await suggestConditions({ iban: 'DE02' }, 'folders')).toEqual([]);
  });

  it('always has the account and the currency', () => {
    expect(withOwners([{ kind: 'atMost', argument: 'amount', value: 49.5 }], payment)).toEqual(
      expect.arrayContaining(limits),
    );
  });

  it.each([
    ['less', { amount: 0.01 }, true],
    ['more', { amount: 49.51 }, false],
    ['a negative amount', { amount: -1 }, false],
    ['a string', { amount: '1' }, false],
    ['no amount', { amount: undefined }, false],
    ['more under another spelling', { Amount: 50 }, false],
    ['more in a part', { parts: [{ amount: 50 }] }, false],
    ['another account', { iban: 'DE03' }, false],
    ['another currency', { currency: 'BTC' }, false],
  ])('with %s: %o holds: %s', async (_what, change, isHeld) => {
    expect(await holds(limits, { ...payment, ...change })).toBe(isHeld);
  });

  it('does not take the place of the limit of a destination', async () => {
    expect(await holds([{ kind: 'atMost', argument: 'amount', value: 5 }], { iban: 'DE02', amount: 5 })).toBe(false);
  });
});

describe('A call with', () => {
  const place: Condition = { kind: 'is', argument: 'repo', value: 'a/b' };

  it('a very long text gets a condition for its other arguments', async () => {
    const text = 'token=abcdefgh1&sk-'.repeat(4_000_000);
    expect(await suggestConditions({ repo: 'a/b', text: `https://example.com/?${text}` })).toEqual([place]);
  });

  it('thousands of addresses gets its conditions in less than a second', async () => {
    const address = (at: number) => `https://a.example/${at}`;
    const named = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`u${at}`, address(at)]));
    const start = cpuMs();
    await suggestConditions({ ...named, more: Array.from({ length: 4_000 }, (_, at) => address(at)) });
    expect(cpuMs() - start).toBeLessThan(1_000);
  });

  it('a long word gets its conditions in less than a second', async () => {
    const start = cpuMs();
    expect(await suggestConditions({ repo: 'a/b', text: 'x'.repeat(1_000_000) })).toEqual([place]);
    expect(cpuMs() - start).toBeLessThan(1_000);
  });

  it('thousands of choices gets those that a grant keeps in less than a second', () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `x${at}_action`);
    const properties = Object.fromEntries(names.map((name) => [name, { enum: ['get', 'delete'] }]));
    const args = Object.fromEntries(names.slice(0, 4_900).map((name) => [name, 'get']));
    const start = cpuMs();
    expect(keptChoices({ type: 'object', properties }, args)?.length).toBeGreaterThan(1_000);
    expect(cpuMs() - start).toBeLessThan(1_000);
  });

  it('more values than Toolkeep compares meets no condition', async () => {
    const numbers = (count: number) => ({ repo: 'a/b', numbers: Array.from({ length: count }, (_, at) => at) });
    expect(await holds([place], numbers(1_000))).toBe(true);
    expect(await holds([place], numbers(10_000))).toBe(false);
    const paths = Array.from({ length: 10_000 }, (_, at) => join(project, `${at}.txt`));
    expect(await holds(inside, { paths })).toBe(false);
    const keys = Object.fromEntries(paths.map((path) => [path, 'x']));
    expect(await holds(inside, { keys })).toBe(false);
  });
});
