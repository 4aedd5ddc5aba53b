/** The corpus: files in the shape of the real ones, of every client, on three platforms, and what each must yield. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientSources } from '../../electron/core/import/import.ts';
import { type CorpusCase, corpusFolder, runCase } from './corpus.ts';

const cases = JSON.parse(readFileSync(join(corpusFolder, 'expected.json'), 'utf8')) as CorpusCase[];

describe('a file of the corpus yields what its table says', () => {
  test.each(cases.map((row) => [row.file, row] as const))('%s', async (_, { yields, problems, ...row }) => {
    expect(await runCase(row)).toEqual({ yields, problems });
  });
});

test('every file of the corpus is in the table, every file of the table exists, and every client has one', () => {
  const listed = new Set(cases.flatMap(({ file, also }) => [file, ...Object.keys(also ?? {})]));
  const present = readdirSync(corpusFolder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.includes('/') && /\.(?:jsonc?|ya?ml|toml)$/.test(name));
  expect(present.filter((name) => !listed.has(name))).toEqual([]);
  expect([...listed].filter((name) => !existsSync(join(corpusFolder, name)))).toEqual([]);
  const folders = new Set(cases.map(({ file }) => file.split('/')[0]));
  expect(clientSources.map(({ id }) => id).filter((id) => !folders.has(id))).toEqual([]);
});
