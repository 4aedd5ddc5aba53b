/** Electron entry: the desktop app around a Core. */
import { join } from 'node:path';
import { toFailure } from '../shared/failure.ts';
import { createNodeHost } from './host/host.ts';
import { onceFree, runningPage, serveCore } from './serve/serve.ts';
import { openShell } from './shell/shell.ts';

// Not awaited: Electron becomes ready only after this module has been evaluated.
void start(join(import.meta.dirname, '..'));

async function start(root: string): Promise<void> {
  const shell = await openShell({ root });
  if (!shell) return;
  try {
    const host = await onceFree(() => createNodeHost(shell.hostOptions), process.env);
    const serving = await serveCore(host, { rendererDir: join(root, 'dist', 'renderer') });
    shell.onEnd(async () => {
      await serving.close();
      host.release();
    });
    await shell.show(host, serving.core, serving.attach);
  } catch (error) {
    const { code, message, hint } = toFailure(error);
    // A client has started a Core without a window, which keeps its clients: its page shows the same.
    const page = code === 'CORE_RUNNING' ? runningPage(process.env) : undefined;
    if (page) await shell.leaveTo(page);
    else shell.giveUp(hint ? `${message} ${hint}` : message);
  }
}
