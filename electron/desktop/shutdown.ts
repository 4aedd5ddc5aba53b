/** Ends the app in order and within a time limit, whatever asked it to end. */
import { app, powerMonitor } from 'electron';

/** A server that does not stop must not keep a process without a window or a tray icon. */
const timeoutMs = 8_000;

/** `close` runs once before the app ends. If it takes longer than eight seconds, the app ends without it. */
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
  // Logging out of Linux or macOS ends the session whether or not the app has quit.
  powerMonitor.on('shutdown', () => app.quit());
}

/**
 * Without listeners, Electron shows a raw error box for an uncaught exception and goes on, and only prints an unhandled
 * rejection. `report` gets both.
 */
export function reportUncaughtErrors(report: (error: unknown) => void): void {
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
}
