/** Entries that are Toolkeep itself, under whatever name. */
import { expect, it } from 'vitest';
import { isToolkeep } from '../../../electron/core/clients/import/gateways.ts';

const isOurs = (command: string, ...args: string[]) =>
  isToolkeep('work', { type: 'stdio', command, args, env: {} }, undefined);

it('The programs that clients start for Toolkeep are recognized, and other programs are not', () => {
  expect(isOurs('/home/me/.toolkeep/bin/toolkeep-bridge', '--profile', 'work')).toBe(true);
  expect(
    isOurs('C:\\Users\\me\\.toolkeep\\bin\\toolkeep-bridge.exe', 'C:\\Users\\me\\.toolkeep\\bin\\bridge.cjs'),
  ).toBe(true);
  expect(isOurs('npx', '-y', 'toolkeep', 'connect')).toBe(true);
  expect(isOurs('/usr/bin/some-bridge', '/home/me/bridge.cjs')).toBe(false);
});
