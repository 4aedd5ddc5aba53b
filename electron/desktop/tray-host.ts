/** Whether the desktop shows tray icons. GNOME without an extension does not, and then a hidden app cannot be reached. */
import { execFile } from 'node:child_process';

const timeoutMs = 1_000;

/** Asks the session bus for the tray of the desktop (StatusNotifierWatcher). True where the question cannot be asked. */
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
