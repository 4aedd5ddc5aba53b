/** Starts the app at login: a login item on macOS and Windows, an XDG autostart entry on Linux. Off by default. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';

export interface LoginItem {
  isEnabled(): boolean;
  set(isEnabled: boolean): void;
  /** True if macOS is waiting for the user to allow it in System Settings. */
  needsApproval(): boolean;
}

/** Starts the app hidden. Windows compares these arguments when it reads the login item; macOS ignores them. */
const hidden = ['--hidden'];

/** `command` is the program to start; `configDir` is the XDG config folder. */
export function loginItem(options: { command: string; configDir: string; platform?: NodeJS.Platform }): LoginItem {
  const { command, configDir, platform = process.platform } = options;
  if (platform === 'linux') return autostartEntry(join(configDir, 'autostart', 'app.toolkeep.desktop'), command);
  const args = platform === 'win32' ? hidden : undefined;
  return {
    isEnabled: () => app.getLoginItemSettings({ args }).openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args }),
    needsApproval: () => platform === 'darwin' && app.getLoginItemSettings().status === 'requires-approval',
  };
}

/** True if the system started the app at login, or if a client started it. No window opens then. */
export function isStartedHidden(argv: readonly string[] = process.argv): boolean {
  if (argv.includes('--hidden')) return true;
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

function autostartEntry(file: string, command: string): LoginItem {
  return {
    isEnabled: () => existsSync(file),
    set(isEnabled) {
      if (!isEnabled) return rmSync(file, { force: true });
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, entryText(command));
    },
    needsApproval: () => false,
  };
}

/** Quotes the command as the Desktop Entry Specification requires for `Exec`. */
function entryText(command: string): string {
  const quoted = `"${command.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  // The file format requires backslashes to be escaped once more.
  const exec = `${quoted} ${hidden.join(' ')}`.replaceAll('\\', '\\\\');
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Toolkeep',
    // untranslated: a file has one comment for all languages
    'Comment=One MCP server in front of all your MCP servers',
    `Exec=${exec}`,
    // Nothing starts once the app has been removed.
    `TryExec=${command.replaceAll('\\', '\\\\')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}
