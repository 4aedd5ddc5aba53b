/** Counts the connections, and reports when there has been none for a while. */

export interface ConnectionCount {
  /** Adds a connection. The result removes it. */
  add(): () => void;
  close(): void;
}

const defaultIdleMs = 60_000;

/** `onIdle` is called when there was no connection for `idleMs`, counted from the start on. */
export function createConnectionCount({
  onIdle,
  idleMs = defaultIdleMs,
}: {
  onIdle?(): void;
  idleMs?: number;
}): ConnectionCount {
  let count = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function startTimer(): void {
    if (!onIdle || isClosed) return;
    timer = setTimeout(onIdle, idleMs);
    timer.unref();
  }

  startTimer();
  return {
    add() {
      count += 1;
      clearTimeout(timer);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        count -= 1;
        if (count === 0) startTimer();
      };
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
