/** Decides when the hidden prompt window is worth its memory: while clients are connected, and for some time afterwards. */
import type { Core } from '../core/core.ts';
import type { PromptWindow } from './prompt-window.ts';

const keptMs = 60 * 60_000;

export function keepSpareWindow(core: Pick<Core, 'handlers' | 'subscribe'>, prompts: PromptWindow): void {
  let timer: NodeJS.Timeout | undefined;
  const read = async () => {
    const { clients } = await core.handlers['core.status']();
    if (clients.length > 0) {
      clearTimeout(timer);
      timer = undefined;
      prompts.keepReady(true);
    } else {
      timer ??= setTimeout(() => prompts.keepReady(false), keptMs).unref();
    }
  };
  const refresh = () => void read().catch(() => undefined);
  core.subscribe((name) => name === 'clients.changed' && refresh());
  prompts.keepReady(true);
  refresh();
}
