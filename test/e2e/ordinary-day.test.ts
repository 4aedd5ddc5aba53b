/** The number of questions in two days of ordinary work. */
import { expect, it } from 'vitest';
import { spendTwoDays } from './ordinary-day.ts';

it('120 calls to six servers cause at most 12 questions, one for each dangerous tool, and the next 120 at most 3', async () => {
  const [first, second] = await spendTwoDays();
  for (const { calls, failed } of [first, second]) expect({ calls, failed }).toEqual({ calls: 120, failed: [] });
  const asked = first.questions.map(({ server, tool, covers }) =>
    covers === 'acts' ? `${server}: acts` : `${server}/${tool}`,
  );
  expect(asked).toEqual(
    expect.arrayContaining(['github/merge_pull_request', 'asana/asana_delete_task', 'memory/delete_observations']),
  );
  expect(asked).toContain('playwright: acts');
  expect(first.questions.length).toBeLessThanOrEqual(12);
  // Another task is deleted.
  expect(second.questions).toContainEqual(
    expect.objectContaining({ tool: 'asana_delete_task', covers: 'destinations' }),
  );
  expect(second.questions.length).toBeLessThanOrEqual(3);
}, 120_000);
