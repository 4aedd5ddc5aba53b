/**
 * Bundles and links that the operating system opens in the app: the app shows them but never installs them.
 *
 * @module-tag stand-in
 * @module-tag exhaustive
 */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { manifestFile, zipOf } from '../../fixtures/bundle.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { registryItem, startRegistry } from '../../fixtures/registry.ts';
import type { App } from './driver.ts';
import { testApps } from './test-apps.ts';

const { closers, start } = testApps();

const bundle = zipOf([
  manifestFile({
    ...{ manifest_version: '0.3', name: 'notes', display_name: 'Acme Notes', version: '1.2.3', description: 'Notes.' },
    author: { name: 'Ada' },
    server: { type: 'node', entry_point: 'a.js', mcp_config: { command: 'node', args: ['${__dirname}/a.js'] } },
  }),
  { name: 'a.js', content: 'process.exit(1);' },
]);

function bundleIn(app: App, name = 'my notes.mcpb'): string {
  const folder = join(app.dataDir, '..', 'Downloads');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bundle);
  return join(folder, name);
}
const servers = (app: App) => {
  const file = join(app.dataDir, 'settings.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { servers?: unknown[] }).servers ?? [];
};
const card = async (app: App) => {
  const page = await app.page();
  await page.getByRole('heading', { level: 2, name: 'Acme Notes' }).waitFor();
  await page.getByRole('button', { name: 'Install' }).waitFor();
  return page;
};
const settings = { setupStep: 'done', servers: [] };

describe('A bundle that is opened', () => {
  it('while the app is hidden shows its plan, and is not installed', async () => {
    const app = await start({ args: ['--hidden'], settings });
    await app.desk('startSecondInstance', '--original-process-start-time=1', bundleIn(app));
    await eventually(async () => (await app.desk('windows')).some(({ visible }) => visible), 'the window');
    const page = await card(app);
    await page.getByText('Toolkeep cannot check who made a bundle.').waitFor();
    expect(servers(app)).toEqual([]);
  });

  it('as a URI with an escaped space, the form that Linux desktops pass, shows the same plan', async () => {
    const app = await start({ args: ['--hidden'], settings });
    const uri = pathToFileURL(bundleIn(app)).href;
    expect(uri).toMatch(/^file:\/\/\/.*%20/);
    await app.desk('startSecondInstance', uri);
    await eventually(async () => (await app.desk('windows')).some(({ visible }) => visible), 'the window');
    await card(app);
    expect(servers(app)).toEqual([]);
  });

  it('on macOS shows the same plan in the open window', async () => {
    const app = await start({ settings });
    await app.page();
    expect(await app.desk('openFromSystem', 'open-file', bundleIn(app, 'notes.DXT'))).toBe(true);
    await card(app);
    expect(servers(app)).toEqual([]);
  });

  it('is ignored if it is a link to a file, a folder, or something else', async () => {
    const app = await start({ args: ['--hidden'], settings });
    const file = bundleIn(app);
    symlinkSync(file, `${file}.link.mcpb`);
    mkdirSync(`${file}.folder.mcpb`);
    for (const other of [
      `${file}.link.mcpb`,
      `${file}.folder.mcpb`,
      `${file}.none.mcpb`,
      join(app.dataDir, 'settings.json'),
      pathToFileURL(`${file}.folder.mcpb`).href,
      pathToFileURL(file).href.replace('file://', 'file://host'),
      pathToFileURL(file).href.replace('.mcpb', '%00.mcpb'),
      pathToFileURL(file).href.replace('.mcpb', '%2F.mcpb'),
      pathToFileURL(file).href.replace('.mcpb', '%E0%A4%A.mcpb'),
    ])
      await app.desk('startSecondInstance', '--hidden', other);
    await app.desk('openFromSystem', 'open-file', `${file}.folder.mcpb`);
    expect((await app.desk('windows')).filter(({ visible, url }) => visible || url.includes('#/bundle'))).toEqual([]);
  });
});

describe('A link that is opened', () => {
  it('shows the entry of its registry and installs nothing; one that is not well formed does nothing', async () => {
    const remote = { remotes: [{ type: 'streamable-http', url: 'https://acme.example/mcp' }], title: 'Acme Notes' };
    const registry = await startRegistry([registryItem('io.github.acme/notes', remote)]);
    closers.push(registry.close);
    const app = await start({
      ...{ settings, args: ['toolkeep://install?registry=test&name=io.github.acme/notes'] },
      config: { registries: [{ name: 'test', url: registry.url }] },
    });
    const page = await app.page();
    await page.getByText('Toolkeep downloads the list from').waitFor();
    expect(registry.requests).toEqual([]);
    await page.getByRole('button', { name: 'Load list' }).click();
    await card(app);
    for (const hostile of ['toolkeep://run?name=io.github.acme/notes', 'toolkeep://install?name=../x'])
      await app.desk('openFromSystem', 'open-url', hostile);
    await card(app);
    await app.desk('openFromSystem', 'open-url', 'toolkeep://install?registry=none&name=io.github.acme/notes');
    await page.getByText('No registry named "none" is configured.').waitFor();
    expect(servers(app)).toEqual([]);
  }, 60_000);
});
