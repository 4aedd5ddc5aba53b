/** Shuts the app down in order and within a time limit, whatever requested it. */
import { app, powerMonitor } from 'electron';

/**
 * Milliseconds until the app quits even if a server does not stop; a process without a window or tray icon must not
 * linger.
 */
const timeoutMs = 8_000;

/** Calls `close` once before the app quits. If it takes longer than eight seconds, the app quits anyway. */
export function closeBeforeQuit(close: () => Promise<void>): void {
  let isClosing = false;
  const finish = () => app.exit(0);
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    setTimeout(finish, timeoutMs).unref();
    void close().finally(finish);
  });
  // Logging out of Linux or macOS ends the session even if the app is still running.
  powerMonitor.on('shutdown', () => app.quit());
}

/**
 * By default, Electron shows a raw error box for an uncaught exception and continues, and only prints an unhandled
 * rejection. `report` receives both.
 */
export function reportUncaughtErrors(report: (error: unknown) => void): void {
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
}
