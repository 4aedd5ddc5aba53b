/** Runs something when what React has just drawn is on screen: once the next frame has been handed over. */

/** Where a page out of sight has no frames, `withinMs` after it was drawn must do. Returns what takes it back. */
export function afterPaint(run: () => void, withinMs?: number): () => void {
  const { port1, port2 } = new MessageChannel();
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    port1.close();
  };
  const finish = () => {
    stop();
    run();
  };
  port1.onmessage = finish;
  const frame = requestAnimationFrame(() => port2.postMessage(undefined));
  const timer = withinMs === undefined ? undefined : setTimeout(finish, withinMs);
  return stop;
}
