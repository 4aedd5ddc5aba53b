/** Shared test code: a server handle on a temporary host that stops after the test, and checks of processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { resolveConnection } from '../../../electron/core/secrets/resolve.ts';
import { createServerHandle } from '../../../electron/core/servers/lifecycle/create-server.ts';
import { createStartMarks } from '../../../electron/core/servers/lifecycle/start-marks.ts';
import type { ServerHandle, ServerHandleOptions, ServerState, Tuning } from '../../../electron/core/servers/types.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { Connection, ServerConfig } from '../../../shared/model/server.ts';
import { type Command, httpServerConfig, serverConfig } from '../../fixtures/commands.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

export interface Trial {
  handle: ServerHandle;
  host: TestHost;
  /** Every reported state, oldest first. */
  states: ServerState[];
  notes: { method: string; params: Record<string, unknown> }[];
  call(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Short times, so that intended delays do not make the tests slow. */
const quick: Partial<Tuning> = {
  startTimeoutMs: 30_000,
  probeTimeoutMs: 2_000,
  stopGraceMs: 300,
  backoffInitialMs: 10,
  backoffMaxMs: 40,
};

type More = Partial<Omit<ServerHandleOptions, 'host'>> & { host?: TestHost; server?: Partial<ServerConfig> };

/** A trial that closes when its test ends. */
export function tryServer(target: Command | string, more: More = {}): Trial {
  const trial = openTrial(target, more);
  onTestFinished(trial.close);
  return trial;
}

/** A trial that several tests of a file share; close it in `afterAll`. */
export function openTrial(target: Command | string, { host = testHost(), server, tuning, ...more }: More = {}): Trial {
  const config =
    typeof target === 'string' ? httpServerConfig('trial', target, server) : serverConfig('trial', target, server);
  const states: ServerState[] = [];
  const notes: Trial['notes'] = [];
  const handle = createServerHandle(config, {
    host,
    marks: createStartMarks(host),
    resolve: (connection: Connection) => resolveConnection(connection, { env: host.env, homeDir: host.homeDir }),
    onState: (state) => void states.push(state),
    onNotification: (method, params) => void notes.push({ method, params }),
    idleTimeoutMs: 0,
    tuning: { ...quick, ...tuning },
    ...more,
  });
  const close = async () => {
    await handle.stop();
    host.dispose();
  };
  const call: Trial['call'] = (name, args = {}) =>
    handle.request({ method: 'tools/call', params: { name, arguments: args } });
  return { handle, host, states, notes, call, close };
}

/** The failure with which a promise rejects; the test fails if it does not reject. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (reason) => reason,
  );
  if (!('failure' in error)) throw error;
  return error.failure;
}

export const textOf = (result: Record<string, unknown>): string =>
  (result.content as { text: string }[])[0]?.text ?? '';

/** PIDs of the running processes (no zombies) of a group. */
export function groupMembers(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [state, , pgrp] = statOf(pid);
      return Number(pgrp) === group && state !== 'Z' && state !== 'X';
    });
}

export function isAlive(pid: number): boolean {
  const [state] = statOf(pid);
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** State, parent, group, … of a process. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

export function numbersIn(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function messagesIn(file: string): { method?: string; params?: Record<string, unknown> }[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
