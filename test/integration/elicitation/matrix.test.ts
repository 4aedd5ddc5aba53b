/**
 * Every combination of server, client, question and outcome with real processes: Core, bridges, and servers of both eras.
 * One batch runs all calls of an outcome at once; then each cell has its own test.
 *
 * @module-tag exhaustive
 */

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { signal } from '../../fixtures/signal.ts';
import {
  answerAt,
  answerTo,
  type Cell,
  cells,
  clients,
  type End,
  nameOf,
  openClients,
  type SimulatedUser,
  serverNames,
  types,
} from './matrix-cells.ts';
import { type RealCore, startRealCore } from './real-core.ts';

const config = (timeout: string) => ({
  servers: Object.fromEntries(
    serverNames.map((name) => [name, commands.elicit(name === 'modern' ? 'modern' : 'legacy')]),
  ),
  toolRules: [{ confirm: 'never', destinations: 'any' }],
  elicitation: { timeout, fallback: 'timeout' },
  approvals: { clientTimeout: '2m' },
});

let core: RealCore;
let ui: CoreClient;
let user: SimulatedUser;
let open: Awaited<ReturnType<typeof openClients>>;

const fresh = (action: SimulatedUser['action'], untilTimeout = () => Promise.resolve()): SimulatedUser => ({
  ...{ action, untilTimeout },
  atClients: 0,
});
/** Changes the simulated user, an object that all tests share. */
const become = (next: SimulatedUser) => Object.assign(user, next);
const run = async (cell: Cell): Promise<[string, End]> => [nameOf(cell), await open.call(cell)];
/** Runs all calls at once. */
const runAll = () => Promise.all(cells.map(run));
/** Runs calls to the same legacy server one after another, so that each question's call is certain. */
async function runInLanes(): Promise<[string, End][]> {
  const lanes = Map.groupBy(cells, (cell) => (cell.server === 'modern' ? nameOf(cell) : cell.client));
  const ended = await Promise.all(
    [...lanes.values()].map(async (lane) => {
      const results: [string, End][] = [];
      for (const cell of lane) results.push(await run(cell));
      return results;
    }),
  );
  return ended.flat();
}

async function openUi(): Promise<void> {
  ui = await core.attachUi();
  answerAt(ui, user);
}

/** The questions that clients with elicitation receive: all except secrets. The UI receives the rest. */
const forClients = cells.filter(
  ({ client, type }) => type !== 'secret' && clients.some((known) => known.client === client && known.elicits),
).length;
const allAsked = () =>
  eventually(
    async () => (await ui.call('questions.list')).length === cells.length - forClients && user.atClients === forClients,
    'every question is asked',
  );

/** Checks that no question or call is pending in Core or in a server. */
async function nothingPending(): Promise<void> {
  const probe = await core.attachUi({ silent: true });
  await eventually(async () => (await probe.call('questions.list')).length === 0, 'no question is open');
  await eventually(async () => (await probe.call('core.status')).parkedCalls === 0, 'no call is parked');
  for (const server of serverNames) {
    const idle = async () => {
      const { content } = await probe.call('tools.execute', { server, tool: 'busy', arguments: {} });
      return (content as { text: string }[])[0]?.text === '0';
    };
    await eventually(idle, `the ${server} server is idle`);
  }
  probe.close();
}

const ends = new Map<string, End>();
const endOf = (cell: Cell) => ends.get(nameOf(cell)) as End;
const keep = (results: [string, End][]) => {
  ends.clear();
  for (const [name, end] of results) ends.set(name, end);
};
/** The answer that the server received and returned, and the note that Toolkeep added for the agent. */
function answered(cell: Cell): { answer: unknown; note: string | undefined } {
  const { result, error } = endOf(cell);
  expect(error).toBeUndefined();
  const [first, second] = (result?.content ?? []) as { text: string }[];
  const key = types.find(({ type }) => type === cell.type)?.key ?? '';
  return { answer: JSON.parse(first?.text ?? '{}')[key], note: second?.text };
}
const accepted = ({ type }: Cell) => {
  const content = types.find((entry) => entry.type === type)?.content;
  return { action: 'accept', ...(content && { content }) };
};

beforeAll(async () => {
  core = await startRealCore(config('2m'));
  user = fresh('accept');
  await openUi();
  for (const client of ['v1', 'v2']) await ui.call('clients.setRouting', { client, routing: 'client' });
  open = await openClients(core, user);
}, 60_000);
afterAll(async () => {
  await open?.close();
  await core?.dispose();
}, 30_000);

describe.sequential('A question of a tool', () => {
  describe.each([
    ['answer', 'accept'],
    ['decline', 'decline'],
    ['cancel', 'cancel'],
  ] as const)('With %s', (_ending, action) => {
    beforeAll(async () => {
      become(fresh(action));
      keep(await runInLanes());
    }, 60_000);
    it.each(cells.map((cell) => [nameOf(cell), cell] as const))(
      '%s: The answer reaches the server unchanged',
      (_name, cell) => {
        expect(answered(cell)).toEqual({ answer: action === 'accept' ? accepted(cell) : { action }, note: undefined });
      },
    );
    it('leaves nothing pending', nothingPending);
  });

  describe('With timeout', () => {
    beforeAll(async () => {
      core.configure(config('600ms'));
      await ui.call('config.reload');
      // A modern client may return later with its answer; by then the question is cancelled.
      become(fresh('wait', () => delay(2_500)));
      keep(await runInLanes());
      core.configure(config('2m'));
      await ui.call('config.reload');
    }, 60_000);
    it.each(cells.map((cell) => [nameOf(cell), cell] as const))(
      '%s: The question is cancelled, and the agent sees that no answer came',
      (_name, cell) => {
        const { answer, note } = answered(cell);
        expect(answer).toEqual({ action: 'cancel' });
        expect(note).toContain('was not answered in time');
      },
    );
    it('leaves nothing pending', nothingPending);
  });

  describe('With a client that disconnects', () => {
    beforeAll(async () => {
      become(fresh('wait', () => new Promise(() => undefined)));
      const running = runAll();
      await allAsked();
      await open.close();
      keep(await Promise.race([running, delay(5_000).then((): [string, End][] => [])]));
      open = await openClients(core, user);
    }, 60_000);
    it.each(cells.map((cell) => [nameOf(cell), cell] as const))('%s: never gets a result', (_name, cell) => {
      expect(endOf(cell)?.result).toBeUndefined();
    });
    it('leaves nothing pending', nothingPending);
  });

  describe('With a server that dies', () => {
    beforeAll(async () => {
      const released = Promise.withResolvers<void>();
      become(fresh('wait', () => released.promise));
      const running = runAll();
      await allAsked();
      for (const { pid } of await ui.call('servers.list')) signal(pid, 'SIGKILL');
      // The questions of the legacy server are withdrawn. A modern server keeps no state, so its questions stay.
      const left = () => ui.call('questions.list');
      await eventually(
        async () => (await left()).every(({ from }) => from.server === 'modern'),
        'questions are withdrawn',
      );
      // An answer that comes before the Core detects the exit goes to the exited server and fails.
      const dead = async () => (await ui.call('servers.list')).every(({ status }) => status === 'failed');
      await eventually(dead, 'both deaths are seen');
      become({ ...user, action: 'accept' });
      released.resolve();
      for (const question of await left())
        await ui.call('questions.answer', { id: question.id, answer: answerTo(question, 'accept') });
      keep(await running);
    }, 60_000);
    it.each(cells.map((cell) => [nameOf(cell), cell] as const))(
      '%s: fails with the cause, or continues if the era allows it',
      (_name, cell) => {
        if (cell.server === 'modern') return expect(answered(cell).answer).toEqual(accepted(cell));
        expect(endOf(cell).result).toMatchObject({ isError: true });
        expect(JSON.stringify(endOf(cell).result)).toContain('SERVER_CRASHED');
      },
    );
    it('leaves nothing pending', nothingPending);
  });

  describe('With a Core that is killed and started again', () => {
    const before = new Map<string, End>();
    let oldServers: number[] = [];
    beforeAll(async () => {
      // A modern client waits for its own user and sees the end in its next round.
      const released = Promise.withResolvers<void>();
      become(fresh('wait', () => released.promise));
      const running = runAll();
      await allAsked();
      oldServers = (await ui.call('servers.list')).flatMap(({ pid }) => pid ?? []);
      const exited = new Promise((resolve) => core.process.once('exit', resolve));
      core.process.kill('SIGKILL');
      await exited;
      released.resolve();
      for (const [name, end] of await running) before.set(name, end);
      await open.close();
      await core.start();
      become(fresh('accept'));
      await openUi();
      open = await openClients(core, user);
      keep(await runAll());
    }, 90_000);
    it.each(cells.map((cell) => [nameOf(cell), cell] as const))(
      '%s: ends with an error, and can be answered after the tool is called again',
      (_name, cell) => {
        const { error, result } = before.get(nameOf(cell)) ?? {};
        if (error === undefined) expect(JSON.stringify(result)).toContain('CORE_RESTARTED');
        expect(answered(cell).answer).toEqual(accepted(cell));
      },
    );
    it('leaves nothing pending, and no server of the killed Core running', async () => {
      await nothingPending();
      expect(oldServers).toHaveLength(serverNames.length);
      await eventually(() => oldServers.every((pid) => !isAlive(pid)), 'the old servers are gone');
    });
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
