/** Measurements that several parts share. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Percentiles {
  p50: number;
  p95: number;
}

export function percentiles(values: number[]): Percentiles {
  return { p50: at(0.5, values), p95: at(0.95, values) };
}

/** The value below which this share of the values lies. */
export function at(share: number, values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}

/** The resident memory of a process in megabytes. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`${pid}/status`))?.[1]) / 1024;
}

/** The CPU time of all threads of a process, in microseconds. */
export function cpuOf(pid: number): number {
  return sumOfThreads(pid, 'schedstat', (text) => Number(text.split(' ', 1)[0]) / 1_000);
}

/** How often a thread of a process has waited for something. */
export function switchesOf(pid: number): number {
  return sumOfThreads(pid, 'status', (text) => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1]));
}

/** The processes that a process has started, and theirs. */
export function descendantsOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) => read(`${pid}/task/${thread}/children`).split(' ').filter(Boolean));
  return children.flatMap((child) => [Number(child), ...descendantsOf(Number(child))]);
}

function sumOfThreads(pid: number, file: string, count: (text: string) => number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + count(read(`${pid}/task/${thread}/${file}`)), 0);
}

const read = (file: string) => readFileSync(`/proc/${file}`, 'utf8');
