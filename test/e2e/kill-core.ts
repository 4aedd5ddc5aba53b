/** Kills Core repeatedly under the load of three clients, and counts the outcome of every call. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readCoreFile } from '../../electron/bridge/reach-core.ts';
import { eventually } from '../fixtures/eventually.ts';
import { initialize, type RawPeer, spawnPeer, textOf } from '../integration/gateway/raw-peer.ts';
import { newProduct } from './product.ts';

export interface KillReport {
  kills: number;
  calls: number;
  succeeded: number;
  /** Calls that returned CORE_RESTARTED. */
  restarted: number;
  /** The number of all other responses, by text. */
  others: Record<string, number>;
  /** Calls without a response, and responses after the first. */
  unanswered: number;
  answeredTwice: number;
  /** Calls that the server ran more than once, and successful ones that it never ran. */
  ranTwice: number;
  neverRan: number;
  bridgesEnded: number;
}

const callsAtOnce = 3;
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/**
 * `seed` decides when Core is killed: at any time in the 1.2 s after it listens or, every second time, after each client
 * has got a value from it.
 */
export async function killCoreUnderLoad({ kills, seed }: { kills: number; seed: number }): Promise<KillReport> {
  const product = newProduct();
  const runs = join(product.home, 'runs.txt');
  writeFileSync(runs, '');
  const args = [join(import.meta.dirname, '../fixtures/counting.mjs'), runs];
  product.file('.toolkeep/config.json', {
    approvals: { ask: 'dangerous' },
    servers: [{ name: 'counting', connection: { type: 'stdio', command: process.execPath, args } }],
  });
  const random = randomFrom(seed);
  let isOver = false;
  let bridgesEnded = 0;
  const outcomes = new Map<string, string>();
  const succeeded: Record<string, number> = { lazy: 0, full: 0, modern: 0 };
  let calls = 0;

  async function load(peer: RawPeer, name: string, call: (key: string) => [string, Record<string, unknown>]) {
    const work = async () => {
      while (!isOver) {
        calls += 1;
        const key = `${name}-${calls}`;
        outcomes.set(key, 'none');
        const answer = await peer.request(...call(key));
        outcomes.set(key, answer.error?.message ?? textOf(answer));
        if (outcomes.get(key) === `value of ${key}`) succeeded[name] = (succeeded[name] ?? 0) + 1;
        // Wait, because a call that is refused at once must not cause a busy loop.
        else await delay(20);
      }
    };
    await Promise.all(Array.from({ length: callsAtOnce }, work));
  }

  async function eachSucceeds(times: number) {
    const goals = Object.entries(succeeded).map(([name, before]) => [name, before + times] as const);
    await eventually(
      () => goals.every(([name, goal]) => (succeeded[name] ?? 0) >= goal),
      `${times} successful calls of each client`,
    );
  }

  try {
    const peers = [product.bridge(), product.bridge('--mode', 'full'), product.bridge()].map((bridge) =>
      spawnPeer({ ...bridge, env: { ...bridge.env, TOOLKEEP_LOG: 'error' } }),
    );
    const [lazy, full, modern] = peers as [RawPeer, RawPeer, RawPeer];
    for (const peer of peers) peer.child?.once('exit', () => (bridgesEnded += isOver ? 0 : 1));
    await Promise.all([initialize(lazy, { name: 'lazy' }), initialize(full, { name: 'full' })]);
    const execute = (key: string) => ({
      name: 'execute_tool',
      arguments: { server: 'counting', tool: 'get_value', arguments: { key } },
    });
    const loads = [
      load(lazy, 'lazy', (key) => ['tools/call', execute(key)]),
      load(full, 'full', (key) => ['tools/call', { name: 'counting-get_value', arguments: { key } }]),
      load(modern, 'modern', (key) => ['tools/call', { ...execute(key), _meta: modernMeta }]),
    ];
    let last = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const pid = await nextCore(join(product.home, '.toolkeep'), last);
      if (kill % 2 === 1) await eachSucceeds(1);
      await delay(random() * 1_200);
      process.kill(pid, 'SIGKILL');
      // The server did not cause the kill, so the next Core may start it.
      rmSync(join(product.home, '.toolkeep/run/starting.json'), { force: true });
      last = pid;
    }
    await nextCore(join(product.home, '.toolkeep'), last);
    await eachSucceeds(10);
    isOver = true;
    await Promise.race([Promise.all(loads), delay(30_000)]);
    const answers = peers.flatMap((peer) => {
      const ids = peer.received.flatMap(({ id, method }) => (method === undefined && id !== undefined ? [id] : []));
      return ids.length - new Set(ids).size;
    });
    for (const peer of peers) peer.close();
    return report(kills, outcomes, readFileSync(runs, 'utf8'), {
      answeredTwice: answers.reduce((sum, more) => sum + more, 0),
      bridgesEnded,
    });
  } finally {
    await product.dispose();
  }
}

/** The process ID of a Core other than `last`, as soon as it listens. */
function nextCore(dataDir: string, last: number): Promise<number> {
  return eventually(() => {
    const pid = readCoreFile(dataDir)?.pid;
    return pid !== last && pid;
  }, 'a new Core');
}

function report(
  kills: number,
  outcomes: Map<string, string>,
  runs: string,
  more: Pick<KillReport, 'answeredTwice' | 'bridgesEnded'>,
): KillReport {
  const ran = new Map<string, number>();
  for (const key of runs.split('\n').filter(Boolean)) ran.set(key, (ran.get(key) ?? 0) + 1);
  const all = [...outcomes];
  const isSuccess = ([key, outcome]: [string, string]) => outcome === `value of ${key}`;
  const isRestart = ([, outcome]: [string, string]) => outcome.includes('CORE_RESTARTED');
  const others: Record<string, number> = {};
  for (const [key, outcome] of all)
    if (outcome !== 'none' && !isSuccess([key, outcome]) && !isRestart([key, outcome]))
      others[outcome.replaceAll(key, 'KEY')] = (others[outcome.replaceAll(key, 'KEY')] ?? 0) + 1;
  return {
    kills,
    calls: all.length,
    succeeded: all.filter(isSuccess).length,
    restarted: all.filter(isRestart).length,
    others,
    unanswered: all.filter(([, outcome]) => outcome === 'none').length,
    ranTwice: [...ran.values()].filter((times) => times > 1).length,
    neverRan: all.filter((one) => isSuccess(one) && !ran.has(one[0])).length,
    ...more,
  };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
