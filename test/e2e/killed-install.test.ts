/** A Core that is killed at any step of an installation or an update leaves the old state or the new one. */
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openVault } from '../../electron/core/secrets/vault.ts';
import { createSealer } from '../../electron/host/sealer.ts';
import { type FakeRegistry, registryItem, startRegistry } from '../fixtures/registry.ts';
import { killedCode, newProduct, type Product } from './product.ts';

const name = 'io.github.acme/cloud';
const killer = join(import.meta.dirname, '../fixtures/kill-at.cjs');

let registry: FakeRegistry;
let product: Product;
beforeEach(async () => {
  registry = await startRegistry([item('1.0.0')]);
  product = newProduct();
  product.file('passphrase', 'for this test');
  chmodSync(join(product.home, 'passphrase'), 0o600);
  product.env.GATEHOUSE_PASSPHRASE_FILE = join(product.home, 'passphrase');
  product.file('.gatehouse/config.json', { registries: [{ name: 'test', url: registry.url }] });
  await product.cli('registry', 'update');
});
afterEach(() => Promise.all([product.dispose(), registry.close()]));

/** An entry whose address has no listener, because this test only checks the stored state. */
const item = (version: string) => {
  const headers = [
    { name: 'Authorization', value: 'Bearer {token}', variables: { token: { isRequired: true } } },
    { name: 'X-Api-Key', isRequired: true },
  ];
  const remotes = [{ type: 'streamable-http', url: `http://127.0.0.1:9/${version}`, headers }];
  return registryItem(name, { version, remotes }, { updatedAt: new Date().toISOString() });
};

/** The state that the next start finds: what is installed, and the secrets of the vault. */
async function state() {
  const data = join(product.home, '.gatehouse');
  const file = join(product.home, 'state.json');
  expect(await product.cli('lock', file)).toMatchObject({ code: 0 });
  const { servers } = JSON.parse(readFileSync(file, 'utf8'));
  expect(readdirSync(join(data, 'registry')).filter((one) => one.startsWith('installing-'))).toEqual([]);
  const log = () => undefined;
  const vault = await openVault({
    dataDir: data,
    sealer: await createSealer({ dataDir: data, env: product.env, log }),
    log,
  });
  const settings = JSON.parse(readFileSync(join(data, 'settings.json'), 'utf8'));
  return {
    versions: Object.entries(servers).map(([server, origin]) => `${server} ${(origin as { version: string }).version}`),
    addresses: (settings.servers ?? []).map(({ connection }: { connection: { url: string } }) => connection.url),
    secrets: Object.fromEntries(await vault.reveal(vault.names())),
  };
}
type State = Awaited<ReturnType<typeof state>>;

/** Runs `gatehouse …` and kills it instead of change number `at` to the matching `files`. */
async function runKilled(at: number, files: string, words: string[]): Promise<number> {
  const env = { NODE_OPTIONS: `--require ${killer}`, GATEHOUSE_KILL_AT: String(at), GATEHOUSE_KILL_FILES: files };
  Object.assign(product.env, env);
  const { code, stderr } = await product.cli(...words);
  for (const one of Object.keys(env)) delete product.env[one];
  expect([0, killedCode], stderr).toContain(code);
  return code;
}

/** Resolves with the state after a kill at each step; the last state is that of a complete run. */
async function statesOf(words: string[], secret: string): Promise<State[]> {
  const data = join(product.home, '.gatehouse');
  const before = join(product.home, 'before');
  cpSync(data, before, { recursive: true });
  product.file('token', `${secret} token`);
  product.file('key', `${secret} key`);
  const secrets = `--input-file token=${product.home}/token X-Api-Key=${product.home}/key`.split(' ');
  const states: State[] = [];
  for (let step = 1; ; step += 1) {
    const code = await runKilled(step, '^(settings|vault|installing-.*)\\.json$', [
      'registry',
      ...words,
      ...secrets,
      '--yes',
    ]);
    states.push(await state());
    if (code === 0) break;
    rmSync(data, { recursive: true });
    cpSync(before, data, { recursive: true });
  }
  rmSync(before, { recursive: true });
  return states;
}

/** Checks that the states are the old one up to some step, then the new one, which must occur at four steps or more. */
function expectSteps(states: State[], before: State, after: State): void {
  const change = states.findIndex((state) => isDeepStrictEqual(state, after));
  expect(change).toBeGreaterThan(0);
  for (const state of states.slice(0, change)) expect(state).toEqual(before);
  for (const state of states.slice(change)) expect(state).toEqual(after);
  // Killed before the vault write, before the settings write, before the removal of the record, and not killed.
  expect(states.length - change).toBeGreaterThanOrEqual(4);
}

it('An installation and an update that are killed at any step leave the old state or the new one', async () => {
  const stateWith = (version: string, secret: string): State => ({
    versions: [`cloud ${version}`],
    addresses: [`http://127.0.0.1:9/${version}`],
    secrets: { 'cloud/X-Api-Key': `${secret} key`, 'cloud/token': `${secret} token` },
  });
  const empty = { versions: [], addresses: [], secrets: {} };
  const first = stateWith('1.0.0', 'first');
  expectSteps(await statesOf(['add', name], 'first'), empty, first);

  registry.items = [item('2.0.0')];
  await product.cli('registry', 'update');
  const second = stateWith('2.0.0', 'second');
  // A revert needs the secrets that the update replaced.
  Object.assign(second.secrets, { 'previous:cloud/X-Api-Key': 'first key', 'previous:cloud/token': 'first token' });
  expectSteps(await statesOf(['update', 'cloud'], 'second'), first, second);
}, 400_000);

it('A lock file that is being written when the command is killed is the old one', async () => {
  const file = join(product.home, 'gatehouse.lock.json');
  product.file('gatehouse.lock.json', 'old');
  expect(await runKilled(1, '^gatehouse\\.lock\\.json$', ['lock', file])).toBe(killedCode);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(await runKilled(2, '^gatehouse\\.lock\\.json$', ['lock', file])).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1 });
}, 60_000);
