/** Combining many calls into few. */
import { expect, it, vi } from 'vitest';
import { joined } from '../../../electron/core/async/batched.ts';

it('A burst of calls with one key runs at its start and at its end, and other keys run at once', async () => {
  const keys: string[] = [];
  const call = joined<string>((key) => keys.push(key), 20);
  for (let count = 0; count < 1_000; count += 1) call('a');
  call('b');
  expect(keys).toEqual(['a', 'b']);
  await vi.waitFor(() => expect(keys).toEqual(['a', 'b', 'a']));
  // The end of the burst starts a new interval, so wait for its end too.
  await vi.waitFor(() => {
    call('c');
    expect(keys.filter((key) => key === 'c').length).toBeGreaterThan(1);
  });
  expect(keys.filter((key) => key === 'a')).toHaveLength(2);
});
