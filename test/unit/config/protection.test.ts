/** A config file that loses rules: while it is written, after a cut, and when it is renamed. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openConfig } from '../../../electron/core/config/config.ts';
import { loadUserConfig } from '../../../electron/core/config/load.ts';
import { loadSettled } from '../../../electron/core/config/protection.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
beforeEach(() => {
  host = testHost();
});
afterEach(() => {
  vi.restoreAllMocks();
  host.dispose();
});

const file = () => join(host.dataDir, 'config.yaml');
const head = 'approvals:\n  ask: all\ntoolRules:\n  - pattern: "*read*"\n    enabled: false\n';
const tail = '  - pattern: "*delete*"\n    confirm: always\nplugins: [./guard.mjs]\n';
const rule = { pattern: ['*delete*'], confirm: 'always' };
const write = (text: string) => writeFileSync(file(), text);
const open = () => openConfig(host, { follow: false });

describe('A config file that loses protection', () => {
  it('does not apply while it is being written', async () => {
    write(head + tail);
    const before = (await loadUserConfig(host)).config;
    const texts = [head, head + tail];
    const load = async () => {
      write(texts.shift() ?? '');
      return loadUserConfig(host);
    };
    const loaded = await loadSettled(load, () => before, AbortSignal.timeout(60_000));
    expect(texts).toEqual([]);
    expect(loaded.config?.toolRules).toContainEqual(rule);
    expect(loaded.removed).toEqual([]);
  });

  it('applies once it no longer changes, and the old rules are reported', async () => {
    write(head + tail);
    const store = await open();
    write(head.replace('ask: all', 'ask: acts'));
    const { config, removed } = await store.reload();
    expect(config.toolRules).not.toContainEqual(rule);
    const settings = [
      `toolRules: ${JSON.stringify(rule)}`,
      expect.stringContaining('guard.mjs'),
      'approvals.ask: "all"',
    ];
    expect(removed).toEqual({ file: file(), settings });
    expect(host.logged.at(-1)?.message).toBe(`${file()} no longer has approvals.ask: "all"`);
    expect((await store.reload()).removed).toBeUndefined();
  });

  it.each([
    ['was cut', () => write(head)],
    ['was renamed', () => renameSync(file(), `${file()}.old`)],
  ])('is reported at the next start, once, if it %s while Toolkeep did not run', async (_, change) => {
    write(head + tail);
    await open();
    change();
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
    expect((await open()).state.removed?.settings).toContain(`toolRules: ${JSON.stringify(rule)}`);
    expect((await open()).state.removed).toBeUndefined();
  });

  it('does not delay the end of Toolkeep', async () => {
    write(head + tail);
    const store = await open();
    write(head);
    const reloaded = store.reload();
    await store.close();
    expect((await reloaded).config.toolRules).toContainEqual(rule);
  });

  it('is not reported for a rule that only allowed more', async () => {
    write('toolRules:\n  - pattern: "*read*"\n    confirm: never\n');
    const store = await open();
    write('toolRules: []\n');
    expect(await store.reload()).toMatchObject({ removed: undefined, config: { toolRules: [] } });
  });
});
