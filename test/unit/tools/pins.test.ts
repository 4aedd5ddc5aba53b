/** The tools that pins hold: changed ones, suspicious ones, and ones that were added to a known server. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openPins } from '../../../electron/core/tools/pins.ts';
import type { Tool } from '../../../shared/model/tool.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolkeep-pins-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tool = (fingerprint: string, findings: string[] = []) =>
  ({
    key: 'git::push',
    server: 'git',
    fingerprint,
    findings,
    definition: { name: 'push', description: fingerprint },
  }) as unknown as Tool;

describe('A changed tool', () => {
  it('is held with the accepted definition, across restarts, until the user accepts it', async () => {
    const file = join(folder, 'pins.json');
    const first = await openPins(file);
    first.record(tool('one'), {});
    expect(first.heldBefore(tool('one'))).toBeUndefined();
    first.record(tool('two'), { previous: tool('one').definition });
    expect(first.heldReason(tool('two'))).toBe('changed');
    await first.close();
    expectMode(file, 0o600);

    const second = await openPins(file);
    expect(second.heldBefore(tool('two'))).toEqual({ name: 'push', description: 'one' });
    second.accept(tool('two'));
    expect(second.heldBefore(tool('two'))).toBeUndefined();
    expect(second.heldReason(tool('two'))).toBeUndefined();
    expect(second.heldBefore(tool('one'))).toEqual({});
    await second.close();
  });

  it('is also held after it disappeared and returned', async () => {
    const pins = await openPins(join(folder, 'again.json'));
    pins.record(tool('one'), {});
    pins.record(tool('evil'), {});
    expect(pins.heldBefore(tool('evil'))).toEqual({});
    pins.record(tool('one'), {});
    expect(pins.heldBefore(tool('one'))).toBeUndefined();
    await pins.close();
  });
});

describe('A tool with poisoning findings', () => {
  it('is held from the start, across restarts, until the user accepts it', async () => {
    const file = join(folder, 'suspicious.json');
    const poisoned = tool('one', ['its description asks for secrets']);
    const first = await openPins(file);
    expect(first.heldReason(poisoned)).toBe('suspicious');
    first.record(poisoned, {});
    expect(first.heldReason(poisoned)).toBe('suspicious');
    await first.close();

    const second = await openPins(file);
    expect(second.heldReason(poisoned)).toBe('suspicious');
    second.accept(poisoned);
    expect(second.heldReason(poisoned)).toBeUndefined();
    await second.close();
  });
});

describe('A tool that a known server adds', () => {
  it('is held until the user accepts it', async () => {
    const pins = await openPins(join(folder, 'new.json'));
    expect(pins.hasServer('git')).toBe(false);
    pins.record(tool('one'), { holdIfNew: true });
    expect(pins.hasServer('git')).toBe(true);
    expect(pins.heldReason(tool('one'))).toBe('new');
    pins.accept(tool('one'));
    expect(pins.heldReason(tool('one'))).toBeUndefined();
    await pins.close();
  });
});

it('A damaged pins file is renamed, and pinning continues', async () => {
  const file = join(folder, 'damaged.json');
  writeFileSync(file, '{"version":1,"pins":');
  const pins = await openPins(file);
  pins.record(tool('one'), {});
  await pins.close();
  expect(readFileSync(`${file}.damaged`, 'utf8')).toBe('{"version":1,"pins":');
  expect(JSON.parse(readFileSync(file, 'utf8')).pins['git::push']).toEqual({ fingerprint: 'one', reviewed: true });
});

it('Pins that cannot be read are not replaced by new ones', async () => {
  const file = join(folder, 'unreadable.json');
  mkdirSync(file);
  await expect(openPins(file)).rejects.toThrow('EISDIR');
});

it('Pins that could not be written are written with the next attempt', async () => {
  const file = join(folder, 'later.json');
  const pins = await openPins(file);
  mkdirSync(file);
  pins.record(tool('one'), {});
  await expect(pins.close()).rejects.toThrow();
  rmSync(file, { recursive: true });
  await pins.close();
  expect(JSON.parse(readFileSync(file, 'utf8')).pins['git::push']).toMatchObject({ fingerprint: 'one' });
});

it('A tool that was harmless when it was pinned is not held because of tools that other servers add later', async () => {
  const pins = await openPins(join(folder, 'neighbors.json'));
  pins.record(tool('one'), {});
  expect(pins.heldReason(tool('one', ['mentions "max_results", a tool of the server "evil"']))).toBeUndefined();
  pins.record({ ...tool('two', ['tells the agent to lie']), key: 'git::lie' }, {});
  expect(pins.heldReason({ ...tool('two', ['tells the agent to lie']), key: 'git::lie' })).toBe('suspicious');
  await pins.close();
});
