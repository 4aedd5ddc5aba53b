/** Vector search with a small real model in the model2vec format. */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSearch } from '../../../electron/core/search/search.ts';
import { createVectorStore } from '../../../electron/core/search/vector-store.ts';
import type { Encoder } from '../../../electron/core/search/vectors/encoder.ts';
import { createVectorIndex } from '../../../electron/core/search/vectors/vector-index.ts';
import { findModel } from '../../../electron/core/search/vectors/vectors.ts';
import { docsModel } from '../../fixtures/docs-model.ts';
import { writeSafetensors } from '../../fixtures/word-vectors.ts';
import { doc, office } from './tools.ts';

let model: ReturnType<typeof docsModel>;
let encoder: Encoder;

beforeAll(async () => {
  model = docsModel();
  const found = await findModel(model.folder, true);
  if (!found?.encoder) throw new Error(found?.problem);
  encoder = found.encoder;
});
afterAll(() => model.dispose());

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

  it('finds at least nine in ten of the nearest tools by sign bits', () => {
    const known = readFileSync(join(model.folder, 'tokenizer.json'), 'utf8').match(/"[a-z]{4,}"(?=:\d)/g) ?? [];
    const word = (number: number) => JSON.parse(known[number % known.length] as string) as string;
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
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.9);
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

describe('A model folder', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  function copy(change: (folder: string) => void): string {
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-model-'));
    folders.push(folder);
    cpSync(model.folder, folder, { recursive: true });
    change(folder);
    return folder;
  }
  const vectors = (folder: string) => join(folder, 'model.safetensors');
  const written = () => {
    const file = readFileSync(vectors(model.folder));
    const start = 8 + Number(file.readBigUInt64LE(0));
    const { shape } = JSON.parse(file.toString('utf8', 8, start)).embeddings as { shape: [number, number] };
    return { shape, numbers: new Float32Array(new Uint8Array(file.subarray(start)).buffer) };
  };

  it('may be missing at the default location, but not at a configured one', async () => {
    expect(await findModel('/nowhere/model', false)).toBeUndefined();
    expect(await findModel('/nowhere/model', true)).toMatchObject({ problem: 'There is no folder /nowhere/model.' });
  });

  it.each([
    ['cut short', (folder: string) => truncateSync(vectors(folder), 5_000), /model\.safetensors: .*ends at byte 5000/],
    [
      'cut in its header',
      (folder: string) => truncateSync(vectors(folder), 20),
      /the header should end at byte \d+, but/,
    ],
    ['empty', (folder: string) => writeFileSync(vectors(folder), ''), /model\.safetensors: .* file ends at byte 0/],
    ['not tensors', (folder: string) => writeFileSync(vectors(folder), Buffer.alloc(99, 'x')), /the header should end/],
    ['missing', (folder: string) => rmSync(vectors(folder)), /model\.safetensors: it does not exist/],
    [
      'without its vectors',
      (folder: string) => tensor(folder, 'other', 'F32', [2, 2], new Float32Array(4)),
      /no tensor "embeddings"/,
    ],
    [
      'of an unsupported type',
      (folder: string) => tensor(folder, 'embeddings', 'F8_E4M3', [2, 2], new Uint8Array(4)),
      /"embeddings" is of type F8_E4M3/,
    ],
    [
      'with a length that does not fit its shape',
      (folder: string) => tensor(folder, 'embeddings', 'F32', [2, 3], new Float32Array(4)),
      /"embeddings" has 16 bytes, but 2 × 3 of F32 need 24/,
    ],
    [
      'with too many dimensions',
      (folder: string) => tensor(folder, 'embeddings', 'I8', [1, 5_000], new Int8Array(5_000)),
      /"embeddings" has 5000 dimensions; at most 4096/,
    ],
    [
      'smaller than its vocabulary',
      (folder: string) => tensor(folder, 'embeddings', 'F32', [2, 2], new Float32Array(4)),
      /tokenizer\.json: it has tokens up to number \d+, but model\.safetensors has vectors for only 2/,
    ],
    [
      'without a tokenizer',
      (folder: string) => rmSync(join(folder, 'tokenizer.json')),
      /tokenizer\.json: it does not exist/,
    ],
    [
      'with a truncated tokenizer',
      (folder: string) => truncateSync(join(folder, 'tokenizer.json'), 300),
      /tokenizer\.json: .*JSON/,
    ],
    [
      'with an unsupported tokenizer',
      (folder: string) => {
        const file = join(folder, 'tokenizer.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('BertPreTokenizer', 'Magic'));
      },
      /tokenizer\.json: .*Magic/,
    ],
  ])('that is %s is reported with file and reason, and keyword search continues', async (_name, damage, expected) => {
    const found = await findModel(copy(damage), false);
    expect(found?.encoder).toBeUndefined();
    expect(found?.problem).toMatch(expected);
    expect(keys(index(undefined, { encoder: found?.encoder }), 'pointer')[0]).toBe('screen::move_pointer');
  });

  it('may have F16, I8, mapped and weighted embeddings, and the names of sentence-transformers', async () => {
    const { shape, numbers } = written();
    const largest = numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const order = Array.from({ length: shape[0] }, (_, id) => shape[0] - 1 - id);
    const turned = new Float32Array(numbers.length);
    for (const [id, row] of order.entries())
      turned.set(numbers.subarray(id * shape[1], (id + 1) * shape[1]), row * shape[1]);
    const same = { dtype: 'F32', shape, bytes: numbers };
    const ways: Record<string, Parameters<typeof writeSafetensors>[1]> = {
      half: { embeddings: { dtype: 'F16', shape, bytes: Uint16Array.from(numbers, halfOf) } },
      bytes: {
        embeddings: { dtype: 'I8', shape, bytes: Int8Array.from(numbers, (one) => Math.round((one / largest) * 127)) },
      },
      shared: {
        embeddings: { dtype: 'F32', shape, bytes: turned },
        mapping: { dtype: 'I64', shape: [shape[0]], bytes: BigInt64Array.from(order, BigInt) },
        weights: { dtype: 'F64', shape: [shape[0]], bytes: new Float64Array(shape[0]).fill(0.5) },
      },
      sentence: { 'embedding.weight': same },
    };
    const text = 'Resolve the hostname of a server with dns records';
    for (const [way, tensors] of Object.entries(ways)) {
      const folder = copy((at) => writeSafetensors(vectors(at), tensors));
      const found = await findModel(folder, true);
      const vector = found?.encoder?.encode(text);
      const cosine = encoder.encode(text)?.reduce((sum, value, at) => sum + value * (vector?.[at] ?? 0), 0);
      expect(cosine, `${way}: ${found?.problem}`).toBeGreaterThan(0.99);
    }
  });

  it('gives no vector for a text without a known token', () => {
    expect(encoder.encode('')).toBeUndefined();
    expect(encoder.encode('qqqqzzzz '.repeat(1_000))).toBeUndefined();
  });

  it('gives a unit vector or none for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom('mouse', ''), (text, word) => {
        const vector = encoder.encode(`${text} ${word}`);
        const length = Math.hypot(...(vector ?? [1]));
        expect(length).toBeCloseTo(1, 3);
      }),
    );
  });

  function tensor(folder: string, name: string, dtype: string, shape: number[], bytes: ArrayBufferView): void {
    writeSafetensors(vectors(folder), { [name]: { dtype, shape, bytes } });
  }
});

/** The bits of the nearest half-precision number; without overflow handling. */
function halfOf(value: number): number {
  if (Math.abs(value) < 2 ** -14) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const fraction = Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024);
  return (value < 0 ? 0x8000 : 0) + ((exponent + 15) << 10) + fraction;
}

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
