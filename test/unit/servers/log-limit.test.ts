/** A server cannot flood its clients with log messages. */
import { expect, test } from 'vitest';
import { createLogLimit } from '../../../electron/core/servers/connection/log-limit.ts';

test('Only a burst of 20,000 log messages is forwarded, and the next message states how many were dropped', () => {
  let time = 0;
  const limit = createLogLimit(() => time);
  const passed = Array.from({ length: 20_000 }, () => limit.admit({ level: 'info', data: 'x' })).filter(Boolean);
  expect(passed).toHaveLength(200);
  time = 1_000;
  expect(limit.admit({ level: 'info', data: 'y' })).toEqual({
    level: 'info',
    data: 'y',
    _meta: { 'toolkeep/droppedMessages': 19_800 },
  });
  expect(limit.admit({ level: 'info', data: 'z' })).toEqual({ level: 'info', data: 'z' });
});

test('Ordinary log messages are forwarded unchanged', () => {
  let time = 0;
  const limit = createLogLimit(() => time);
  for (let count = 0; count < 1_000; count += 1) {
    time += 50;
    const params = { level: 'debug', logger: 'db', data: { count } };
    expect(limit.admit(params)).toBe(params);
  }
});

test('A huge log message is shortened', () => {
  const params = createLogLimit().admit({ level: 'info', data: { text: 'a'.repeat(1_000_000) } });
  expect(JSON.stringify(params).length).toBeLessThan(70_000);
});
