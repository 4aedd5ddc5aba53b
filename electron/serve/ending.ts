/** What ends a headless process, gathered in one place. */

/** How long everything may take to stop before the process ends anyway. */
const limitMs = 8_000;

/**
 * Calls `end` once with the exit code: on a signal, or when the process that started this one with an IPC channel is gone.
 * Signals that come twice (from the terminal and again through npm) are one. Returns what stops the listening.
 */
export function endWith(end: (exitCode: number) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onSignal = () => {
    end(0);
    timer ??= setTimeout(() => process.exit(1), limitMs).unref();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  process.on('disconnect', onSignal);
  // Listening keeps the channel open; it must not keep the process alive.
  process.channel?.unref();
  return () => {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, onSignal);
    process.off('disconnect', onSignal);
  };
}
