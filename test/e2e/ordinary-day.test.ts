/** The number of questions in a day of ordinary work. */
import { expect, it } from 'vitest';
import { spendDay } from './ordinary-day.ts';

it('A day with 120 calls to six servers causes at most 12 questions, including one for each dangerous tool', async () => {
  const { calls, failed, questions } = await spendDay();
  expect(failed).toEqual([]);
  expect(calls).toBe(120);
  const asked = questions.map(({ server, tool, covers }) =>
    covers === 'acts' ? `${server}: acts` : `${server}/${tool}`,
  );
  expect(asked).toEqual(
    expect.arrayContaining(['github/merge_pull_request', 'asana/asana_delete_task', 'memory/delete_observations']),
  );
  expect(asked).toContain('playwright: acts');
  expect(questions.length).toBeLessThanOrEqual(12);
}, 120_000);
