/** One listing of a plug-in's tools, with events, a time limit and the plug-in's own rules for failures. */
import { setTimeout as delay } from 'node:timers/promises';
import { fail, toFailure } from '../../../shared/failure.ts';
import { textFrom } from '../../../shared/text-from.ts';
import { abortable } from '../async/abort.ts';
import type { DiscoveryPlugin, ListingError, ProviderContext, ReliabilityRule } from './plugin-api.ts';
import type { ProviderLists, ToolList } from './provider-lists.ts';

/**
 * Events of each listing that was not served from the cache. `conversationId` comes from the client's request that
 * needed the listing.
 */
export type ProviderEvent = { providerId: string; iteration: number; conversationId?: string } & (
  | { kind: 'discovery_started' }
  | { kind: 'discovery_completed'; durationMs: number; toolCount: number }
  /** `rule`: the kind of the reliability rule that matched. */
  | { kind: 'discovery_failed'; durationMs: number; error: string; rule?: string }
);

export interface ListingOptions {
  plugin: DiscoveryPlugin;
  timeoutMs: number;
  lists: ProviderLists;
  emit(event: ProviderEvent): void;
}

export interface StartedListing {
  /** The list, if the plug-in returned it synchronously. */
  tools?: ToolList;
  /** Waits for the plug-in, including retries. Rejects with PLUGIN_FAILED, or with CANCELLED when `signal` aborts. */
  finish(signal: AbortSignal): Promise<ToolList>;
}

/** Requests the plug-in's tools. If the plug-in lists them synchronously, the result is available synchronously. */
export function startListing(options: ListingOptions, context: ProviderContext, key: string): StartedListing {
  const { plugin, lists } = options;
  // The plug-in's signal follows the shared run, not its first caller, because other callers may still be waiting.
  const stop = new AbortController();
  const ask = (): ToolList | Promise<ToolList> => plugin.provideTools?.({ ...context, signal: stop.signal }) ?? [];
  const report = reporter(options, context);
  report.started();
  let first: Promise<ToolList>;
  try {
    const given = ask();
    if (!(given instanceof Promise)) {
      const tools = lists.keep(key, given, undefined);
      report.completed(tools);
      return { tools, finish: async () => tools };
    }
    first = given;
  } catch (error) {
    first = Promise.reject(error);
  }
  first.catch(() => {});

  async function attempts(caller: AbortSignal): Promise<ToolList> {
    const signal = AbortSignal.any([caller, AbortSignal.timeout(options.timeoutMs)]);
    signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });
    for (let attempt = 1; ; attempt += 1) {
      try {
        // The plug-in may ignore the signal.
        const asked = attempt === 1 ? first : Promise.resolve().then(ask);
        const given = await abortable(asked, signal, () => signal.reason);
        const tools = lists.keep(key, given, plugin.ttlMs ?? 0);
        report.completed(tools);
        return tools;
      } catch (error) {
        const { action, kind, delayMs } = decide(plugin.reliability, error, attempt);
        report.failed(error, kind);
        if (action === 'retry' && !signal.aborted) {
          await delay(delayMs, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) throw listingFailure(options, signal.reason, caller);
          report.started();
          continue;
        }
        const last = action === 'fallback' ? lists.last(key) : undefined;
        if (last) return last;
        throw listingFailure(options, error, caller);
      }
    }
  }

  return { finish: attempts };
}

function listingFailure({ plugin, timeoutMs }: ListingOptions, error: unknown, caller: AbortSignal): Error {
  const server = plugin.name;
  if (caller.aborted) return fail('CANCELLED', `The listing of plug-in "${server}" was canceled.`, { server });
  if ((error as Error | undefined)?.name === 'TimeoutError')
    return fail('PLUGIN_FAILED', `Plug-in "${server}" took longer than ${timeoutMs} ms to list its tools.`, { server });
  return pluginFailure(server, error, 'list its tools');
}

/** Converts a plug-in's error to PLUGIN_FAILED. `doing` names the operation: `list its tools`. */
export function pluginFailure(server: string, error: unknown, doing: string): Error {
  const { code, message } = toFailure(error);
  if (code === 'CANCELLED' || code === 'PLUGIN_FAILED') return error as Error;
  return fail('PLUGIN_FAILED', `Plug-in "${server}" failed to ${doing}: ${message}`, { server });
}

function reporter({ plugin, emit }: ListingOptions, { iteration, identity }: ProviderContext) {
  const base = { providerId: plugin.name, iteration, conversationId: identity?.conversationId };
  let startedAt = performance.now();
  const durationMs = () => performance.now() - startedAt;
  return {
    started() {
      startedAt = performance.now();
      emit({ ...base, kind: 'discovery_started' });
    },
    completed: ({ length }: ToolList) =>
      emit({ ...base, kind: 'discovery_completed', durationMs: durationMs(), toolCount: length }),
    failed: (error: unknown, rule: string | undefined) =>
      emit({ ...base, kind: 'discovery_failed', durationMs: durationMs(), error: toFailure(error).message, rule }),
  };
}

/** The maximum number of attempts, whatever the rules say. */
const maxAttempts = 10;
const defaultDelayMs = 250;

/**
 * `attempt` counts from 1. Without a matching rule, the listing fails immediately. `kind`: the rule's own name for the failure.
 * `delayMs`: the pause before the next attempt.
 */
function decide(rules: readonly ReliabilityRule[] = [], error: unknown, attempt: number) {
  const state = { error: listingError(error), attempt };
  const rule = rules.find(({ when }) => when(state));
  if (!rule) return { action: 'fail-fast' as const, delayMs: 0 };
  const action = rule.then === 'retry' && attempt >= maxAttempts ? 'fail-fast' : rule.then;
  return { action, kind: rule.kind, delayMs: (rule.delayMs ?? defaultDelayMs) * 2 ** (attempt - 1) };
}

/** `fetch` reports why a host is unreachable only in the cause. */
function listingError(error: unknown): ListingError {
  if (typeof error !== 'object' || error === null) return { name: 'Error', message: textFrom(error) };
  const { name, message, code, status, cause } = error as Record<string, unknown>;
  const found = code ?? (cause as { code?: unknown } | undefined)?.code ?? status;
  return {
    name: textFrom(name ?? 'Error'),
    message: textFrom(message ?? ''),
    ...(found !== undefined && { code: textFrom(found) }),
  };
}
