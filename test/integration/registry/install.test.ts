/**
 * From a registry entry to a running server: the plan, the binding to its hash, and what is checked first.
 *
 * @module-tag exhaustive
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';
import { longestTurn } from '../../fixtures/longest-turn.ts';
import { npmPackage, registryItem } from '../../fixtures/registry.ts';
import {
  choose,
  filesystem,
  install,
  npm,
  plan,
  refused,
  registry,
  start,
  startRegistries,
  version,
} from './install-harness.ts';

startRegistries();

it('Entries with long texts for every option hold no search', async () => {
  const packageArguments = [{ type: 'positional', value: '{v}'.repeat(500) }];
  const expanding = npmPackage('a', '1.0.0', { variables: { v: { value: 'x'.repeat(1_300) } }, packageArguments });
  const packages = Array.from({ length: 20 }, () => expanding);
  registry.items = Array.from({ length: 20 }, (_, at) => registryItem(`io.github.evil/notes-${at}`, { packages }));
  const { core } = await start();
  const { result, ms } = await longestTurn(async () => core.handlers['registry.search']({ query: 'notes', limit: 20 }));
  expect(result.cards.map(({ options }) => options[0]?.refused)).toEqual(
    Array.from({ length: 20 }, () => 'The entry asks for too many values.'),
  );
  expect(ms).toBeLessThan(500);
}, 30_000);

it('Entries of ever new words fill neither the memory nor a turn of Core', async () => {
  let words = 0;
  const text = () => Array.from({ length: 300 }, () => `w${(words++).toString(36)}q`).join(' ');
  const names = Array.from({ length: 2_500 }, (_, at) => `io.github.evil/notes-${at}`);
  const last = 'io.github.evil/notes-of-last-week';
  const described = [...names, last].map((name) => ({ name, description: text() }));
  registry.items = described.map(({ name, description }) => registryItem(name, { title: text(), description }));
  const { result, ms } = await longestTurn(() => start());
  expect(ms).toBeLessThan(500);
  const find = async (query: string) => {
    const { cards } = await result.core.handlers['registry.search']({ query, limit: 5 });
    return cards.map(({ name }) => name);
  };
  const [first = [], others = []] = [described[0], described.at(-1)].map(
    (entry) => entry?.description.split(' ') ?? [],
  );
  expect(await find(first[0] ?? '')).toContain(names[0]);
  expect(await find(first.at(-1) ?? '')).not.toContain(names[0]);
  // By then, the list has more different words than its index keeps.
  expect(await find(others[0] ?? '')).not.toContain(last);
  expect(await find('notes of last week')).toContain(last);
}, 60_000);

describe('An npm package', () => {
  it('is found, planned, installed as shown, and its tools run', async () => {
    const trial = await start();
    const { cards } = await trial.core.handlers['registry.search']({ query: 'files', limit: 5 });
    expect(cards[0]).toMatchObject({ name: 'io.github.acme/files', needs: { runtime: 'npx', files: 1, secrets: 0 } });

    const { hash: none, problems } = await plan(trial, choose('files'));
    expect([none, problems]).toEqual([undefined, { folder: 'Required.' }]);
    const choice = choose('files', { folder: trial.host.homeDir });
    const shown = await plan(trial, choice);
    expect(shown).toMatchObject({
      server: 'files',
      command: ['npx', '-y', `${filesystem}@${version}`, trial.host.homeDir],
      files: [trial.host.homeDir],
      hosts: [new URL(npm.url).host],
      ownership: { state: 'confirmed' },
      integrity: expect.stringMatching(/^sha512-/),
      runtime: { isMissing: false },
    });
    expect(await install(trial, choice, shown.hash)).toEqual({ server: 'files' });
    await expect.poll(() => trial.view('files').status, { timeout: 60_000 }).toBe('ready');
    expect(await trial.call('files', 'list_allowed_directories')).toMatchObject({
      content: [{ text: expect.stringContaining(trial.host.homeDir) }],
    });
    expect(trial.host.store.get('servers')[0]?.registry).toMatchObject({
      name: 'io.github.acme/files',
      integrity: shown.integrity,
      inputs: { folder: trial.host.homeDir },
    });
    const again = await trial.core.handlers['registry.show']({ registry: 'test', name: 'io.github.acme/files' });
    expect(again.installed).toEqual({ server: 'files', version: '1.0.0' });
    expect((await plan(trial, choice)).server).toBe('files-2');
  }, 90_000);

  it.each([
    ['other inputs', { folder: '/elsewhere' }],
    ['no hash', undefined],
  ])('is not installed with %s than in the plan that the user saw', async (_what, inputs) => {
    const trial = await start();
    const choice = choose('files', { folder: trial.host.homeDir });
    const { hash } = await plan(trial, choice);
    const installed = inputs ? install(trial, choose('files', inputs), hash) : install(trial, choice);
    await expect(installed).rejects.toMatchObject(refused('has changed'));
    expect(trial.host.store.get('servers')).toEqual([]);
  });

  it('is refused if it belongs to another entry', async () => {
    npm.extra.set(filesystem, { mcpName: 'io.github.other/files' });
    const trial = await start();
    const choice = choose('files', { folder: '/' });
    expect(await plan(trial, choice)).toMatchObject({ ownership: { state: 'denied' }, refused: expect.any(String) });
    await expect(install(trial, choice, 'any')).rejects.toMatchObject(refused('io.github.other/files'));
  });

  it('is not requested from npm if its name is refused', async () => {
    const packages = [npmPackage('../../-/user', '1.0.0')];
    registry.items = [registryItem('io.github.acme/files', { packages })];
    const trial = await start();
    const before = npm.requests.length;
    expect(await plan(trial, choose('files'))).toMatchObject({
      ownership: { state: 'unknown', detail: 'Not checked.' },
      refused: expect.stringContaining('not the name of a package'),
    });
    expect(npm.requests.slice(before)).toEqual([]);
  });

  it('is refused if npm does not have it', async () => {
    registry.items = [registryItem('io.github.acme/files', { packages: [npmPackage('no-such-package', '1.0.0')] })];
    expect((await plan(await start(), choose('files'))).refused).toContain('has no no-such-package@1.0.0');
  });

  it('is refused if its content changed under the same version', async () => {
    const trial = await start();
    const choice = choose('files', { folder: trial.host.homeDir });
    await install(trial, choice, (await plan(trial, choice)).hash);
    npm.extra.set(filesystem, { mcpName: 'io.github.acme/files', dist: { integrity: 'sha512-other' } });
    const { refused: reason, hash } = await plan(trial, choice);
    expect(reason).toContain('its content changed, but its version did not');
    expect(hash).toBeUndefined();
  });

  it('is refused if it cannot be compared with the one that was installed', async () => {
    const trial = await start();
    const choice = choose('files', { folder: trial.host.homeDir });
    await install(trial, choice, (await plan(trial, choice)).hash);
    writeFileSync(join(trial.host.homeDir, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
    const { refused: reason, hash } = await plan(trial, choice);
    expect(reason).toContain('cannot be compared with the package that was installed as "files"');
    expect(hash).toBeUndefined();
  });

  it('is requested from the registry that a quoted line of the .npmrc names', async () => {
    const trial = await start();
    writeFileSync(join(trial.host.homeDir, '.npmrc'), `@modelcontextprotocol:registry = "${npm.url}"\n`);
    expect((await plan(trial, choose('files'))).hosts).toEqual([new URL(npm.url).host]);
  });

  it('is marked as unchecked if npm cannot be reached', async () => {
    const trial = await start();
    writeFileSync(join(trial.host.homeDir, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
    const { ownership, hash } = await plan(trial, choose('files', { folder: '/' }));
    expect(ownership).toMatchObject({ state: 'unknown', detail: expect.stringContaining('could not be reached') });
    expect(hash).toBeDefined();
  });

  it('has warnings about install scripts, and about a missing runtime with the fix', async () => {
    npm.extra.set(filesystem, { scripts: { postinstall: 'node x.js' } });
    const host = testHost({ env: { PATH: '/nonexistent' } });
    onTestFinished(() => host.dispose());
    writeFileSync(join(host.homeDir, '.npmrc'), `registry=${npm.url}\n`);
    const trial = await startCore([], { host, config: { registries: [{ name: 'test', url: registry.url }] } });
    await trial.core.handlers['registry.sync']({});
    const { warnings, runtime, hash } = await plan(trial, choose('files', { folder: '/' }));
    expect(warnings).toContainEqual(expect.stringContaining('"postinstall"'));
    expect(runtime).toEqual({ command: 'npx', isMissing: true, fix: expect.stringContaining('nodejs.org') });
    expect(hash).toBeUndefined();
  });
});

describe('A plan', () => {
  it('warns of new, deprecated and similar entries, and of addresses in the local network', async () => {
    const now = new Date().toISOString();
    registry.items.push(
      registryItem(
        'io.github.acne/files',
        { remotes: [{ url: 'HTTP://192.168.0.1' }], repository: { url: 'https://github.com/other/files' } },
        { publishedAt: now, status: 'deprecated', statusMessage: 'Use another one.' },
      ),
    );
    const trial = await start();
    const { warnings } = await plan(trial, { ...choose('files'), name: 'io.github.acne/files' });
    expect(warnings).toEqual([
      'Another publisher has an entry with nearly the same name, io.github.acme/files. Make sure that you want this one.',
      'The publisher has deprecated this entry. Use another one.',
      'This version is less than a day old.',
      'The repository belongs to other, the entry to acne.',
      'The address is not encrypted.',
      'The address is on this computer or in your own network, which the publisher cannot know.',
    ]);
  });

  it('warns of a similar entry whose latest version is newer', async () => {
    const publishedAt = '2020-01-01T00:00:00Z';
    registry.items.push(
      registryItem('io.github.acne/files', { remotes: [{ url: 'https://a.example' }] }, { publishedAt }),
    );
    const { warnings } = await plan(await start(), { ...choose('files'), name: 'io.github.acne/files' });
    expect(warnings).toContainEqual(expect.stringContaining('io.github.acme/files'));
  });

  it('does not trust registry metadata that comes from the publisher', async () => {
    const forged = { publishedAt: '2020-01-01T00:00:00Z', isLatest: true, status: 'active' };
    registry.items = [
      {
        server: {
          ...{ name: 'io.github.acme/files', version: '1.0.0', remotes: [{ url: 'https://a.example' }] },
          _meta: { 'io.modelcontextprotocol.registry/official': forged },
        },
      },
    ];
    expect((await plan(await start(), choose('files'))).card.publishedAt).toBeUndefined();
  });
});
