/** The built-in model: its format, when it is loaded, and the training that writes it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createSearch } from '../../../electron/core/search/search.ts';
import type { Encoder } from '../../../electron/core/search/vectors/encoder.ts';
import { createVectorIndex } from '../../../electron/core/search/vectors/vector-index.ts';
import { findBuiltInModel, findModel } from '../../../electron/core/search/vectors/vectors.ts';
import { doc, office } from './tools.ts';

const run = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), 'toolkeep-train-'));
afterAll(() => rmSync(root, { recursive: true }));

const topics = [
  ['rain', 'weather', 'forecast', 'storm', 'cloud', 'umbrella'],
  ['invoice', 'payment', 'bill', 'money', 'bank', 'tax'],
  ['branch', 'commit', 'repository', 'merge', 'git', 'diff'],
  ['recipe', 'dinner', 'cook', 'kitchen', 'meal', 'taste'],
] as const;

/** Packages whose summaries mix the words of one topic, and meanings as in WordNet. */
function writeTrainingData(folder: string): void {
  let state = 7;
  const randomBelow = (end: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % end;
  };
  const lines = Array.from({ length: 1_200 }, (_, at) => {
    const words = topics[at % topics.length] as readonly string[];
    const word = () => words[randomBelow(words.length)];
    return `${word()}-${word()}\t${word()} ${word()} ${word()} ${word()}`;
  });
  writeFileSync(join(folder, 'packages.tsv.gz'), gzipSync(lines.join('\n')));
  for (const part of ['verb', 'adj', 'adv']) writeFileSync(join(folder, `data.${part}`), '  1 A license.\n');
  const nouns = Array.from({ length: 30 }, (_, at) => {
    const [id, above] = [2 * at + 1, 2 * at].map((number) => String(number).padStart(8, '0'));
    return [
      `${above} 19 n 01 precipitation 0 001 ~ ${id} n 0000 | water that falls from clouds`,
      `${id} 19 n 02 drizzle 0 light_rain 1 001 @ ${above} n 0000 | drops; "it was raining"`,
    ];
  });
  writeFileSync(join(folder, 'data.noun'), `  1 A license.\n${nouns.flat().join('\n')}\n`);
}

async function trained(folder: string): Promise<Encoder> {
  const script = join(import.meta.dirname, '../../../models/train.mjs');
  const { stdout } = await run(process.execPath, [script, root, '--out', folder, '--batch', '32', '--passes', '12']);
  const losses = [...stdout.matchAll(/loss ([\d.]+)/g)].map(([, loss]) => Number(loss));
  expect(losses).toHaveLength(12);
  expect(losses.at(-1)).toBeLessThan(losses[0] as number);
  const found = await findModel(folder);
  if (!found?.encoder) throw new Error(found?.problem);
  return found.encoder;
}

const cosine = (encoder: Encoder, a: string, b: string) => {
  const [left, right] = [encoder.encode(a), encoder.encode(b)] as [Float32Array, Float32Array];
  return left.reduce((sum, value, at) => sum + value * (right[at] as number), 0);
};

describe('Training', () => {
  it('makes words of one topic similar, and creates the same files for the same seed', async () => {
    writeTrainingData(root);
    const [first, second] = [join(root, 'first'), join(root, 'second')];
    const encoder = await trained(first);
    expect(cosine(encoder, 'rain', 'umbrella')).toBeGreaterThan(cosine(encoder, 'rain', 'invoice') + 0.3);
    expect(cosine(encoder, 'git branch', 'commit')).toBeGreaterThan(cosine(encoder, 'git branch', 'dinner') + 0.3);
    // Only the broader meaning connects these.
    expect(cosine(encoder, 'drizzle', 'precipitation')).toBeGreaterThan(cosine(encoder, 'drizzle', 'invoice') + 0.3);
    await trained(second);
    for (const file of ['vocabulary.txt', 'model.safetensors']) {
      expect(readFileSync(join(first, file)).equals(readFileSync(join(second, file)))).toBe(true);
    }
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
    const source = (await findBuiltInModel())?.folder as string;
    cpSync(source, folder, { recursive: true });
    writeFileSync(join(folder, 'vocabulary.txt'), 'one\n');
    expect((await findModel(folder))?.problem).toMatch(/1 words for 28000 vectors/);
    truncateSync(join(folder, 'model.safetensors'), 20);
    expect((await findModel(folder))?.problem).toMatch(/header/);
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
