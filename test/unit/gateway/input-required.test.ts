/** The limit of calls that wait for their client's answers. */
import { expect, test } from 'vitest';
import { createInputRequiredCalls } from '../../../electron/core/gateway/sessions/input-required.ts';

test('A client with too many waiting calls loses its own oldest one, and never the calls of another client', async () => {
  const calls = createInputRequiredCalls({ limit: 3 });
  const ended: string[] = [];
  const ask = (owner: string, name: string) =>
    calls.run(
      {
        owner,
        request: name,
        state: undefined,
        responses: undefined,
        signal: new AbortController().signal,
        notify() {},
      },
      ({ request, signal }) => {
        signal.addEventListener('abort', () => ended.push(name));
        return request('elicitation/create', {}, signal);
      },
    );
  for (const [owner, name] of [
    ['quiet', 'q1'],
    ['busy', 'b1'],
    ['busy', 'b2'],
    ['busy', 'b3'],
    ['busy', 'b4'],
  ] as const)
    expect(await ask(owner, name)).toMatchObject({ resultType: 'input_required' });
  expect(ended).toEqual(['b1', 'b2']);
  expect(calls.size()).toBe(3);
});
