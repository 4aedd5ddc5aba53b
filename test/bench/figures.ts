/** Measurements that several parts share. */
import { readFileSync } from 'node:fs';

export interface Percentiles {
  p50: number;
  p95: number;
}

export function percentiles(values: number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
  return { p50: at(0.5), p95: at(0.95) };
}

/** The resident memory of a process in megabytes. */
export function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
