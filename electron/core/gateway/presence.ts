/** Counts who is here, and says when nobody has been for a while. */

export interface Presence {
  enter(): () => void;
  close(): void;
}

export function createPresence({
  onIdle,
  idleMs = 60_000,
}: {
  onIdle?: (() => void) | undefined;
  idleMs?: number | undefined;
}): Presence {
  let here = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    if (!onIdle) return;
    timer = setTimeout(onIdle, idleMs);
    timer.unref();
  };
  wait();
  return {
    enter() {
      here += 1;
      clearTimeout(timer);
      let inside = true;
      return () => {
        if (!inside) return;
        inside = false;
        here -= 1;
        if (here === 0) wait();
      };
    },
    close() {
      clearTimeout(timer);
      onIdle = undefined;
    },
  };
}
