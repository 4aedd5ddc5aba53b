/** Counts connections, and reports when there have been none for a while. */

export type ConnectionCount = ReturnType<typeof createConnectionCount>;

const defaultIdleMs = 60_000;

/** Calls `onIdle` when there has been no connection for `idleMs`, even if there never was one. */
export function createConnectionCount({ onIdle, idleMs = defaultIdleMs }: { onIdle?(): void; idleMs?: number }) {
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
    /** Adds a connection. Returns a function that removes it. */
    add(): () => void {
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
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
