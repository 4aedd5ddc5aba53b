/**
 * A Core that is killed at any step of an update of a bundle leaves the old version or the new one, and no other folders.
 *
 * @module-tag exhaustive
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { notesBundle } from '../fixtures/notes-bundle.ts';
import { dataOf, expectSteps, newSealedProduct, nextStart, statesOf } from './killed-product.ts';
import type { Product } from './product.ts';

let product: Product;
beforeEach(() => {
  product = newSealedProduct();
  mkdirSync(join(product.home, 'notes'));
});
afterEach(() => product.dispose());

const release = { tools: [{ name: 'find_notes', description: 'Finds notes.' }] };

function addWords(version: string): string[] {
  const file = join(product.home, 'notes.mcpb');
  writeFileSync(file, notesBundle(version, release));
  product.file('token', `token of ${version}`);
  const inputs = ['--input', `folder=${product.home}/notes`, '--input-file', `token=${product.home}/token`];
  return ['bundle', 'add', file, ...inputs, '--yes'];
}

interface Stored {
  connection: { cwd: string };
  registry: { version: string };
}

/** The state that the next start finds. */
async function state() {
  const data = dataOf(product);
  const { secrets } = await nextStart(product);
  const [notes] = JSON.parse(readFileSync(join(data, 'settings.json'), 'utf8')).servers as (Stored & {
    previous?: Stored;
  })[];
  const folders = join(data, 'bundles/notes');
  return {
    version: notes?.registry.version,
    runs: versionOf(basename(notes?.connection.cwd ?? '')),
    previous: notes?.previous && versionOf(basename(notes.previous.connection.cwd)),
    folders: readdirSync(folders).map((name) => `${versionOf(name)}: ${readdirSync(join(folders, name)).join()}`),
    others: readdirSync(join(data, 'bundles')).filter((name) => !name.startsWith('.') && name !== 'notes'),
    secrets,
  };
}
const versionOf = (folder: string) => folder.replace(/-[a-f0-9]{32}$/, '');
const files = 'manifest.json,notes.mjs,release.json';

it('An update of a bundle that is killed at any step leaves the old version or the new one', async () => {
  expect(await product.cli(...addWords('1.0.0'))).toMatchObject({ code: 0 });
  const stateWith = (version: string, previous: string | undefined, folders: string[]) => ({
    ...{ version, runs: version, previous, others: [] },
    folders: folders.map((folder) => `${folder}: ${files}`),
    secrets: {
      'notes/token': `token of ${version}`,
      ...(previous !== undefined && { 'previous:notes/token': `token of ${previous}` }),
    },
  });
  const kept = '^(settings|vault|installing-.*|manifest|release)\\.json$|^notes\\.mjs$|^\\.tmp-|-[a-f0-9]{32}$';
  const states = [
    stateWith('1.0.0', undefined, ['1.0.0']),
    stateWith('1.1.0', '1.0.0', ['1.0.0', '1.1.0']),
    stateWith('1.2.0', '1.1.0', ['1.1.0', '1.2.0']),
  ] as const;
  // Old: killed before each of three files, before the folder gets its name, and before the record is written.
  // New: as for other updates; the second update also renames and removes the oldest folder.
  for (const [index, minimum] of [
    { old: 5, new: 4 },
    { old: 5, new: 6 },
  ].entries()) {
    const [before, after] = [states[index], states[index + 1]];
    if (!before || !after) throw new Error('No state.');
    const seen = await statesOf(product, { files: kept, words: addWords(after.version), state });
    const steps = expectSteps(seen, before, after);
    expect(steps.old).toBeGreaterThanOrEqual(minimum.old);
    expect(steps.new).toBeGreaterThanOrEqual(minimum.new);
  }
}, 600_000);
