/** The entry point of the Electron app. */
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { toFailure } from '../shared/failure.ts';
import { openDesktop } from './desktop/desktop.ts';
import { createNodeHost } from './host/host.ts';
import { onceFree, runningPage } from './host/running-core.ts';
import { serveCore } from './http/serving.ts';

// Not awaited, because Electron emits `ready` only after this module has been evaluated.
void start(join(import.meta.dirname, '..'));

/** Without a window and a tray icon, a process that goes on would only keep others from starting. */
async function failToOpen(error: unknown): Promise<undefined> {
  // Before, Linux only prints the message.
  await app.whenReady();
  dialog.showErrorBox('Toolkeep cannot start', toFailure(error).message);
  app.exit(1);
}

async function start(root: string): Promise<void> {
  const desktop = await openDesktop({ root }).catch(failToOpen);
  if (!desktop) return;
  try {
    const host = await onceFree(() => createNodeHost(desktop.hostOptions), process.env, { takesOver: true });
    const serving = await serveCore(host, { rendererDir: join(root, 'dist', 'renderer') });
    desktop.onQuit(async () => {
      await serving.close();
      host.release();
    });
    desktop.connect(serving.core, serving.attach);
  } catch (error) {
    const { code, message, hint } = toFailure(error);
    // `toolkeep serve` is running, and its clients stay connected to it. Its page shows the same UI.
    const page = code === 'CORE_RUNNING' ? await runningPage(process.env) : undefined;
    if (page) await desktop.leaveTo(page);
    else desktop.giveUp(hint ? `${message} ${hint}` : message);
  }
}
