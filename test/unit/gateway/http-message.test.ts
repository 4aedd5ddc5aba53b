import { expect, it } from 'vitest';
import { completed } from '../../../electron/core/gateway/transports/http-message.ts';

const call = (name: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });

it('A short request is completed only if its name is a string', () => {
  expect(completed({}, call('list_tools'))).toMatchObject({ params: { name: 'list_tools', _meta: {} } });
  for (const name of [{ toString: 1 }, [Object.create(null)], 5, null])
    expect(completed({}, call(name))).toEqual(call(name));
});
