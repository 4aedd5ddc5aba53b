/** Kills Core, the bridge or a server at each step of requests with 37 calls, and checks what the agent then learns. */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reachCore, readCoreFile } from '../../electron/bridge/reach-core.ts';
import { socketWire } from '../../electron/core/gateway/socket-wire.ts';
import type { Answer, Question } from '../../shared/model/question.ts';
import { connectCore } from '../../shared/protocol/rpc.ts';
import { initialize, type Message, type RawPeer, spawnPeer, textOf } from '../integration/gateway/raw-peer.ts';
import { newProduct } from './product.ts';

export const callsPerPlan = 37;
export type Victim = 'core' | 'bridge' | 'server';

/** `call`: the call at which the victim dies, or 0 for the time when the question is open. */
export interface Kill {
  plan: number;
  call: number;
  victim: Victim;
}

export interface KilledPlans {
  kills: number;
  calls: number;
  /** The number of calls by the status that the agent read. */
  statuses: Record<string, number>;
  ranTwice: number;
  /** Reports that are not true, with the place. */
  untrue: string[];
}

const moments = ['received', 'done', 'answered', 'later'] as const;
const fixture = join(import.meta.dirname, '../fixtures/killing.mjs');

/** The plans differ in questions, calls that the user leaves out, errors, servers, and the length of results. */
const shapeOf = (plan: number) => ({
  isAsked: plan % 4 === 0,
  leavesOut: plan % 8 === 0 ? 5 : 0,
  hasErrors: plan % 3 === 0,
  servers: plan % 2 === 0 ? ['first', 'second'] : ['first'],
  size: plan % 5 === 0 ? 20_000 : 0,
});

const isLeftOut = (plan: number, index: number) => shapeOf(plan).leavesOut > 0 && index % shapeOf(plan).leavesOut === 0;

/** Every step of 20 plans at which the victim can die. */
export const allKills = (victim: Victim): Kill[] =>
  Array.from({ length: 20 }, (_, index) => index + 1).flatMap((plan) =>
    Array.from({ length: callsPerPlan + 1 }, (_, call) => ({ plan, call, victim })).filter(({ call }) =>
      call > 0 ? !isLeftOut(plan, call - 1) : shapeOf(plan).isAsked && victim !== 'server',
    ),
  );

export async function killBatches(kills: readonly Kill[]): Promise<KilledPlans> {
  const product = newProduct();
  const dataDir = join(product.home, '.toolkeep');
  const runs = join(product.home, 'runs.txt');
  const orderFile = join(product.home, 'kill.json');
  writeFileSync(runs, '');
  const connection = { type: 'stdio', command: process.execPath, args: [fixture, product.home] };
  product.file('.toolkeep/config.json', {
    batch: { clients: ['bulk'] },
    toolRules: ['first-free', 'second-free'].map((server) => ({ server, confirm: 'never', destinations: 'any' })),
    servers: ['first', 'second'].flatMap((name) => [
      { name, connection },
      { name: `${name}-free`, connection },
    ]),
  });
  const report: KilledPlans = { kills: 0, calls: 0, statuses: {}, ranTwice: 0, untrue: [] };
  let agent = await connect();
  let lastNumber = 0;
  let user: { pid: number; restart(server: string): Promise<unknown>; close(): void } | undefined;
  /** Set if the user should kill a process instead of answering. */
  let onQuestion: (() => void) | undefined;
  let currentPlan = 0;

  async function connect(): Promise<RawPeer> {
    const bridge = product.bridge('--client', 'bulk');
    const peer = spawnPeer({ ...bridge, env: { ...bridge.env, TOOLKEEP_LOG: 'error' } });
    await initialize(peer, { name: 'bulk' });
    if (readCoreFile(dataDir)) return peer;
    // On a busy machine, the bridge gives up before Core is ready, and ends.
    peer.close();
    return connect();
  }

  function answerTo({ rows }: Question): Answer {
    if (!rows) return { action: 'accept' };
    onQuestion?.();
    return { action: 'accept', rows: rows.flatMap((_row, index) => (isLeftOut(currentPlan, index) ? [] : [index])) };
  }

  /** The process ID of Core. A bridge that was connected starts another Core for the next request. */
  async function corePid(killed?: number): Promise<number> {
    for (;;) {
      const pid = readCoreFile(dataDir)?.pid;
      if (pid !== undefined && pid !== killed) return pid;
      await agent.request('tools/list');
      await delay(50);
    }
  }

  /** A window that is open as long as Core runs. */
  async function openWindow(): Promise<void> {
    const pid = await corePid();
    if (user?.pid === pid) return;
    const reached = await reachCore(dataDir, { purpose: 'rpc', answersQuestions: true });
    if (!reached) throw new Error('No Core runs.');
    const core = connectCore(socketWire(reached.socket));
    user = { pid, restart: (server) => core.call('servers.restart', { server }), close: () => core.close() };
    const answered = new Set<string>();
    const look = async () => {
      for (const question of await core.call('questions.list')) {
        if (answered.has(question.id)) continue;
        answered.add(question.id);
        await core.call('questions.answer', { id: question.id, answer: answerTo(question) });
      }
    };
    // Core ends while the question is open.
    core.on('questions.changed', () => void look().catch(() => undefined));
  }

  const send = async (calls: object[], stopOnError: boolean): Promise<Message> => {
    for (;;) {
      const args = { calls, stop_on_error: stopOnError };
      const answer = await agent.request('tools/call', { name: 'execute_tools', arguments: args });
      // The run of a client that disconnected is about to end. A busy machine takes longer than the client waits.
      if (!/The same calls are running|CALL_PENDING/.test(textOf(answer))) return answer;
      await delay(20);
    }
  };

  async function kill({ plan, call, victim }: Kill): Promise<void> {
    const { isAsked, hasErrors, servers, size } = shapeOf(plan);
    const isRefused = (index: number) => hasErrors && index % 7 === 3;
    const nameOf = (server: string) => (isAsked ? server : `${server}-free`);
    const first = lastNumber + 1;
    const calls = Array.from({ length: callsPerPlan }, (_, index) => ({
      server: nameOf(servers[index % servers.length] ?? ''),
      tool: isRefused(index) ? 'refuse' : 'add',
      arguments: { n: first + index, ...(size > 0 && { size }) },
    }));
    lastNumber += callsPerPlan;
    currentPlan = plan;
    const isBridge = victim === 'bridge';
    const pid = isBridge ? agent.child?.pid : victim === 'core' ? await corePid() : 0;
    const moment = moments[(plan + call) % moments.length];
    const order = { n: first + call - 1, pid, moment, delayMs: (plan + call) % 5 };
    if (call > 0) writeFileSync(orderFile, JSON.stringify(order));
    else onQuestion = () => pid && process.kill(pid, 'SIGKILL');
    if (isAsked || victim === 'server') await openWindow();
    // Toolkeep stops a server that crashes often.
    if (victim === 'server') for (const server of servers) await user?.restart(nameOf(server));
    const ended = isBridge && agent.child ? once(agent.child, 'exit') : undefined;
    const sent = send(calls, !hasErrors);
    const answer = await (ended ? Promise.race([sent, ended.then(() => undefined)]) : sent);
    onQuestion = undefined;
    if (ended) {
      await ended;
      agent = await connect();
    }
    // The answer to the last call may arrive before the kill.
    const deadline = Date.now() + 10_000;
    while (existsSync(orderFile) && Date.now() < deadline) await delay(5);
    if (existsSync(orderFile)) throw new Error(`${victim} was not killed: ${JSON.stringify(answer).slice(0, 300)}`);
    // The server did not cause the kill, so the next Core may start it.
    rmSync(join(dataDir, 'run/starting.json'), { force: true });
    if (victim === 'core') await corePid(pid);
    if (isAsked || victim === 'server') await openWindow();
    const isLost = answer === undefined || textOf(answer).includes('CORE_RESTARTED');
    const ranBefore = received();
    const read = isLost ? await send(calls, !hasErrors) : answer;
    check({ plan, call, victim }, calls, read, isLost && call > 0 ? ranBefore : received());
    report.kills += 1;
  }

  const received = () => readFileSync(runs, 'utf8').split('\n').filter(Boolean).map(Number);

  function check({ plan, call, victim }: Kill, calls: { arguments: { n: number } }[], read: Message, ran: number[]) {
    const place = `plan ${plan}, call ${call}, ${victim}`;
    const statuses = statusesOf(read);
    if (statuses.length !== calls.length)
      report.untrue.push(
        `${place}: ${statuses.length} statuses: ${JSON.stringify(read.error ?? textOf(read)).slice(0, 300)}`,
      );
    const now = received();
    if (now.length !== ran.length) report.untrue.push(`${place}: the repeat ran ${now.length - ran.length} calls`);
    for (const [index, status] of statuses.entries()) {
      report.calls += 1;
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      const times = now.filter((n) => n === calls[index]?.arguments.n).length;
      if (times > 1) report.ranTwice += 1;
      const isTrue =
        status === 'ok' ? times === 1 : status === 'denied' || status === 'not_run' ? times === 0 : times <= 1;
      if (!isTrue) report.untrue.push(`${place}: ${index + 1} is ${status}, ran ${times} times`);
    }
    // Calls run one after another, so only the last that started can be unknown.
    const unknown = statuses.indexOf('unknown');
    const after = unknown === -1 ? [] : statuses.slice(unknown + 1);
    const before = statuses.slice(0, Math.max(0, unknown));
    if (before.includes('not_run') || after.some((status) => !['not_run', 'denied'].includes(status)))
      report.untrue.push(`${place}: ${statuses.join(' ')}`);
  }

  try {
    for (const one of kills) await kill(one);
    return report;
  } finally {
    user?.close();
    agent.close();
    await product.dispose();
  }
}

const statusesOf = ({ result }: Message): string[] =>
  ((result?.content ?? []) as { text: string }[]).flatMap(({ text }) =>
    Array.from(text.matchAll(/^\d+\. (\w+) (?:first|second)/gm), ([, status = '']) => status),
  );
