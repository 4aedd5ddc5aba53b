/** Vector search with the built-in model. */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createSearch } from '../../../electron/core/search/search.ts';
import { createVectorStore } from '../../../electron/core/search/vector-store.ts';
import { createVectorIndex } from '../../../electron/core/search/vectors/vector-index.ts';
import { findBuiltInModel, findModel } from '../../../electron/core/search/vectors/vectors.ts';
import { doc, office } from './tools.ts';

const model = await findBuiltInModel();
if (!model?.encoder) throw new Error(model?.problem ?? 'There is no model.');
const { encoder, folder: modelFolder } = model;

const machine = [
  doc('screen', 'move_pointer', 'Move the pointer'),
  doc('pack', 'deflate', 'Deflate and inflate'),
  doc('links', 'readlink', 'Readlink and mkdir'),
  doc('net', 'host', 'Resolve a hostname'),
];

function index(docs = [...office, ...machine], options: Parameters<typeof createSearch>[0] = { encoder }) {
  const search = createSearch(options);
  search.put(docs);
  search.indexVectors();
  return search;
}
const keys = (search: ReturnType<typeof createSearch>, query: string, limit = 5) =>
  search.search(query, { limit }).map((hit) => hit.key);

describe('Vector search', () => {
  it.each([
    ['mouse', 'screen::move_pointer'],
    ['gzip', 'pack::deflate'],
    ['symlink', 'links::readlink'],
    ['dns', 'net::host'],
  ])('for "%s", a word that no tool contains, finds %s first', (query, key) => {
    expect(keys(index(undefined, {}), query)).toEqual([]);
    expect(keys(index(), query)[0]).toBe(key);
  });

  it('keeps an exact name or a clear keyword match first', () => {
    const search = index();
    for (const query of ['deflate', 'create_issue', 'remove a document', 'gitlab create issue']) {
      expect(keys(search, query)[0]).toBe(keys(index(undefined, {}), query)[0]);
    }
    expect(search.search('deflate', { limit: 1 })[0]?.relevance).toBe(1);
  });

  it('does not depend on the order in which tools were added', () => {
    const queries = ['mouse', 'open a file', 'dns of a network', 'message'];
    const answers = (docs: typeof office) => queries.map((query) => index(docs).search(query, { limit: 10 }));
    expect(answers([...machine, ...office].reverse())).toEqual(answers([...office, ...machine]));
  });

  it('computes vectors in slices, and keyword search works before that', () => {
    const search = createSearch({ encoder });
    search.put(machine);
    expect(keys(search, 'mouse')).toEqual([]);
    expect(keys(search, 'pointer')).toEqual(['screen::move_pointer']);
    expect(search.indexVectors(0)).toBe(true);
    expect(search.indexVectors()).toBe(false);
    expect(keys(search, 'mouse')[0]).toBe('screen::move_pointer');
  });

  it('deletes the vector of a removed or changed tool', () => {
    const search = index();
    search.remove(['screen::move_pointer']);
    expect(keys(search, 'mouse')).not.toContain('screen::move_pointer');
    search.put([doc('net', 'host', 'Hover with the pointer and move the pointer')]);
    search.indexVectors();
    expect(keys(search, 'dns')).not.toContain('net::host');
    expect(keys(search, 'mouse')).toEqual(['net::host']);
  });

  it('returns only accepted tools', () => {
    const accepts = (key: string) => !key.startsWith('screen');
    expect(index().search('mouse', { limit: 10, accepts })).not.toContainEqual(
      expect.objectContaining({ key: 'screen::move_pointer' }),
    );
  });

  it('finds nearly nine in ten of the nearest tools by sign bits', () => {
    const known = readFileSync(join(modelFolder, 'vocabulary.txt'), 'utf8').match(/^[a-z]{4,}$/gm) ?? [];
    const word = (number: number) => known[number % known.length] as string;
    const text = (number: number) => [1, 7, 31, 101, 211].map((stride) => word(number * stride)).join(' ');
    const slots = Array.from({ length: 5_000 }, (_, slot) => slot);
    const vectors = createVectorIndex({ context: 0, slotsOf: () => undefined });
    vectors.setEncoder(encoder);
    for (const slot of slots) vectors.put(slot, doc('', word(slot * 13), text(slot)));
    vectors.indexVectors(Number.POSITIVE_INFINITY);
    const queries = slots.filter((slot) => slot % 100 === 50);
    const shares = queries.map((slot) => {
      const queryVector = vectors.queryVector(`${word(slot)} ${word(slot * 31)}`);
      const exact = slots
        .map((other) => ({ other, close: queryVector?.similarity(other) ?? 0 }))
        .sort((a, b) => b.close - a.close || a.other - b.other)
        .slice(0, 10);
      const candidates = queryVector?.candidates(120, () => true) ?? [];
      const near = queryVector?.nearest(candidates, 40, 0) ?? [];
      return exact.filter(({ other }) => near.includes(other)).length / 10;
    });
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.87);
  });

  it('continues if the nearest tools are not accepted', () => {
    const vectors = createVectorIndex({ context: 0, slotsOf: () => undefined });
    vectors.setEncoder(encoder);
    for (let slot = 0; slot < 3_000; slot++) vectors.put(slot, doc('screen', 'move_pointer', 'Move the pointer'));
    vectors.put(3_000, doc('screen', 'hover', 'Hover with the pointer'));
    vectors.indexVectors(Number.POSITIVE_INFINITY);
    expect(vectors.queryVector('mouse')?.candidates(1, (slot) => slot === 3_000)).toEqual([3_000]);
  });
});

describe('A vector', () => {
  it('is missing for a text without a known word', () => {
    expect(encoder.encode('')).toBeUndefined();
    expect(encoder.encode('qqqqzzzz '.repeat(1_000))).toBeUndefined();
  });

  it('has length 1, or is missing, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom('mouse', ''), (text, word) => {
        const vector = encoder.encode(`${text} ${word}`);
        const length = Math.hypot(...(vector ?? [1]));
        expect(length).toBeCloseTo(1, 3);
      }),
    );
  });
});

describe('A model', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-model-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'model.safetensors');

  it.each([
    [
      'cut short',
      () => truncateSync(file, 5_000),
      /"embeddings" should end at byte \d+, but the file ends at byte 5000/,
    ],
    ['empty', () => writeFileSync(file, ''), /header should end at byte NaN, but the file ends at byte 0/],
    ['not tensors', () => writeFileSync(file, Buffer.alloc(99, 'x')), /the header should end at byte/],
    ['missing', () => rmSync(file), /ENOENT/],
    [
      'of another type',
      () => writeFileSync(file, withHeader('"I8"', '"F8"')),
      /"embeddings" is of type F8; F32, I8 can/,
    ],
    [
      'of another shape',
      () => writeFileSync(file, withHeader('128]', '127]')),
      /has 3584000 bytes, but 28000 × 127 of I8/,
    ],
    ['of other tensors', () => writeFileSync(file, withHeader('"scales"', '"scaled"')), /must contain the tensors/],
  ])('that is %s is reported, and keyword search continues', async (_name, damage, problem) => {
    cpSync(modelFolder, folder, { recursive: true });
    damage();
    const found = await findModel(folder);
    expect(found.encoder).toBeUndefined();
    expect(found.problem).toMatch(problem);
    expect(found.problem).toContain(folder);
    expect(keys(index(undefined, { encoder: found.encoder }), 'pointer')[0]).toBe('screen::move_pointer');
  });

  function withHeader(from: string, to: string): Buffer {
    const bytes = readFileSync(join(modelFolder, 'model.safetensors'));
    bytes.write(bytes.toString('latin1', 0, 400).replace(from, to), 0, 'latin1');
    return bytes;
  }
});

describe('The vector store', () => {
  const root = mkdtempSync(join(tmpdir(), 'toolkeep-vectors-'));
  const file = join(root, 'search-vectors.json');
  afterAll(() => rmSync(root, { recursive: true }));

  /** An encoder that counts the strings that it encodes. */
  function counting(id = encoder.id) {
    const encoded: string[] = [];
    const encode = (text: string) => {
      encoded.push(text);
      return encoder.encode(text);
    };
    return { encoded, encoder: { ...encoder, id, encode } };
  }
  async function restart(one: ReturnType<typeof counting>, docs = machine) {
    const store = createVectorStore(file);
    await store.load();
    const search = index(docs, { encoder: one.encoder, vectors: store });
    const encoded = one.encoded.length;
    const found = keys(search, 'gzip');
    one.encoded.length = 0;
    await store.close();
    return { encoded, found };
  }

  it('gives the same results in the next run, which encodes only new tools', async () => {
    const one = counting();
    const first = await restart(one);
    expect(first.encoded).toBe(machine.length);
    const second = await restart(one);
    expect(second.encoded).toBe(0);
    expect(second.found).toEqual(first.found);
    const changed = [...machine.slice(1), doc('screen', 'move_pointer', 'Move it')];
    expect((await restart(one, changed)).encoded).toBe(1);
  });

  it('starts empty for another model and for a damaged file', async () => {
    await restart(counting());
    expect((await restart(counting('another'))).encoded).toBe(machine.length);
    writeFileSync(file, '{"version":1,"model":');
    expect((await restart(counting('another'))).encoded).toBe(machine.length);
    expect((await restart(counting('another'))).encoded).toBe(0);
  });
});
