/** Entries that are Gatehouse itself, under whatever name. */
import { expect, it } from 'vitest';
import { isGatehouse } from '../../../electron/core/clients/import/gateways.ts';

const isOurs = (command: string, ...args: string[]) =>
  isGatehouse('work', { type: 'stdio', command, args, env: {} }, undefined);

it('The programs that clients start for Gatehouse are recognized, and other programs are not', () => {
  expect(isOurs('/home/me/.gatehouse/bin/gatehouse-bridge', '--profile', 'work')).toBe(true);
  expect(
    isOurs('C:\\Users\\me\\.gatehouse\\bin\\gatehouse-bridge.exe', 'C:\\Users\\me\\.gatehouse\\bin\\bridge.cjs'),
  ).toBe(true);
  expect(isOurs('npx', '-y', 'gatehouse', 'connect')).toBe(true);
  expect(isOurs('/usr/bin/some-bridge', '/home/me/bridge.cjs')).toBe(false);
});
