/**
 * Most clients give up after about a minute, but the user or the tool may take longer. A call that is not done when its
 * client gives up continues without the client. The client resumes it by repeating the call or by sending its handle,
 * so the tool never runs twice.
 */
import { createHash, randomBytes } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';
import { largestOwner } from '../async/largest-owner.ts';
import type { ClientTimeouts } from './client-timeout.ts';
import { Progress } from './progress.ts';

/** The tool and arguments of a call. */
export interface Called {
  /** Identifies the tool and the way in which it was called. */
  readonly target: string;
  /** Identifies equal calls. Computed on demand, because it is expensive for large arguments. */
  signature(): string;
}

/** A call that runs independently of its client's request. */
export interface DetachedCall<T> extends Called {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  readonly progress: Progress;
  /** Marks the call as waiting for the user until `wait` settles. */
  whileWaitingForUser<R>(wait: Promise<R>): Promise<R>;
  isWaitingForUser(): boolean;
  /** How long the call has waited for the user in waits that have ended, in milliseconds. */
  readonly waitedMs: number;
  /** With this, the client resumes the call. Set when the call is parked for the first time. */
  handle?: string;
  /** Called whenever the call starts to wait for the user, for the client that waits for the call. */
  onWaiting?: (() => void) | undefined;
  /** Called whenever the call starts or ends a wait, and when its server reports progress. */
  onChange?: (() => void) | undefined;
}

/** How one client waits for a detached call. */
export interface Wait {
  /** ID of the client. Only this client can resume the call. */
  owner: string;
  timeouts: ClientTimeouts;
  signal: AbortSignal;
  onProgress?: (params: Record<string, unknown>) => void;
}

/**
 * How long a parked call is kept for its client after it has finished or while it waits for the user, in milliseconds. Time
 * while the user is away does not count.
 */
const keepMs = 10 * 60_000;
/** The same for a call whose tool is running, even if the tool started after the call was parked. */
const keepRunningMs = 60 * 60_000;
const maxParked = 500;
/** Some clients give up after five seconds without progress. */
const progressIntervalMs = 2_000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function startDetached<T>(
  called: Called,
  run: (call: Omit<DetachedCall<T>, 'result'>) => Promise<T>,
): DetachedCall<T> {
  let waits = 0;
  let waitingSince = 0;
  // Most calls report none.
  let progress: Progress | undefined;
  const call: Mutable<Omit<DetachedCall<T>, 'result'>> = {
    ...called,
    controller: new AbortController(),
    get progress() {
      progress ??= new Progress(() => call.onChange?.());
      return progress;
    },
    waitedMs: 0,
    async whileWaitingForUser(wait) {
      if (waits === 0) waitingSince = Date.now();
      waits += 1;
      call.onWaiting?.();
      call.onChange?.();
      try {
        return await wait;
      } finally {
        waits -= 1;
        if (waits === 0) call.waitedMs += Date.now() - waitingSince;
        call.onChange?.();
      }
    },
    isWaitingForUser: () => waits > 0,
  };
  // `run` needs the call before it can return the result.
  return Object.assign(call, { result: run(call) });
}

export type Parking<T> = ReturnType<typeof createParking<T>>;

/** `presentMs` returns the milliseconds since the user came back, or 0 while the user is away. */
export function createParking<T>(presentMs = () => Number.POSITIVE_INFINITY) {
  const parked = new Map<string, { call: DetachedCall<T>; owner: string; signature: string; timer: NodeJS.Timeout }>();

  /** Returns the handle with which the client can resume the call. */
  function park(call: DetachedCall<T>, owner: string): string {
    if (parked.size >= maxParked) makeRoom({ owner });
    call.handle ??= randomBytes(9).toString('base64url');
    const { handle } = call;
    const entry = {
      call,
      owner,
      signature: call.signature(),
      timer: call.isWaitingForUser() ? expireIn(keepMs, keepRunningMs - keepMs) : expireIn(keepRunningMs),
    };
    parked.set(handle, entry);
    call.result
      .catch(() => undefined)
      .then(() => {
        if (parked.get(handle) !== entry) return;
        clearTimeout(entry.timer);
        entry.timer = expireIn(keepMs);
      });
    return handle;

    /** Abandons the call after `ms`, or `moreMs` later if its tool is running by then. */
    function expireIn(ms: number, moreMs?: number): NodeJS.Timeout {
      return setTimeout(() => {
        const leftMs = call.isWaitingForUser() ? keepMs - presentMs() : 0;
        if (leftMs > 0) entry.timer = expireIn(leftMs, moreMs);
        else if (moreMs === undefined || call.isWaitingForUser()) abandon(handle);
        else entry.timer = expireIn(moreMs);
      }, ms).unref();
    }
  }
  /** Abandons the oldest parked call of the client that has most of them. */
  function makeRoom(newest: { owner: string }): void {
    const owner = largestOwner(parked.values(), newest);
    const oldest = Array.from(parked).find(([, entry]) => entry.owner === owner);
    if (oldest) abandon(oldest[0]);
  }
  function unpark(handle: string): DetachedCall<T> | undefined {
    const entry = parked.get(handle);
    parked.delete(handle);
    clearTimeout(entry?.timer);
    return entry?.call;
  }
  function abandon(handle: string): void {
    unpark(handle)?.controller.abort();
  }

  return {
    /** Removes and returns a parked call of this client: the one with this handle and target, or the oldest with this signature. */
    take(owner: string, by: { handle: string; target: string } | { signature(): string }): DetachedCall<T> | undefined {
      if (parked.size === 0) return undefined;
      const signature = 'signature' in by ? by.signature() : undefined;
      for (const [handle, entry] of parked) {
        const fits =
          'handle' in by ? handle === by.handle && entry.call.target === by.target : entry.signature === signature;
        if (fits && entry.owner === owner) return unpark(handle);
      }
      return undefined;
    },
    /** Waits for the call until the client's timeout, then parks it and rejects with APPROVAL_PENDING or CALL_PENDING. */
    wait(call: DetachedCall<T>, options: Wait): Promise<T> {
      const { timeouts, signal, onProgress } = options;
      return new Promise<T>((resolve, reject) => {
        const deadline = Date.now() + timeouts.userMs;
        let done = false;
        // Set only while the call waits for the user; most calls never need it.
        let timer: NodeJS.Timeout | undefined;
        const slow = timeouts.toolMs === undefined ? undefined : setTimeout(leave, timeouts.toolMs, true);
        const report = () => {
          if (call.isWaitingForUser()) call.progress.waiting();
          else if (timeouts.needsSigns) call.progress.running();
        };
        const interval = onProgress && setInterval(report, progressIntervalMs);
        const cancel = () => call.controller.abort(signal.reason);
        // The interval reports it: if no user can be asked, the wait ends at once.
        call.onWaiting = scheduleLeave;
        function scheduleLeave(): void {
          clearTimeout(timer);
          const left = deadline - Date.now();
          if (left <= 0) leave();
          else timer = setTimeout(leave, left);
        }
        function finish(): void {
          done = true;
          clearTimeout(timer);
          clearTimeout(slow);
          clearInterval(interval);
          call.onWaiting = undefined;
          if (onProgress) call.progress.attach(undefined);
          signal.removeEventListener('abort', cancel);
        }
        function leave(isSlow = false): void {
          const isWaiting = call.isWaitingForUser();
          if (done || !(isWaiting || isSlow)) return;
          finish();
          reject(pending(park(call, options.owner), isWaiting));
        }
        if (signal.aborted) cancel();
        signal.addEventListener('abort', cancel, { once: true });
        if (onProgress) call.progress.attach(onProgress);
        if (call.isWaitingForUser()) report();
        if (call.isWaitingForUser()) scheduleLeave();
        call.result.then(
          (result) => {
            finish();
            resolve(result);
          },
          (error) => {
            finish();
            reject(error);
          },
        );
      });
    },
    /** Cancels the parked calls of a client that disconnected. */
    drop(owner: string): void {
      for (const [handle, entry] of [...parked]) if (entry.owner === owner) abandon(handle);
    },
    /** The number of parked calls. */
    size: (): number => parked.size,
  };
}

/** The argument with which a client resumes a parked call. */
export const handleArgument = 'toolkeep_handle';

/** The argument that, together with the handle, cancels a parked call. */
export const cancelArgument = 'toolkeep_cancel';

function pending(handle: string, isWaitingForUser: boolean) {
  const again = `Call it again with the same arguments, or with {"${handleArgument}": "${handle}"}, to keep waiting or to get the result. It will not run twice.`;
  if (isWaitingForUser)
    return fail('APPROVAL_PENDING', 'The tool is waiting for the user, who has not answered yet.', { hint: again });
  return fail('CALL_PENDING', 'The tool is still running.', {
    hint: `${again} To cancel it, add "${cancelArgument}": true to the handle.`,
  });
}

/** The same string for calls of the same tool with the same arguments, regardless of key order. */
export function signatureOf(server: string, tool: string, args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([server, tool, sorted(args)]))
    .digest('base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { keys: entries.map(([key, inner]) => [key, sorted(inner)]) };
}
