/** Measures the time from a client's call until the prompt window has painted its question, with the main window closed. */

import { setTimeout as delay } from 'node:timers/promises';
import { connectClient } from '../e2e/desktop/client.ts';
import { startApp } from '../e2e/desktop/driver.ts';
import { buildPage } from '../e2e/renderer/serve-page.ts';
import { commands } from '../fixtures/commands.ts';
import { eventually } from '../fixtures/eventually.ts';
import type { Part } from './report.ts';

const rounds = 15;
const warmUp = 2;

/** One call for each kind of question. */
const kinds = {
  approval: { server: 'github', tool: 'delete_repo', args: { repo: 'x'.repeat(3_000) } },
  form: { server: 'asker', tool: 'form', args: {} },
  secret: { server: 'asker', tool: 'secret', args: {} },
};
type Kind = keyof typeof kinds;

const now = () => performance.timeOrigin + performance.now();
const stdio = (name: string, command: object) => ({ name, connection: { type: 'stdio', ...command } });

export const part: Part = {
  about:
    'the time from a client’s call until its prompt is visible and painted, with a prepared window and with a new one',
  async run(report) {
    buildPage();
    const app = await startApp({
      args: ['--hidden'],
      env: { TOOLKEEP_STAND_IN_FRAMES: '1' },
      config: {
        servers: [stdio('asker', commands.elicit('legacy')), stdio('github', commands.github())],
        toolRules: [
          { server: 'asker', confirm: 'never' },
          { server: 'github', confirm: 'always' },
        ],
      },
    });
    const client = await connectClient(app);
    const prompts = async () => (await app.desk('windows')).filter(({ url }) => url.includes('view=questions'));

    /** Milliseconds from the call until the window is visible and has painted its question. */
    async function timeOf(kind: Kind): Promise<number> {
      const { server, tool, args } = kinds[kind];
      const startedAt = now();
      const result = client.run(server, tool, args);
      const shown = await eventually(
        async () => (await prompts())[0]?.sightings.find(({ at, visible }) => visible && at > startedAt),
        'the window is shown',
      );
      const page = await app.page('view=questions');
      const painted = await eventually(
        () =>
          page.evaluate<number | undefined>(
            `standInFrames.find(({ at, text }) => text && at > ${startedAt} && at < Infinity)?.at`,
          ),
        'the question is painted',
      );
      await page.getByRole('button', { name: /^(Deny|Decline)$/ }).click();
      await result;
      await eventually(async () => (await prompts()).every(({ visible }) => !visible), 'the window is hidden');
      return Math.max(shown.at, painted) - startedAt;
    }
    async function ready(): Promise<void> {
      await eventually(async () => (await prompts()).length > 0, 'a window is kept');
      const page = await app.page('view=questions');
      await page.locator('main').waitFor({ state: 'attached' });
      await delay(300);
    }

    const times = new Map<Kind, { ready: number[]; opened: number[] }>();
    try {
      for (let round = -warmUp; round < rounds; round++) {
        for (const kind of Object.keys(kinds) as Kind[]) {
          for (const { id } of await prompts()) await app.desk('closeWindow', id);
          const opened = await timeOf(kind);
          await ready();
          const kept = await timeOf(kind);
          if (round < 0) continue;
          const taken = times.get(kind) ?? { ready: [], opened: [] };
          taken.ready.push(kept);
          taken.opened.push(opened);
          times.set(kind, taken);
        }
      }
    } finally {
      await client.close();
      await app.dispose();
    }
    report.table(
      'Milliseconds, medians',
      [...times].map(([kind, { ready: kept, opened }]) => ({
        what: kind,
        'kept ready': quantile(kept, 0.5),
        p95: quantile(kept, 0.95),
        'opened for it': quantile(opened, 0.5),
        ratio: quantile(kept, 0.5) / quantile(opened, 0.5),
        goal: '<= 150',
      })),
    );
    report.note('The whole app on the test double for Electron, whose windows are Chromium pages.');
    report.note('The times include the path of the call: client, bridge, Core, and the server that asks.');
  },
};

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
