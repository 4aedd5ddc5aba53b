/** Keeps the process running after an error that no code has caught, because many clients depend on it. */

/**
 * By default, Node ends the process, and Electron shows a raw error box. `report` receives uncaught exceptions, after which the
 * state of the process is unknown, and unhandled rejections. Returns a function that stops reporting.
 */
export function reportUncaughtErrors(report: (error: unknown, isException: boolean) => void): () => void {
  const onException = (error: unknown) => report(error, true);
  const onRejection = (reason: unknown) => report(reason, false);
  // The terminal may have gone. Printing that there would fail again, without end.
  const ignore = () => undefined;
  process.stderr.on('error', ignore);
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return () => {
    process.stderr.off('error', ignore);
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  };
}

export const describeUncaught = (error: unknown) => `Unexpected error: ${error instanceof Error ? error.stack : error}`;
