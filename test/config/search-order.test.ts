/** Which config file is in force, and what holds without one (row A12). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openConfig } from '../../electron/core/config/config.ts';
import { type TestHost, testHost } from '../fixtures/host.ts';

let host: TestHost;
beforeEach(() => {
  host = testHost();
});
afterEach(() => host.dispose());

/** Each says its own name, as the name of a server. */
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
async function inForce() {
  const store = await openConfig(host, { follow: false });
  const { config, file, problems } = store.state;
  await store.close();
  expect(problems).toEqual([]);
  return { file, servers: config.servers.map(({ name }) => name), config };
}

test('the first file found counts: the project’s own, a section of the project’s, the person’s, in every format (A12)', async () => {
  const own = join(host.cwd, '.gatehouse');
  const files = [
    put(join(own, 'config.ts'), asCode('own-ts')),
    put(join(own, 'config.mjs'), asCode('own-mjs').replace(': string', '')),
    put(join(own, 'config.json'), asJson('own-json')),
    put(join(own, 'config.jsonc'), `// A comment.\n${asJson('own-jsonc')}`),
    put(join(own, 'config.yaml'), asYaml('own-yaml')),
    put(join(host.cwd, 'gatehouse.config.ts'), asModule('project-ts')),
    put(join(host.cwd, 'gatehouse.config.mjs'), asModule('project-mjs')),
    put(join(host.cwd, 'gatehouse.config.json'), JSON.stringify({ discovery: JSON.parse(asJson('project-json')) })),
    put(join(host.dataDir, 'config.ts'), asCode('person-ts')),
    put(join(host.dataDir, 'config.mjs'), asCode('person-mjs').replace(': string', '')),
    put(join(host.dataDir, 'config.json'), asJson('person-json')),
    put(join(host.dataDir, 'config.jsonc'), asJson('person-jsonc')),
    put(join(host.dataDir, 'config.yaml'), asYaml('person-yaml')),
  ];
  const order: string[] = [];
  for (const file of files) {
    const found = await inForce();
    expect(found.file).toBe(file);
    order.push(...found.servers);
    rmSync(file);
  }
  const formats = ['ts', 'mjs', 'json', 'jsonc', 'yaml'];
  expect(order).toEqual([
    ...formats.map((format) => `own-${format}`),
    ...['ts', 'mjs', 'json'].map((format) => `project-${format}`),
    ...formats.map((format) => `person-${format}`),
  ]);
});

test('a file of the whole project without a section of ours is passed over (A12)', async () => {
  put(join(host.cwd, 'gatehouse.config.json'), JSON.stringify({ build: { target: 'es2024' } }));
  const file = put(join(host.dataDir, 'config.json'), asJson('person'));
  expect(await inForce()).toMatchObject({ file, servers: ['person'] });
});

test('without any file the defaults hold, which are the safe ones (A12)', async () => {
  const { file, servers, config } = await inForce();
  expect({ file, servers }).toEqual({ file: undefined, servers: [] });
  expect(config).toMatchObject({
    enabled: true,
    toolRules: [],
    plugins: [],
    cache: { enabled: true },
    approvals: { mode: 'ask' },
    elicitation: { routing: 'here', fallback: 'timeout' },
  });
});
