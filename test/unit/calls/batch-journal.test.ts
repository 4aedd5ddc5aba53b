import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { type BatchJournals, createBatchJournals } from '../../../electron/core/calls/batch-journal.ts';

let folder: string;
let ofCore: BatchJournals;
const journal = (connection = 'first') => ofCore.of('key', 3, connection);
const path = () => join(folder, 'key.jsonl');
const hour = 3_600;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolkeep-journal-'));
  ofCore = createBatchJournals(folder);
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

it('returns the statuses of a cancelled run once to each connection that may not have received them', async () => {
  const run = journal();
  await run.open();
  await run.set(0, 'unknown');
  await run.set(0, 'ok');
  await run.set(1, 'unknown');
  await run.close({ isInterrupted: true });
  const statuses = new Map([
    [0, 'ok'],
    [1, 'unknown'],
  ]);
  expect(await journal().unread()).toEqual(statuses);
  expect(await journal().unread()).toBeUndefined();
  ofCore.drop('first');
  expect(await journal('second').unread()).toEqual(statuses);
});

it('returns the statuses of a finished run whose client has disconnected', async () => {
  const run = journal();
  await run.open();
  for (const index of [0, 1, 2]) await run.set(index, 'ok');
  await run.close({ isInterrupted: false });
  expect(await journal('second').unread()).toBeUndefined();
  ofCore.drop('first');
  expect((await journal('second').unread())?.size).toBe(3);
  expect(await journal('second').unread()).toBeUndefined();
});

it('returns nothing after a finished run of this Core, or of one that has closed, and the same calls can run again', async () => {
  for (let time = 0; time < 2; time += 1) {
    const run = journal();
    expect(await run.unread()).toBeUndefined();
    await run.open();
    await run.set(0, 'ok');
    await run.close({ isInterrupted: false });
  }
  expect(readFileSync(path(), 'utf8')).toBe('[0,"ok"]\n');
  await ofCore.close();
  expect(readdirSync(folder)).toEqual([]);
});

it('refuses the same calls while they run', async () => {
  const run = journal();
  await run.open();
  await expect(journal().unread()).rejects.toThrow('The same calls are running');
  await expect(journal().open()).rejects.toThrow('The same calls are running');
  await run.close({ isInterrupted: true });
});

it('ignores a line that was cut off, and rejects if the file cannot be written', async () => {
  writeFileSync(path(), '[0,"ok"]\n[1,"unk');
  expect(await journal().unread()).toEqual(new Map([[0, 'ok']]));
  writeFileSync(join(folder, 'file'), '');
  const unwritable = createBatchJournals(join(folder, 'file')).of('key', 1, 'first');
  for (let time = 0; time < 2; time += 1) await expect(unwritable.open()).rejects.toThrow('EEXIST');
});

it.each([
  ['an interrupted run for a day', '[0,"ok"]\n[1,"unknown"]\n', 23 * hour, 25 * hour],
  ['a finished run of a killed Core for ten minutes', '[0,"ok"]\n[1,"error"]\n[2,"not_run"]\n', hour / 10, hour / 5],
])('remembers %s', async (_name, content, isKept, isForgotten) => {
  for (const age of [isKept, isForgotten]) {
    writeFileSync(path(), content);
    const at = Date.now() / 1_000 - age;
    utimesSync(path(), at, at);
    expect((await createBatchJournals(folder).of('key', 3, 'first').unread()) !== undefined).toBe(age === isKept);
  }
});
