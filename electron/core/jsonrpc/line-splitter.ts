/** Splits a byte stream into lines of limited size, without copying a long line for every chunk. */

export interface LineSplitter {
  push(chunk: Buffer): void;
  /** Call this at the end of the stream. Emits a last line that has no newline. */
  end(): void;
}

/** `line` receives each line without its newline. `tooLong` is called once; all further input is ignored. */
export function createLineSplitter(maxBytes: number, on: { line(line: Buffer): void; tooLong(): void }): LineSplitter {
  let parts: Buffer[] = [];
  let size = 0;
  let broken = false;

  function add(part: Buffer): boolean {
    size += part.length;
    if (size > maxBytes) {
      broken = true;
      parts = [];
      on.tooLong();
      return false;
    }
    parts.push(part);
    return true;
  }

  function flush(): void {
    const line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size);
    parts = [];
    size = 0;
    on.line(line);
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
