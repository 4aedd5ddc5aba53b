/** The search order of config files, and the defaults without one. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openConfig } from '../../../electron/core/config/config.ts';
import { defaultConfig } from '../../../electron/core/config/schema.ts';
import { reviewFolder, trustFolder } from '../../../electron/core/config/trust-review.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
beforeEach(() => {
  host = testHost();
});
afterEach(() => host.dispose());

/** Each file configures a server with the file's own name. */
const asCode = (name: string) =>
  `const name: string = '${name}';\nexport default { servers: { [name]: { command: 'x' } } };`;
const asModule = (name: string) => `export default { discovery: { servers: { '${name}': { command: 'x' } } } };`;
const asJson = (name: string) => JSON.stringify({ servers: { [name]: { command: 'x' } } });
const asYaml = (name: string) => `servers:\n  ${name}:\n    command: x\n`;

function put(file: string, content: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}
async function open() {
  const store = await openConfig(host, { follow: false });
  const { config, file, folder, problems } = store.state;
  await store.close();
  const servers = [...config.servers, ...(config.folder?.servers ?? [])].map(({ name }) => name);
  return { file, folder, servers, config, problems };
}
const user = () => ({ config: defaultConfig(host.env), written: [] });

/** Trusts the current content of the folder, as a user does. */
async function trust(): Promise<void> {
  const { codeHash } = await reviewFolder(host, user(), host.cwd);
  const { folder, hash } = await reviewFolder(host, user(), host.cwd, codeHash);
  await trustFolder(host, user(), { folder, hash, codeHash, accept: [] });
}

test('The first config file in search order is used, in every format', async () => {
  const own = join(host.cwd, '.toolkeep');
  const files = [
    put(join(own, 'config.ts'), asCode('own-ts')),
    put(join(own, 'config.mjs'), asCode('own-mjs').replace(': string', '')),
    put(join(own, 'config.json'), asJson('own-json')),
    put(join(own, 'config.jsonc'), `// A comment.\n${asJson('own-jsonc')}`),
    put(join(own, 'config.yaml'), asYaml('own-yaml')),
    put(join(host.cwd, 'toolkeep.config.ts'), asModule('project-ts')),
    put(join(host.cwd, 'toolkeep.config.mjs'), asModule('project-mjs')),
    put(join(host.cwd, 'toolkeep.config.json'), JSON.stringify({ discovery: JSON.parse(asJson('project-json')) })),
    put(join(host.dataDir, 'config.ts'), asCode('user-ts')),
    put(join(host.dataDir, 'config.mjs'), asCode('user-mjs').replace(': string', '')),
    put(join(host.dataDir, 'config.json'), asJson('user-json')),
    put(join(host.dataDir, 'config.jsonc'), asJson('user-jsonc')),
    put(join(host.dataDir, 'config.yaml'), asYaml('user-yaml')),
  ];
  const order: string[] = [];
  for (const file of files) {
    if (!file.startsWith(host.dataDir)) {
      expect(await open()).toMatchObject({ folder: { file, status: order.length > 0 ? 'changed' : 'untrusted' } });
      await trust();
      expect(await open()).toMatchObject({ folder: { file, status: 'trusted' }, problems: [] });
    } else expect(await open()).toMatchObject({ file, problems: [] });
    // Servers of the user's file come first.
    order.push((await open()).servers.at(-1) as string);
    rmSync(file);
  }
  const formats = ['ts', 'mjs', 'json', 'jsonc', 'yaml'];
  expect(order).toEqual([
    ...formats.map((format) => `own-${format}`),
    ...['ts', 'mjs', 'json'].map((format) => `project-${format}`),
    ...formats.map((format) => `user-${format}`),
  ]);
});

test('A project file without a "discovery" section is skipped', async () => {
  put(join(host.cwd, 'toolkeep.config.json'), JSON.stringify({ build: { target: 'es2024' } }));
  const file = put(join(host.dataDir, 'config.json'), asJson('user'));
  expect(await open()).toMatchObject({ file, servers: ['user'], folder: undefined });
});

test('Without a config file, the safe defaults apply', async () => {
  const { file, servers, config } = await open();
  expect({ file, servers }).toEqual({ file: undefined, servers: [] });
  expect(config).toMatchObject({
    enabled: true,
    toolRules: [],
    plugins: [],
    cache: { enabled: true },
    approvals: { mode: 'ask' },
    elicitation: { routing: 'toolkeep', fallback: 'timeout' },
  });
});

test('A config file that an editor has emptied keeps its rules until it is written', async () => {
  const rules = { toolRules: [{ pattern: ['*delete*'], enabled: false }] };
  const file = put(join(host.dataDir, 'config.json'), JSON.stringify(rules));
  const store = await openConfig(host, { follow: false });
  put(file, '');
  await store.reload();
  expect(store.state).toMatchObject({ config: rules, problems: [{ code: 'CONFIG_INVALID', file }] });
  put(file, '{}');
  await store.reload();
  expect(store.state).toMatchObject({ config: { toolRules: [] }, problems: [] });
  await store.close();
});
