import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTrust } from '../../electron/core/trust/trust.ts';
import type { Tool } from '../../shared/model.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-trust-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tool = (fingerprint: string) =>
  ({ key: 'git::push', fingerprint, definition: { name: 'push', description: fingerprint } }) as unknown as Tool;

describe('trust on first use', () => {
  it('holds a changed tool back with what was accepted, across restarts, until the person accepts it', async () => {
    const file = join(folder, 'pins.json');
    const first = await openTrust(file);
    first.see(tool('one'));
    expect(first.heldBefore(tool('one'))).toBeUndefined();
    first.see(tool('two'), tool('one').definition);
    await first.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const second = await openTrust(file);
    expect(second.heldBefore(tool('two'))).toEqual({ name: 'push', description: 'one' });
    second.accept(tool('two'));
    expect(second.heldBefore(tool('two'))).toBeUndefined();
    expect(second.heldBefore(tool('one'))).toEqual({});
    await second.close();
  });

  it('does not take a tool for new that went away and came back changed', async () => {
    const trust = await openTrust(join(folder, 'again.json'));
    trust.see(tool('one'));
    trust.see(tool('evil'));
    expect(trust.heldBefore(tool('evil'))).toEqual({});
    trust.see(tool('one'));
    expect(trust.heldBefore(tool('one'))).toBeUndefined();
    await trust.close();
  });

  it('sets a damaged file aside and goes on', async () => {
    const file = join(folder, 'damaged.json');
    writeFileSync(file, '{"version":1,"pins":');
    const trust = await openTrust(file);
    trust.see(tool('one'));
    await trust.close();
    expect(readFileSync(`${file}.damaged`, 'utf8')).toBe('{"version":1,"pins":');
    expect(JSON.parse(readFileSync(file, 'utf8')).pins['git::push']).toEqual({ fingerprint: 'one' });
  });
});
