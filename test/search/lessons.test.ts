import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFollowUp, createSearch, openLessons } from '../../electron/core/search/search.ts';
import { maskText } from '../../electron/core/secrets/secrets.ts';
import { office } from './tools.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-lessons-'));
afterAll(() => rmSync(root, { recursive: true }));

async function open(file: string) {
  const index = createSearch();
  index.put(office);
  const lessons = await openLessons(join(root, file), index, maskText);
  return { lessons, first: (query: string) => index.search(query, { limit: 5 })[0]?.key };
}
const query = 'my standup digest';
const lesson = { query, server: 'git', tool: 'status' };

describe('a lesson (N7)', () => {
  it('puts the taught tool first for its query and queries like it, also after a restart, until it is forgotten', async () => {
    const before = await open('kept.json');
    expect(before.first(query)).not.toBe('git::status');
    before.lessons.teach({ ...lesson, taughtBy: 'person' });
    expect(before.first(query)).toBe('git::status');
    expect(before.first('make the digest for my standup')).toBe('git::status');
    expect(before.first('post a message')).toBe('slack::post_message');
    await before.lessons.close();
    expect(statSync(join(root, 'kept.json')).mode & 0o777).toBe(0o600);

    const after = await open('kept.json');
    expect(after.first(query)).toBe('git::status');
    const [known] = after.lessons.list();
    expect(known).toMatchObject({ ...lesson, taughtBy: 'person', times: 1 });
    expect(after.lessons.forget(known?.id ?? '')).toBe(true);
    expect(after.lessons.forget(known?.id ?? '')).toBe(false);
    expect(after.first(query)).not.toBe('git::status');
    await after.lessons.close();
    expect((await open('kept.json')).lessons.list()).toEqual([]);
  });

  it('counts more the more often an agent teaches it', async () => {
    const { lessons } = await open('counted.json');
    lessons.teach({ ...lesson, taughtBy: 'agent' });
    lessons.teach({ ...lesson, query: `  ${query.toUpperCase()} `, taughtBy: 'agent' });
    expect(lessons.list()).toHaveLength(1);
    expect(lessons.list()[0]?.times).toBe(2);
    await lessons.close();
  });

  it('keeps no secret that stood in a query', async () => {
    const { lessons } = await open('masked.json');
    const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
    lessons.teach({ ...lesson, query: `log in with ${token}`, taughtBy: 'agent' });
    await lessons.close();
    expect(readFileSync(join(root, 'masked.json'), 'utf8')).not.toContain(token);
  });

  it('is not lost without a trace when its file is damaged', async () => {
    writeFileSync(join(root, 'damaged.json'), '{"version":1,"lessons":[{"id"');
    const { lessons } = await open('damaged.json');
    expect(lessons.list()).toEqual([]);
    expect(readFileSync(join(root, 'damaged.json.damaged'), 'utf8')).toContain('"lessons"');
  });
});

describe('what an agent runs after a search', () => {
  function watch() {
    const taught: string[] = [];
    let time = 0;
    const later = (ms: number) => {
      time += ms;
    };
    const followUp = createFollowUp(
      (asked, key) => taught.push(`${asked} → ${key}`),
      () => time,
    );
    return { followUp, taught, later };
  }

  it('is a lesson when it was found but not first', () => {
    const { followUp, taught } = watch();
    followUp.searched('s', 'open a ticket', ['a', 'b']);
    followUp.ran('s', 'b');
    followUp.searched('s', 'send mail', ['c', 'd']);
    followUp.ran('s', 'c');
    expect(taught).toEqual(['open a ticket → b']);
  });

  it('is a lesson for the same question in other words too, but not for another question', () => {
    const { followUp, taught } = watch();
    followUp.searched('s', 'post the weather', ['x']);
    followUp.searched('s', 'show changed files', ['y']);
    followUp.searched('s', 'git changed', ['status', 'diff']);
    followUp.ran('s', 'status');
    expect(taught).toEqual(['show changed files → status']);
  });

  it('is none when it was not found, was long ago, or belongs to another client', () => {
    const { followUp, taught, later } = watch();
    followUp.searched('s', 'open a ticket', ['a', 'b']);
    followUp.ran('s', 'whoami');
    followUp.ran('t', 'b');
    later(11 * 60_000);
    followUp.ran('s', 'b');
    expect(taught).toEqual([]);
  });
});
