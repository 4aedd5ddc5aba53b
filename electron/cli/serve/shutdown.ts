/** The signals and events that end a headless process. */

/** Milliseconds until the process exits, even if something has not stopped. */
const shutdownTimeoutMs = 8_000;

/**
 * Calls `end` with the exit code on a signal, or when the parent process that holds our IPC channel exits. The same signal
 * may arrive twice (from the terminal and through npm). Returns a function that stops listening.
 */
export function endWith(end: (exitCode: number) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onSignal = () => {
    end(0);
    timer ??= setTimeout(() => process.exit(1), shutdownTimeoutMs).unref();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  process.on('disconnect', onSignal);
  // The listener would otherwise keep the channel, and thus the process, alive.
  process.channel?.unref();
  return () => {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, onSignal);
    process.off('disconnect', onSignal);
  };
}
