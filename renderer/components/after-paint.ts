/** Runs a callback after the browser has painted the current React update. */

/** Hidden pages paint no frames, so `withinMs` limits the wait there. Returns a function that cancels. */
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
