/** Sample files of every client on three platforms, with the expected servers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knownClients } from '../../../electron/core/clients/known-clients.ts';
import { type CorpusCase, corpusFolder, runCase } from '../../fixtures/corpus.ts';

const cases = JSON.parse(readFileSync(join(corpusFolder, 'expected.json'), 'utf8')) as CorpusCase[];

describe('A sample file yields the expected servers', () => {
  test.each(cases.map((row) => [row.file, row] as const))('%s', async (_, { yields, problems, ...row }) => {
    expect(await runCase(row)).toEqual({ yields, problems });
  });
});

test('Every sample file is listed, every listed file exists, and every client has a sample', () => {
  const listed = new Set(cases.flatMap(({ file, also }) => [file, ...Object.keys(also ?? {})]));
  const present = readdirSync(corpusFolder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.includes('/') && /\.(?:jsonc?|ya?ml|toml)$/.test(name));
  expect(present.filter((name) => !listed.has(name))).toEqual([]);
  expect([...listed].filter((name) => !existsSync(join(corpusFolder, name)))).toEqual([]);
  const folders = new Set(cases.map(({ file }) => file.split('/')[0]));
  expect(knownClients.map(({ id }) => id).filter((id) => !folders.has(id))).toEqual([]);
});
