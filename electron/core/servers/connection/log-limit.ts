/** Limits a server's log messages, so that it cannot flood clients or Core. */
import { limits } from '../../../../shared/limits.ts';
import { type Params, withinLength } from './server-message.ts';

/** Maximum number of messages in a burst. */
const burst = limits.server.logBurst;
/** Messages per second after that. */
const perSecond = limits.server.logsPerSecond;
const maxBytes = limits.server.logBytes;

/** `now` returns milliseconds. */
export function createLogLimit(now: () => number = Date.now) {
  let tokens = burst;
  let refilledAt = now();
  let dropped = 0;

  return {
    /** Returns the message to forward, or undefined if it is dropped. */
    admit(params: Params): Params | undefined {
      const time = now();
      tokens = Math.min(burst, tokens + ((time - refilledAt) / 1000) * perSecond);
      refilledAt = time;
      if (tokens < 1) {
        dropped += 1;
        return undefined;
      }
      tokens -= 1;
      const limited = withinSize(params);
      if (dropped === 0) return limited;
      const count = dropped;
      dropped = 0;
      return { ...limited, _meta: { ...(limited._meta as Params | undefined), 'toolkeep/droppedMessages': count } };
    },
  };
}

function withinSize(params: Params): Params {
  const text = JSON.stringify(params.data) ?? '';
  return text.length <= maxBytes ? params : { ...params, data: withinLength(text, maxBytes) };
}
