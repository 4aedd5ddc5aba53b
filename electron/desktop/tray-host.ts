/**
 * Tells whether the desktop shows tray icons. GNOME needs an extension for them; without it, the user could not reach a
 * hidden app.
 */
import { execFile } from 'node:child_process';

const timeoutMs = 1_000;

/** Asks the session bus for the desktop's tray (StatusNotifierWatcher). Returns true if it cannot ask. */
export function hasTrayHost(platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return Promise.resolve(true);
  const args = ['--session', '--print-reply=literal', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'];
  const call = ['org.freedesktop.DBus.NameHasOwner', 'string:org.kde.StatusNotifierWatcher'];
  return new Promise((resolve) => {
    execFile('dbus-send', [...args, ...call], { timeout: timeoutMs }, (error, stdout) => {
      resolve(error ? true : stdout.includes('true'));
    });
  });
}
