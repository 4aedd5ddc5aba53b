/**
 * A Core that is killed at any step of an installation, an update or a revert leaves the old state or the new one.
 *
 * @module-tag exhaustive
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeRegistry, registryItem, startRegistry } from '../fixtures/registry.ts';
import { dataOf, expectSteps, newSealedProduct, nextStart, statesOf } from './killed-product.ts';
import type { Product } from './product.ts';

const name = 'io.github.acme/cloud';

let registry: FakeRegistry;
let product: Product;
beforeEach(async () => {
  registry = await startRegistry([item('1.0.0')]);
  product = newSealedProduct();
  product.file('.toolkeep/config.json', { registries: [{ name: 'test', url: registry.url }] });
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
  const data = dataOf(product);
  const { installed, secrets } = await nextStart(product);
  expect(readdirSync(join(data, 'registry')).filter((one) => one.startsWith('installing-'))).toEqual([]);
  const settings = JSON.parse(readFileSync(join(data, 'settings.json'), 'utf8'));
  return {
    versions: installed.map(({ server, origin }) => `${server} ${origin.version}`),
    addresses: (settings.servers ?? []).map(({ connection }: { connection: { url: string } }) => connection.url),
    secrets,
  };
}
type State = Awaited<ReturnType<typeof state>>;

/** Kills `toolkeep registry …` at each step. */
function killed(words: string[]): Promise<State[]> {
  const files = '^(settings|vault|installing-.*)\\.json$';
  return statesOf(product, { files, words: ['registry', ...words, '--yes'], state });
}

function killedWith(words: string[], secret: string): Promise<State[]> {
  product.file('token', `${secret} token`);
  product.file('key', `${secret} key`);
  return killed([...words, '--input-file', `token=${product.home}/token`, `X-Api-Key=${product.home}/key`]);
}

/** The new state: killed before the vault write, before the settings write, before the removal of the record, and not killed. */
const newSteps = 4;

it('An installation, an update and a revert that are killed at any step leave the old state or the new one', async () => {
  const stateWith = (version: string, secret: string): State => ({
    versions: [`cloud ${version}`],
    addresses: [`http://127.0.0.1:9/${version}`],
    secrets: { 'cloud/X-Api-Key': `${secret} key`, 'cloud/token': `${secret} token` },
  });
  const empty = { versions: [], addresses: [], secrets: {} };
  const first = stateWith('1.0.0', 'first');
  expect(expectSteps(await killedWith(['add', name], 'first'), empty, first).new).toBeGreaterThanOrEqual(newSteps);

  registry.items = [item('2.0.0')];
  await product.cli('registry', 'update');
  const second = stateWith('2.0.0', 'second');
  // A revert needs the secrets that the update replaced.
  Object.assign(second.secrets, { 'previous:cloud/X-Api-Key': 'first key', 'previous:cloud/token': 'first token' });
  expect(expectSteps(await killedWith(['update', 'cloud'], 'second'), first, second).new).toBeGreaterThanOrEqual(
    newSteps,
  );

  expect(expectSteps(await killed(['revert', 'cloud']), second, first).new).toBeGreaterThanOrEqual(newSteps);
}, 400_000);
