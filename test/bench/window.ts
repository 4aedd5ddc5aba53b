/** Compares a window with 10,000 tools and 200 servers to an ordinary one: views, filters, scrolling, and Core's work for them. */
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createCore } from '../../electron/core/core.ts';
import { goTo, startWindowTests, type WindowTests } from '../e2e/renderer/open-window.ts';
import { server } from '../e2e/renderer/sample-servers.ts';
import { testHost } from '../fixtures/host.ts';
import { fleet, keepCatalog } from './catalog-data.ts';
import { percentiles } from './figures.ts';
import type { Part, Report } from './report.ts';

const sizes = { servers: 200, tools: 10_000 };
const rounds = 12;
const views = ['servers', 'tools', 'rules', 'clients', 'history', 'settings', 'home'];

export const part: Part = {
  about:
    '10,000 tools and 200 servers compared with an ordinary setup: switching views, filtering, scrolling, Core’s lists',
  async run(report) {
    const tests = await startWindowTests();
    try {
      const ordinary = await openWindow(tests, 0);
      const large = await openWindow(tests, sizes.tools);
      const figures = { switch: pair(), filter: pair(), scroll: pair() };
      for (let round = -1; round < rounds; round += 1) {
        for (const [name, page] of [['ordinary', ordinary] as const, ['large', large] as const]) {
          const taken = { switch: await switches(page), filter: await keystrokes(page), scroll: await frames(page) };
          // The first round warms up.
          if (round < 0) continue;
          for (const key of ['switch', 'filter', 'scroll'] as const) figures[key][name].push(...taken[key]);
        }
      }
      report.table('Milliseconds', [
        row('view switch, until painted', figures.switch, 'p95 <= 200'),
        row('keystroke in the tool filter, until painted', figures.filter, 'p50 <= 50'),
        row('frame while scrolling the tools', figures.scroll, 'p95 <= 33'),
      ]);
      report.table('Page', [{ what: 'scripts and styles, uncompressed', KB: await weight(tests.rendererDir) }]);
    } finally {
      await tests.close();
    }
    await core(report);
  },
};

const pair = () => ({ ordinary: [] as number[], large: [] as number[] });

function row(what: string, { ordinary, large }: ReturnType<typeof pair>, goal: string) {
  const [small, big] = [percentiles(ordinary), percentiles(large)];
  return {
    ...{ what, 'ordinary p50': small.p50, 'large p50': big.p50, 'ordinary p95': small.p95, 'large p95': big.p95 },
    'ratio p50': big.p50 / small.p50,
    goal,
  };
}

async function openWindow(tests: WindowTests, tools: number): Promise<Page> {
  const { page, core: sample } = await tests.open('tools', { tools });
  if (tools > 0)
    for (let index = sample.state.servers.length; index < sizes.servers; index += 1)
      sample.state.servers.push(server({ id: `server-${index}`, status: index % 9 === 0 ? 'failed' : 'ready' }));
  await page.getByRole('listbox').waitFor();
  return page;
}

/** Runs `act` in the page; resolves with the milliseconds until the frame in which `isDone` is true was painted. */
const untilPainted = (page: Page, act: string, isDone: string) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const startedAt = performance.now();
    ${act};
    const look = () => requestAnimationFrame(() => {
      if (!(${isDone})) return look();
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now() - startedAt);
      channel.port2.postMessage(undefined);
    });
    look();
  })`);

async function switches(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (const view of views) {
    const title = JSON.stringify(view[0]?.toUpperCase() + view.slice(1));
    const isShown = `document.querySelector('main h1')?.textContent === ${title} && !document.querySelector('main [aria-label^="Loading"]')`;
    times.push(await untilPainted(page, `location.hash = '#/${view}'`, isShown));
  }
  return times;
}

/** Types one character at a time, and waits for the count above the list. */
async function keystrokes(page: Page): Promise<number[]> {
  await goTo(page, 'tools');
  const input = page.getByRole('searchbox', { name: 'Filter tools' });
  await input.fill('');
  const times: number[] = [];
  for (const text of ['d', 'de', 'del', 'dele', 'delet', 'delete']) {
    const set = `const input = document.querySelector('main input[type=search]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${text}');
      input.dispatchEvent(new Event('input', { bubbles: true }))`;
    const options = `[...document.querySelectorAll('main [role=option]')]`;
    const isShown = `${options}.length > 0 && ${options}.slice(0, 3).every(({ textContent }) => textContent.toLowerCase().includes('${text}'))`;
    times.push(await untilPainted(page, set, isShown));
  }
  await input.fill('');
  return times;
}

/** Milliseconds between frames while each frame scrolls the list by several rows. */
async function frames(page: Page): Promise<number[]> {
  await page.getByRole('listbox').waitFor();
  return page.evaluate<number[]>(`new Promise((resolve) => {
    const list = document.querySelector('main [role=listbox]');
    list.scrollTop = 0;
    const times = [];
    let last = performance.now();
    const step = (now) => {
      times.push(now - last);
      last = now;
      list.scrollTop += 180;
      if (times.length < 90) requestAnimationFrame(step);
      else resolve(times.slice(1));
    };
    requestAnimationFrame(step);
  })`);
}

async function weight(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const bytes = names.filter((name) => /\.(js|css)$/.test(name)).map((name) => statSync(join(folder, name)).size);
  return Math.round(bytes.reduce((sum, size) => sum + size, 0) / 1024);
}

/** The commands that the start page sends when a call ends or a server changes. */
async function core(report: Report): Promise<void> {
  const host = testHost();
  const all = fleet(sizes.servers, sizes.tools / sizes.servers);
  host.store.set('servers', all.servers);
  await keepCatalog(join(host.dataDir, 'catalog.json'), all);
  const started = await createCore(host);
  const { handlers } = started;
  const commands = {
    'attention.list': () => handlers['attention.list'](undefined),
    'stats.activity': () => handlers['stats.activity']({ days: 7 }),
    'servers.list': () => handlers['servers.list'](undefined),
    'tools.list': () => handlers['tools.list']({ includeDisabled: true }),
  };
  const rows = [];
  for (const [what, run] of Object.entries(commands)) {
    const times: number[] = [];
    let size = 0;
    for (let round = -3; round < 30; round += 1) {
      const startedAt = performance.now();
      const result = await run();
      const ms = performance.now() - startedAt;
      size = JSON.stringify(result).length;
      if (round >= 0) times.push(ms);
    }
    const { p50, p95 } = percentiles(times);
    rows.push({ what, p50, p95, 'KB of the answer': size / 1024, goal: '<= 50' });
  }
  report.table('Core with 200 servers and 10,000 tools: milliseconds per command', rows);
  await started.close();
  host.dispose();
}
