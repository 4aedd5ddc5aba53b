/** `run/app.json` tells a bridge how to start the installed app. */
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { ownAppImage } from './app-image.ts';

/**
 * The app needs these variables to reach the display and the session bus, but the official SDK does not pass them on to
 * servers.
 */
const sessionVariables = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_TYPE',
  'XDG_CURRENT_DESKTOP',
  'XDG_DATA_DIRS',
  'DBUS_SESSION_BUS_ADDRESS',
];

/** Writes the file. Call it at each start of the app, because the variables change with the session. */
export function writeAppFile(dataDir: string, env: NodeJS.ProcessEnv = process.env): void {
  const session = Object.fromEntries(
    sessionVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  const { resourcesPath } = process as { resourcesPath?: string };
  const appImage = ownAppImage(env);
  const command = appImage ?? process.execPath;
  // An AppImage's resources are mounted only while it runs.
  const app = { command, args: ['--hidden'], env: session, ...(!appImage && { resources: resourcesPath }) };
  writeFileAtomic.sync(join(dataDir, 'run', 'app.json'), `${JSON.stringify(app)}\n`, { mode: 0o600 });
}
