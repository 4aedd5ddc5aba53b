/** The built-in model: its format, when it is loaded, and the training that writes it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readData } from '../../../build/train/data.ts';
import { createExamples } from '../../../build/train/examples.ts';
import { createMatmul } from '../../../build/train/matmul.ts';
import { createRandom } from '../../../build/train/random.ts';
import { train } from '../../../build/train/trainer.ts';
import { writeModel } from '../../../build/train/write-model.ts';
import { createSearch } from '../../../electron/core/search/search.ts';
import type { Encoder } from '../../../electron/core/search/vectors/encoder.ts';
import { createVectorIndex } from '../../../electron/core/search/vectors/vector-index.ts';
import { findBuiltInModel, findModel } from '../../../electron/core/search/vectors/vectors.ts';
import { doc, office } from './tools.ts';

const root = mkdtempSync(join(tmpdir(), 'toolkeep-train-'));
afterAll(() => rmSync(root, { recursive: true }));

const topics = [
  ['rain', 'weather', 'forecast', 'storm', 'cloud', 'umbrella'],
  ['invoice', 'payment', 'bill', 'money', 'bank', 'tax'],
  ['branch', 'commit', 'repository', 'merge', 'git', 'diff'],
  ['recipe', 'dinner', 'cook', 'kitchen', 'meal', 'taste'],
] as const;

/** Packages whose summaries mix the words of one topic. */
function packages(count: number): string {
  const random = createRandom(7);
  const lines = Array.from({ length: count }, (_, at) => {
    const words = topics[at % topics.length] as readonly string[];
    const pick = () => words[random.below(words.length)] as string;
    return `${pick()}-${pick()}\t${pick()} ${pick()} ${pick()} ${pick()}`;
  });
  return lines.join('\n');
}

async function trained(folder: string): Promise<Encoder> {
  const examples = createExamples(readData([root], new Set()).pairs, 2, 1_000);
  const options = {
    seed: 3,
    dimensions: 16,
    batch: 32,
    passes: 6,
    temperature: 0.1,
    learningRate: 0.05,
    times: { package: 1, query: 1, tool: 1, definition: 1 },
  };
  const losses: number[] = [];
  const vectors = train(examples, options, (_pass, loss) => losses.push(loss));
  expect(losses.at(-1)).toBeLessThan(losses[0] as number);
  writeModel(folder, examples.vocabulary, vectors);
  const found = await findModel(folder, true);
  if (!found?.encoder) throw new Error(found?.problem);
  return found.encoder;
}

const cosine = (encoder: Encoder, a: string, b: string) => {
  const [left, right] = [encoder.encode(a), encoder.encode(b)] as [Float32Array, Float32Array];
  return left.reduce((sum, value, at) => sum + value * (right[at] as number), 0);
};

describe('Training', () => {
  it('makes words of one topic similar, and creates the same files for the same seed', async () => {
    writeFileSync(join(root, 'packages.tsv.gz'), gzipSync(packages(800)));
    const [first, second] = [join(root, 'first'), join(root, 'second')];
    const encoder = await trained(first);
    expect(cosine(encoder, 'rain', 'umbrella')).toBeGreaterThan(cosine(encoder, 'rain', 'invoice') + 0.3);
    expect(cosine(encoder, 'git branch', 'commit')).toBeGreaterThan(cosine(encoder, 'git branch', 'dinner') + 0.3);
    await trained(second);
    for (const file of ['vocabulary.txt', 'model.safetensors']) {
      expect(readFileSync(join(first, file)).equals(readFileSync(join(second, file)))).toBe(true);
    }
  });

  it('pairs the words of a meaning with its definition and with the words of the broader meaning', () => {
    const folder = join(root, 'wordnet');
    mkdirSync(folder);
    for (const part of ['verb', 'adj', 'adv']) writeFileSync(join(folder, `data.${part}`), '  1 A license.\n');
    const lines = [
      '00000100 19 n 01 precipitation 0 001 ~ 00000200 n 0000 | water that falls from clouds',
      '00000200 19 n 02 rain 0 light_rain 1 001 @ 00000100 n 0000 | drops of water; "it was raining"',
    ];
    writeFileSync(join(folder, 'data.noun'), `  1 A license.\n${lines.join('\n')}\n`);
    expect(readData([folder], new Set()).pairs).toEqual([
      { kind: 'definition', left: 'precipitation', right: ' water that falls from clouds', group: 'precipitation' },
      {
        kind: 'definition',
        left: 'rain, light rain',
        right: 'precipitation drops of water; "it was raining"',
        group: 'rain,light rain',
      },
    ]);
  });

  it('computes the same product with SIMD as with plain loops', () => {
    const [m, n, k] = [8, 16, 5];
    const { matrix, multiply } = createMatmul(10_000);
    const [a, b, c] = [matrix(m, k), matrix(k, n), matrix(m, n)];
    const random = createRandom(1);
    for (const values of [a, b]) values.set(values.map(() => random.normal()));
    multiply(a, b, c, m, n, k);
    for (let row = 0; row < m; row++) {
      for (let column = 0; column < n; column++) {
        let sum = 0;
        for (let at = 0; at < k; at++) sum += (a[row * k + at] as number) * (b[at * n + column] as number);
        expect(c[row * n + column]).toBeCloseTo(sum, 4);
      }
    }
    expect(() => multiply(a, b, c, 3, n, k)).toThrow('3 × 16');
  });
});

describe('The built-in model', () => {
  it('takes at most 4 MB and finds tools by words that they do not contain', async () => {
    const found = await findBuiltInModel();
    if (!found?.encoder) throw new Error(found?.problem ?? 'no model');
    const sizes = ['vocabulary.txt', 'model.safetensors'].map((file) => statSync(join(found.folder, file)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(4_000_000);
    const search = createSearch({ encoder: found.encoder });
    search.put(office);
    search.indexVectors();
    expect(search.search('precipitation', { limit: 1 })[0]?.key).toBe('weather::forecast');
  });

  it('is loaded once and only on demand; until then, search uses keywords', async () => {
    const found = await findBuiltInModel();
    let loads = 0;
    const search = createSearch({
      loadEncoder: async () => {
        loads++;
        return found?.encoder;
      },
    });
    search.put(office);
    expect(search.indexVectors()).toBe(false);
    expect(search.search('precipitation', { limit: 1 })).toEqual([]);
    expect(search.search('rain', { limit: 1 })[0]?.key).toBe('weather::forecast');
    expect(loads).toBe(0);
    await Promise.all([search.loadEncoder(), search.loadEncoder()]);
    expect(loads).toBe(1);
    search.indexVectors();
    expect(search.search('precipitation', { limit: 1 })[0]?.key).toBe('weather::forecast');
  });

  it('gives a query in an unknown language a lower similarity to every tool', async () => {
    const index = createVectorIndex({ context: 0, slotsOf: () => undefined });
    index.setEncoder((await findBuiltInModel())?.encoder);
    index.put(0, office[0] as (typeof office)[0]);
    index.indexVectors(Number.POSITIVE_INFINITY);
    const similarityOf = (query: string) => index.queryVector(query)?.similarity(0) ?? 0;
    expect(similarityOf('issue')).toBeGreaterThan(0.3);
    expect(similarityOf('issue sebutkan pekerjaan selesaikan')).toBeLessThan(0.7 * similarityOf('issue'));
  });

  it('can be missing: keyword search continues', async () => {
    const search = createSearch({ loadEncoder: async () => undefined });
    search.put(office);
    await search.loadEncoder();
    expect(search.indexVectors()).toBe(false);
    expect(search.search('rain', { limit: 1 })[0]?.key).toBe('weather::forecast');
  });

  it('is reported with the error if it is damaged', async () => {
    const folder = join(root, 'damaged');
    writeModel(folder, ['one', 'two'], { dimensions: 8, vectors: new Float32Array(16).fill(1) });
    truncateSync(join(folder, 'model.safetensors'), 20);
    expect((await findModel(folder, true))?.problem).toMatch(/header/);
    writeModel(folder, ['one', 'two'], { dimensions: 8, vectors: new Float32Array(16).fill(1) });
    writeFileSync(join(folder, 'vocabulary.txt'), 'one\n');
    expect((await findModel(folder, true))?.problem).toMatch(/1 words for 2 vectors/);
  });
});

describe('Chinese tools', () => {
  it('are found by an English query, and English tools by a Chinese query', () => {
    const search = createSearch();
    search.put([...office, doc('hub', 'qx', '查询城市的空气质量'), doc('hub', 'zx', '获取最新新闻资讯')]);
    expect(search.search('air quality of a city', { limit: 1 })[0]?.key).toBe('hub::qx');
    expect(search.search('latest news', { limit: 1 })[0]?.key).toBe('hub::zx');
    expect(search.search('创建日历会议', { limit: 1 })[0]?.key).toBe('calendar::add_event');
  });
});
