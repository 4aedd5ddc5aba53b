/** Splits a byte stream into lines of limited size, without copying a long line for every chunk. */
import { cheap, createParseCost, type ParseCost } from './parse-cost.ts';

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** Call this at the end of the stream. Emits a last line that has no newline. */
  end(): void;
}

export interface LineHandlers {
  /** Receives each line without its newline. */
  line(line: Buffer): void;
  /** Receives, instead of `line`, a line of JSON that is too costly to parse. */
  costly?(line: Buffer): void;
  /** Called once; all further input is ignored. */
  tooLong(): void;
}

export function createLineSplitter(maxBytes: number, on: LineHandlers): LineSplitter {
  let parts: Buffer[] = [];
  let size = 0;
  let broken = false;
  /** The cost of the current line, once it is long enough to be costly. */
  let cost: ParseCost | undefined;

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

  return {
    push(chunk) {
      let from = 0;
      while (!broken) {
        const end = chunk.indexOf(0x0a, from);
        if (end < 0) {
          if (from < chunk.length) add(chunk.subarray(from));
          return;
        }
        if (add(chunk.subarray(from, end))) flush();
        from = end + 1;
      }
    },
    end() {
      if (!broken && size > 0) flush();
    },
  };
}
