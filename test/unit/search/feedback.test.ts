import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openFeedback } from '../../../electron/core/search/feedback/feedback.ts';
import { createFollowUp } from '../../../electron/core/search/follow-up.ts';
import { createSearch } from '../../../electron/core/search/search.ts';
import { redactText } from '../../../electron/core/secrets/redact.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';
import { office } from './tools.ts';

const root = mkdtempSync(join(tmpdir(), 'toolkeep-feedback-'));
afterAll(() => rmSync(root, { recursive: true }));

async function open(file: string) {
  const index = createSearch();
  index.put(office);
  const feedback = await openFeedback(join(root, file), index, redactText);
  return { feedback, first: (query: string) => index.search(query, { limit: 5 })[0]?.key };
}
const query = 'my standup digest';
const corrected = { query, server: 'git', tool: 'status' };

describe('Search feedback', () => {
  it('ranks the corrected tool first for its query and similar ones, even after a restart, until it is removed', async () => {
    const before = await open('kept.json');
    expect(before.first(query)).not.toBe('git::status');
    before.feedback.add({ ...corrected, source: 'user' });
    expect(before.first(query)).toBe('git::status');
    expect(before.first('make the digest for my standup')).toBe('git::status');
    expect(before.first('post a message')).toBe('slack::post_message');
    await before.feedback.close();
    expectMode(join(root, 'kept.json'), 0o600);

    const after = await open('kept.json');
    expect(after.first(query)).toBe('git::status');
    const [known] = after.feedback.list();
    expect(known).toMatchObject({ ...corrected, source: 'user', times: 1 });
    expect(after.feedback.remove(known?.id ?? '')).toBe(true);
    expect(after.feedback.remove(known?.id ?? '')).toBe(false);
    expect(after.first(query)).not.toBe('git::status');
    await after.feedback.close();
    expect((await open('kept.json')).feedback.list()).toEqual([]);
  });

  it('is stored once with a count if an agent repeats it', async () => {
    const { feedback } = await open('counted.json');
    feedback.add({ ...corrected, source: 'agent' });
    feedback.add({ ...corrected, query: `  ${query.toUpperCase()} `, source: 'agent' });
    expect(feedback.list()).toHaveLength(1);
    expect(feedback.list()[0]?.times).toBe(2);
    await feedback.close();
  });

  it('is stored without the secrets of a query', async () => {
    const { feedback } = await open('redacted.json');
    const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
    feedback.add({ ...corrected, query: `log in with ${token}`, source: 'agent' });
    await feedback.close();
    expect(readFileSync(join(root, 'redacted.json'), 'utf8')).not.toContain(token);
  });

  it('starts empty if its file is damaged, and keeps the damaged file', async () => {
    writeFileSync(join(root, 'damaged.json'), '{"version":1,"entries":[{"id"');
    const { feedback } = await open('damaged.json');
    expect(feedback.list()).toEqual([]);
    expect(readFileSync(join(root, 'damaged.json.damaged'), 'utf8')).toContain('"entries"');
  });
});

describe('A call after a search', () => {
  function watch() {
    const received: string[] = [];
    let time = 0;
    const later = (ms: number) => {
      time += ms;
    };
    const followUp = createFollowUp(
      (query, key) => received.push(`${query} → ${key}`),
      () => time,
    );
    return { followUp, received, later };
  }

  it('is feedback if the tool was found but not first', () => {
    const { followUp, received } = watch();
    followUp.onSearch('s', 'open a ticket', ['a', 'b']);
    followUp.onCall({ client: 's', key: 'b' });
    followUp.onSearch('s', 'send mail', ['c', 'd']);
    followUp.onCall({ client: 's', key: 'c' });
    expect(received).toEqual(['open a ticket → b']);
  });

  it('is feedback for an earlier search that shares a word, not for others', () => {
    const { followUp, received } = watch();
    followUp.onSearch('s', 'post the weather', ['x']);
    followUp.onSearch('s', 'show changed files', ['y']);
    followUp.onSearch('s', 'git changed', ['status', 'diff']);
    followUp.onCall({ client: 's', key: 'status' });
    expect(received).toEqual(['show changed files → status']);
  });

  it('is no feedback if the tool was not found, the search is old, or the client is another one', () => {
    const { followUp, received, later } = watch();
    followUp.onSearch('s', 'open a ticket', ['a', 'b']);
    followUp.onCall({ client: 's', key: 'whoami' });
    followUp.onCall({ client: 't', key: 'b' });
    later(11 * 60_000);
    followUp.onCall({ client: 's', key: 'b' });
    expect(received).toEqual([]);
  });
});
