/** Shuts the app down cleanly and within a time limit, whatever the reason to quit. */
import { app, powerMonitor } from 'electron';

/**
 * Milliseconds until the app quits even if a server does not stop; a process without a window or tray icon must not
 * linger.
 */
const timeoutMs = 8_000;
/** Milliseconds for the updater to end the app. */
const installMs = 60_000;

let isForced = false;

/**
 * Quits without installing an update, because the session or the process that started the app is ending, which leaves no
 * time, or because an installer is already running.
 */
export function quitNow(): void {
  isForced = true;
  app.quit();
}

/** Whether the app must quit without asking the user. */
export const isQuittingNow = () => isForced;

/**
 * Quits on a signal, when the process that started the app ends, and when the user logs out of Windows. `save` is called first
 * when the user logs out.
 */
export function quitOnSignals(save: () => void): void {
  // Windows reports the end of the session only to an app's windows, and kills the app when they have handled it.
  const onSessionEnd = () => {
    save();
    quitNow();
  };
  if (process.platform === 'win32')
    app.on('browser-window-created', (_event, window) => window.on('session-end', onSessionEnd));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(signal, quitNow);
  process.channel?.unref();
}

/**
 * Calls `close` once before the app quits. If it takes longer than eight seconds, the app quits anyway. `install` is called after
 * `close`, and returns true if the updater ends the app itself.
 */
export function closeBeforeQuit(close: () => Promise<void>, install: () => boolean): void {
  let isClosing = false;
  let isClosed = false;
  const exit = () => app.exit(0);
  let timer: NodeJS.Timeout | undefined;
  const exitAfter = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(exit, ms).unref();
  };
  const finish = () => {
    isClosed = true;
    if (isForced || !install()) exit();
    else exitAfter(installMs);
  };
  app.on('will-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    exitAfter(timeoutMs);
    void close().then(finish, exit);
  });
  // Logging out of Linux or macOS ends the session even if the app is still running.
  powerMonitor.on('shutdown', quitNow);
}
