/** Ownership of NuGet packages: the README names the entry. Without an answer from the package source, it is unknown. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, optionsOf } from '../../../electron/core/registry/connect.ts';
import { packageEvidence } from '../../../electron/core/registry/evidence/evidence.ts';
import { hostsOf } from '../../../electron/core/registry/hosts.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { startNuget } from '../../fixtures/package-registries.ts';
import { entryOf, pkg } from '../../fixtures/registry-entries.ts';

const own = 'io.github.acme/notes';
const entry = entryOf(pkg('nuget', 'Acme.Notes', { version: '1.2.3-Beta+build.5' }));
const template = 'ReadmeUriTemplate/6.13.0';
let host: TestHost;
let nuget: Awaited<ReturnType<typeof startNuget>>;
beforeEach(async () => {
  host = testHost();
  nuget = await startNuget();
  sources(nuget.url);
  nuget.readmes.set('acme.notes/1.2.3-beta', `# Notes\n<!-- mcp-name: ${own} -->`);
});
afterEach(async () => {
  await nuget.close();
  host.dispose();
});

function config(content: string | Buffer): void {
  const file = join(host.homeDir, '.nuget/NuGet/NuGet.Config');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const listOf = (...elements: string[]) =>
  `<configuration>\n<packageSources>\n${elements.join('\n')}\n</packageSources></configuration>`;

function sources(...urls: string[]): void {
  config(listOf(...urls.map((url) => `<add key="one" value="${url}" protocolVersion="3" />`)));
}

async function check() {
  const [server] = entry.packages;
  if (!server) throw new Error('The entry has no package.');
  return (await packageEvidence(entry, server, host)).ownership;
}

describe('A package of NuGet', () => {
  it('is confirmed by its README, at the source that the user configured', async () => {
    expect(await check()).toMatchObject({ state: 'confirmed' });
    const [option] = optionsOf(entry);
    if (!option) throw new Error('The entry has no option.');
    expect(await hostsOf(option, connect(option, {}, 'notes'), host)).toEqual([nuget.host]);
  });

  it('is looked up at a source in single quotes, but not at one in a comment', async () => {
    config(listOf('<clear/>', '<!-- <add key="x" value="https://x.example/" /> -->', `<add value='${nuget.url}' />`));
    expect(await check()).toMatchObject({ state: 'confirmed' });
  });

  it.each<[string, () => string | Buffer]>([
    ['a folder', () => listOf('<add key="local" value="/srv/feed" />')],
    ['a folder and a server', () => listOf('<add value="C:\\feed" />', `<add value="${nuget.url}" />`)],
    ['a variable', () => listOf('<add value="%FEED%" />', `<add value="${nuget.url}" />`)],
    ['an element without quotes', () => listOf(`<add value=${nuget.url} />`)],
    ['an address with an entity', () => listOf(`<add value="${nuget.url}?a&amp;b" />`)],
    ['no source', () => listOf('<clear />')],
    ['two lists', () => `${listOf(`<add value="${nuget.url}" />`)}<packageSources/>`],
    ['a list in another encoding', () => Buffer.from(listOf(`<add value="${nuget.url}" />`), 'utf16le')],
  ])('is unknown if the NuGet.Config has %s', async (_what, content) => {
    config(content());
    expect(await check()).toMatchObject({ state: 'unknown', detail: expect.stringContaining('cannot ask') });
  });

  it.each<[string, string]>([
    ['in the home folder', 'nuget.config'],
    ['of an extension', '.nuget/config/company.config'],
  ])('is unknown if there is another configuration %s', async (_what, file) => {
    mkdirSync(dirname(join(host.homeDir, file)), { recursive: true });
    writeFileSync(join(host.homeDir, file), listOf('<add key="x" value="https://x.example/" />'));
    expect(await check()).toMatchObject({ state: 'unknown', detail: expect.stringContaining(file) });
  });

  it('is unknown if there is a configuration for all users', async () => {
    const programs = join(host.homeDir, 'programs');
    mkdirSync(join(programs, 'NuGet/Config'), { recursive: true });
    writeFileSync(join(programs, 'NuGet/Config/Offline.config'), listOf());
    host = { ...host, platform: 'win32', env: { ...host.env, 'ProgramFiles(x86)': programs } };
    expect(await check()).toMatchObject({ state: 'unknown', detail: expect.stringContaining('Offline.config') });
  });

  it('that names another entry is refused', async () => {
    nuget.readmes.set('acme.notes/1.2.3-beta', `mcp-name: ${own}-pro`);
    expect(await check()).toMatchObject({ state: 'denied', detail: expect.stringContaining('another entry') });
  });

  it.each<[string, () => unknown, string]>([
    ['has no README', () => nuget.readmes.clear(), 'does not say which entry'],
    ['names no entry', () => nuget.readmes.set('acme.notes/1.2.3-beta', 'Notes.'), 'does not say which entry'],
    ['has a README of a megabyte', () => nuget.readmes.set('acme.notes/1.2.3-beta', 'x'.repeat(2 ** 20)), 'sent more'],
    ['is at a source without READMEs', () => nuget.services.clear(), 'has no READMEs'],
    ['is at a source with a malformed list', () => nuget.services.set(template, 7), 'has no READMEs'],
    [
      'is at a source with an address that is none',
      () => nuget.services.set(template, 'x {lower_id}'),
      'has no READMEs',
    ],
    ['is at a source with a huge list', () => nuget.services.set('x', 'x'.repeat(2 ** 20)), 'sent more'],
    ['is at a source that does not answer', () => nuget.close(), 'could not be reached'],
    ['may come from several sources', () => sources(nuget.url, 'https://other.example/index.json'), 'several'],
  ])('that %s is marked as unknown', async (_what, change, detail) => {
    await change();
    expect(await check()).toMatchObject({ state: 'unknown', detail: expect.stringContaining(detail) });
  });

  it('is refused if its source would send the README over another, unencrypted connection', async () => {
    nuget.services.set(template, 'http://evil.example/{lower_id}/{lower_version}');
    expect(await check()).toMatchObject({ state: 'denied', detail: expect.stringContaining('not encrypted') });
  });
});
