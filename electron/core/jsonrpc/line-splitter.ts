/**
 * Splits a byte stream into lines of limited size, without copying a long line for every chunk. A burst of lines is
 * emitted in several turns of the event loop, because other work must not wait for it.
 */
import type { Readable } from 'node:stream';
import { limits } from '../../../shared/limits.ts';
import { ownTurn } from '../async/slices.ts';
import { cheap, createParseCost, type ParseCost } from './parse-cost.ts';

export interface LineHandlers {
  /** Receives each line without its newline. */
  line(line: Buffer): void;
  /** Receives, instead of `line`, a line of JSON that is too costly to parse. */
  costly?(line: Buffer): void;
  /** Called once; all further input is ignored. */
  tooLong(): void;
}

/** `source` pauses while lines of earlier chunks wait. */
export function createLineSplitter(maxBytes: number, on: LineHandlers, source?: Pick<Readable, 'pause' | 'resume'>) {
  let parts: Buffer[] = [];
  let size = 0;
  let broken = false;
  /** The cost of the current line, once it is long enough to be costly. */
  let cost: ParseCost | undefined;
  /** The rest of a burst, and the chunks that arrived since. */
  let waiting: Buffer[] | undefined;
  let hasEnded = false;

  function add(part: Buffer): boolean {
    size += part.length;
    if (size > maxBytes) {
      broken = true;
      parts = [];
      on.tooLong();
      return false;
    }
    parts.push(part);
    if (!on.costly || size <= cheap) return true;
    if (cost) cost.add(part);
    else {
      cost = createParseCost();
      for (const one of parts) cost.add(one);
    }
    return true;
  }

  function flush(): void {
    const line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size);
    const isCostly = cost?.isTooHigh();
    parts = [];
    size = 0;
    cost = undefined;
    if (isCostly) on.costly?.(line);
    else on.line(line);
  }

  async function later(rest: Buffer): Promise<void> {
    waiting = [rest];
    source?.pause();
    await ownTurn();
    const chunks = waiting;
    waiting = undefined;
    for (const chunk of chunks) push(chunk);
    // The first chunks may have filled the turn again.
    if (waiting) return;
    source?.resume();
    if (hasEnded) end();
  }

  function push(chunk: Buffer): void {
    if (waiting) return void waiting.push(chunk);
    const startedAt = performance.now();
    let from = 0;
    for (let lines = 0; !broken; lines += 1) {
      const end = chunk.indexOf(0x0a, from);
      if (end < 0) {
        if (from < chunk.length) add(chunk.subarray(from));
        return;
      }
      // The first line is free of this check: most chunks have only one.
      if (lines > 0 && (lines >= limits.turn.lines || performance.now() - startedAt > limits.turn.ms))
        return void later(chunk.subarray(from));
      if (add(chunk.subarray(from, end))) flush();
      from = end + 1;
    }
  }

  /** Call this at the end of the stream. Emits a last line that has no newline. */
  function end(): void {
    hasEnded = true;
    if (!broken && !waiting && size > 0) flush();
  }

  return { push, end };
}
