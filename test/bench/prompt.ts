/** How soon a question is on screen when no window is open: from the request to the painted prompt, in a real browser. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../fixtures/chromium.ts';
import { createSampleCore, type SampleCore } from '../window/sample-core.ts';
import type { SampleQuestion } from '../window/sample-questions.ts';
import { buildPage, servePage } from '../window/serve-page.ts';
import type { Part } from './report.ts';

const rounds = 21;

/** Writes down when what `selector` names was painted: the frame after the one that drew it has begun. */
const watch = (selector: string): string => `{
  const look = () => {
    if (!document.querySelector(${JSON.stringify(selector)})) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { globalThis.paintedAt = performance.timeOrigin + performance.now(); };
      port2.postMessage(0);
    });
  };
  requestAnimationFrame(look);
}`;

const now = () => performance.timeOrigin + performance.now();

export const part: Part = {
  about: 'from a request to its painted prompt with no window open, against an empty page opened the same way',
  async run(report) {
    const core = createSampleCore();
    const served = await servePage(buildPage(), core);
    const browser = await launchChromium();
    const promptUrl = served.url.replace('/#', '/?view=questions#');
    const emptyUrl = 'data:text/html,<p>empty</p>';
    const kinds: SampleQuestion[] = ['approval', 'form', 'secret'];
    const times: Record<string, number[]> = {
      empty: [],
      ready: [],
      ...Object.fromEntries(kinds.map((kind) => [kind, []])),
    };
    try {
      const context = await browser.newContext({ viewport: { width: 520, height: 600 } });
      const kept = await context.newPage();
      await kept.goto(promptUrl);
      await kept.getByText('Nothing to decide').waitFor();
      for (let round = -3; round < rounds; round++) {
        const empty = await painted(context, 'p', emptyUrl);
        if (round >= 0) times.empty?.push(empty);
        await kept.evaluate(watch('.question'));
        const ready = await paintedOn(kept, now(), () => void core.ask('approval'));
        if (round >= 0) times.ready?.push(ready);
        decline(core);
        for (const kind of kinds) {
          const taken = await painted(context, '.question', promptUrl, () => void core.ask(kind));
          if (round >= 0) times[kind]?.push(taken);
          decline(core);
        }
      }
    } finally {
      await browser.close();
      await served.close();
    }
    const empty = median(times.empty ?? []);
    const ready = median(times.ready ?? []);
    report.table('Milliseconds, medians', [
      { what: 'an empty page', median: empty, p95: p95(times.empty ?? []) },
      {
        what: 'approval on a page kept ready',
        median: ready,
        p95: p95(times.ready ?? []),
        ratio: ready / empty,
        goal: '< 150',
      },
      ...kinds.map((kind) => {
        const value = median(times[kind] ?? []);
        return {
          what: `prompt: ${kind}`,
          median: value,
          p95: p95(times[kind] ?? []),
          ratio: value / empty,
          goal: '< 150',
        };
      }),
    ]);
    report.note('A page of Chromium stands for the prompt window; opening it is part of both times.');
  },
};

async function painted(context: BrowserContext, selector: string, url: string, request?: () => void): Promise<number> {
  const startedAt = now();
  request?.();
  const page = await context.newPage();
  await page.addInitScript(watch(selector));
  await page.goto(url, { waitUntil: 'commit' });
  const taken = await paintedOn(page, startedAt);
  await page.close();
  return taken;
}

async function paintedOn(page: Page, startedAt: number, request?: () => void): Promise<number> {
  request?.();
  for (;;) {
    const at = await page.evaluate<number | null>('globalThis.paintedAt ?? null');
    if (at === null) {
      await delay(5);
      continue;
    }
    await page.evaluate('delete globalThis.paintedAt');
    return at - startedAt;
  }
}

function decline(core: SampleCore): void {
  for (const { question } of [...core.state.questions])
    void core.handlers['questions.answer']({ id: question.id, answer: { action: 'decline' } });
}

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const median = (values: readonly number[]): number => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN;
const p95 = (values: readonly number[]): number => sorted(values)[Math.floor(values.length * 0.95)] ?? Number.NaN;
