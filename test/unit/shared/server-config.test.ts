/** The configuration of a server, from a UI or a setup file. */
import { expect, it } from 'vitest';
import { serverConfigSchema } from '../../../shared/model/server.ts';

it.each(['idleTimeoutMs', 'startTimeoutMs', 'timeoutMs', 'healthIntervalMs'])(
  'A server may have a lifecycle.%s of at most the longest delay of a timer',
  (field) => {
    const accepts = (ms: number) =>
      serverConfigSchema.safeParse({
        name: 'a',
        connection: { type: 'stdio', command: 'a' },
        lifecycle: { [field]: ms },
      }).success;
    expect([accepts(60_000), accepts(2 ** 31 - 1), accepts(2 ** 31)]).toEqual([true, true, false]);
  },
);
