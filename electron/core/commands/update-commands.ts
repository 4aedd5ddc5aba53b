/** Commands for updates. The host installs them; Core waits until a restart interrupts neither a call nor a question. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

/** Milliseconds between checks whether Core is idle. */
const lookMs = 500;

type Services = Pick<CommandServices, 'host' | 'events' | 'config' | 'isIdle'>;

export function updateCommands({ host, events, config, isIdle }: Services) {
  const { updates, howToUpdate } = host;
  /** Set while the user waits for the restart. */
  let timer: NodeJS.Timeout | undefined;
  const changed = () => events.emit('updates.changed', {});
  const isReady = () => updates?.view().state === 'ready';

  function want(isWanted: boolean): void {
    clearInterval(timer);
    timer = isWanted ? setInterval(restartIfIdle, lookMs).unref() : undefined;
    changed();
  }

  function restartIfIdle(): void {
    if (timer === undefined) return;
    // A newer version may be downloading by now, or updates were disabled.
    if (!isReady()) {
      want(false);
    } else if (isIdle()) {
      want(false);
      updates?.restart();
    }
  }

  updates?.onChange(changed);
  const enable = () => updates?.enable(config().updates.enabled);
  events.on('core.changed', enable);
  enable();

  return {
    'updates.show': () => {
      if (!updates) return howToUpdate === undefined ? undefined : { state: 'manual', how: howToUpdate };
      const view = updates.view();
      return timer !== undefined && view.state === 'ready' ? { ...view, state: 'waiting' } : view;
    },
    'updates.check': async () => updates?.check(),
    'updates.restart': ({ wanted }) => {
      want(wanted && isReady());
      restartIfIdle();
    },
  } satisfies Partial<CommandHandlers>;
}
