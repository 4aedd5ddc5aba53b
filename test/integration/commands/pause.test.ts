/** Pausing all tools of a real Core: with and without an end, and what a script without a user cannot do. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { statusText } from '../../../electron/cli/text/status.ts';
import { openSettings } from '../../../electron/host/settings.ts';
import { connectCore, withoutDecisions } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

const bare = (text: string) => text;
const plain = { good: bare, bad: bare, warn: bare, dim: bare, bold: bare };

const call = (trial: CoreTrial) => trial.call('github', 'create_issue', { owner: 'me', repo: 'notes', title: 'a' });

/** Resolves when Core next reports that it is not paused. */
const resumption = ({ core }: CoreTrial) =>
  new Promise<void>((resolve) => {
    const unsubscribe = core.subscribe(async (name) => {
      if (name !== 'core.changed' || (await core.handlers['core.status']()).paused) return;
      unsubscribe();
      resolve();
    });
  });

async function status({ core }: CoreTrial) {
  const { paused, pausedUntil } = await core.handlers['core.status']();
  return { paused, pausedUntil };
}

describe('A pause with an end', () => {
  it('stops every call, says when it ends, and ends automatically', async () => {
    const trial = await startCore([serverConfig('github', commands.github())]);
    await call(trial);
    const resumed = resumption(trial);
    await trial.core.handlers['core.pause']({ paused: true, minutes: 0.02 });
    const { pausedUntil = 0 } = await status(trial);
    expect(Math.abs(pausedUntil - Date.now())).toBeLessThanOrEqual(1_200);
    const report = { running: true, status: await trial.core.handlers['core.status'](), servers: [], now: 0 };
    expect(statusText(report, plain)).toMatch(/: paused until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n/);
    await expect(call(trial)).rejects.toMatchObject({ failure: { code: 'PAUSED' } });
    await resumed;
    expect(await status(trial)).toEqual({ paused: false, pausedUntil: undefined });
    await call(trial);
  });
});

describe('A pause', () => {
  it.each([undefined, 60])(
    'of %s minutes outlives a restart of Core, and then ends like any other',
    async (minutes) => {
      // The settings are on disk, as in the product.
      const host = testHost();
      onTestFinished(host.dispose);
      const open = () => ({ ...host, store: openSettings(host.dataDir, host.log).store });
      const servers = [serverConfig('github', commands.github())];
      const first = await startCore(servers, { host: open() });
      await call(first);
      await first.core.handlers['core.pause']({ paused: true, minutes });
      const before = await status(first);
      await first.core.close();

      const second = await startCore(servers, { host: open() });
      expect(await status(second)).toEqual(before);
      await expect(call(second)).rejects.toMatchObject({ failure: { code: 'PAUSED' } });
      const client = await second.legacyClient();
      expect((await client.listTools()).tools).toEqual([]);
      await second.core.handlers['core.pause']({ paused: false });
      await call(second);
      expect((await client.listTools()).tools).not.toEqual([]);
      await second.core.close();

      expect(await status(await startCore(servers, { host: open() }))).toMatchObject({ paused: false });
    },
  );
});

describe('A script without a user', () => {
  it.each([undefined, 60])('cannot lift or shorten a pause of %s minutes, or give it another end', async (minutes) => {
    const trial = await startCore([]);
    await trial.core.handlers['core.pause']({ paused: true, minutes });
    const before = await status(trial);
    const [ours, theirs] = linkedWires();
    trial.core.attach(withoutDecisions(theirs), { answersQuestions: false });
    const script = connectCore(ours);
    const attacks = [
      { paused: false },
      { paused: false, minutes: 1 },
      { paused: true, minutes: 0.0001 },
      { paused: true, minutes: 10_000 },
      { paused: true, minutes: 0 },
      { paused: true, minutes: -1 },
      { paused: true, minutes: null },
      { paused: true, minutes: '1' },
      { paused: 0 },
    ];
    for (const attack of attacks)
      await expect(script.call('core.pause', attack as never)).rejects.toMatchObject({
        failure: { code: 'UI_REQUIRED' },
      });
    expect(await status(trial)).toEqual(before);
    // A pause without an end only lasts longer.
    await script.call('core.pause', { paused: true });
    expect(await status(trial)).toEqual({ paused: true, pausedUntil: undefined });
  });
});

describe('A window', () => {
  it.each([0, -1, Number.NaN, 10_081, '15'])('cannot pause for %s minutes', async (minutes) => {
    const trial = await startCore([]);
    const [ours, theirs] = linkedWires();
    trial.core.attach(theirs, { answersQuestions: false });
    const call = connectCore(ours).call('core.pause', { paused: true, minutes } as never);
    await expect(call).rejects.toMatchObject({ failure: { code: 'INPUT_INVALID' } });
    expect(await status(trial)).toEqual({ paused: false, pausedUntil: undefined });
  });
});
