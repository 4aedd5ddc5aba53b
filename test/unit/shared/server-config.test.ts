/** The configuration of a server, from a UI or a setup file. */
import { expect, it } from 'vitest';
import { sandboxLimits } from '../../../shared/model/sandbox.ts';
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

const withSandbox = (sandbox: unknown) =>
  serverConfigSchema.safeParse({ name: 'a', connection: { type: 'stdio', command: 'a' }, sandbox }).data;

it('A confined server may use nothing by default, or what its sandbox allows', () => {
  const nothing = { files: { read: [], write: [] }, network: { allow: [] } };
  const limits = (given: unknown) => {
    const sandbox = withSandbox(given)?.sandbox;
    return sandbox === 'auto' ? sandbox : sandboxLimits(sandbox);
  };
  expect(limits('auto')).toBe('auto');
  expect([limits(undefined), limits(false)]).toEqual([undefined, undefined]);
  expect([limits(true), limits({})]).toEqual([nothing, nothing]);
  const allow = ['api.github.com', '*.github.com', '127.0.0.1:8080', 'Host:1'];
  const files = { read: ['/srv/data', '~/a b'], write: ['~/notes'] };
  expect(limits({ files, network: { allow } })).toEqual({ files, network: { allow } });
});

it.each([
  ['yes'],
  [{ file: {} }],
  [{ files: { read: ['notes'] } }],
  [{ files: { write: ['~'] } }],
  [{ files: { write: ['~ann/notes'] } }],
  [{ files: { read: ['/a\0b'] } }],
  [{ network: { allow: ['*'] } }],
  [{ network: { allow: ['*.'] } }],
  [{ network: { allow: ['a.*.com'] } }],
  [{ network: { allow: ['https://github.com'] } }],
  [{ network: { allow: ['github.com:0'] } }],
  [{ network: { allow: ['github.com/path'] } }],
])('A sandbox of %j is refused', (sandbox) => {
  expect(withSandbox(sandbox)).toBeUndefined();
});
