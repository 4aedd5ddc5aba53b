/** Tools that a plug-in provides: lists them for a context, caches the lists by the plug-in's policy, and runs the tools. */
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { fail, toFailure } from '../../../shared/failure.ts';
import type { Answer } from '../../../shared/model/question.ts';
import type { ToolDefinition } from '../../../shared/model/tool.ts';
import { type SharedRun, shareRun, withDeadline } from '../async/deadline.ts';
import type { QuestionDraft } from '../types.ts';
import type { DiscoveryPlugin, ProviderContext } from './plugin-api.ts';
import type { AskOptions } from './typed-calls.ts';
import { typedCalls } from './typed-questions.ts';

const providerTimeoutMs = 60_000;
/** Contexts whose last list is remembered. */
const maxLists = 100;

/** Events of every listing that the cache did not answer. */
export type ProviderEvent =
  | { kind: 'discovery_started'; providerId: string; iteration: number }
  | { kind: 'discovery_completed'; providerId: string; iteration: number; durationMs: number; toolCount: number }
  | { kind: 'discovery_failed'; providerId: string; iteration: number; durationMs: number; error: string };

export interface ToolProvider {
  readonly id: string;
  /**
   * The tools for a context, synchronously if the plug-in lists them synchronously, else as a promise. Unchanged tools are the
   * same objects, and an unchanged list is the same array. Throws or rejects with PLUGIN_FAILED; a failure never becomes an
   * empty list.
   */
  list(context: ProviderContext): readonly ToolDefinition[] | Promise<readonly ToolDefinition[]>;
  /** Runs a tool of the last list for this context, without listing again. `ask` sends its questions to the user. */
  execute(
    tool: string,
    args: Record<string, unknown>,
    context: ProviderContext,
    ask?: AskUser,
  ): Promise<Record<string, unknown>>;
}

export type AskUser = (draft: QuestionDraft, options: AskOptions & { signal: AbortSignal }) => Promise<Answer>;

export interface ProviderOptions {
  onEvent?: (event: ProviderEvent) => void;
  now?: () => number;
}

interface Kept {
  tools: readonly ToolDefinition[];
  /** Undefined for a list that came at once: those are asked for every time. */
  expiresAt: number | undefined;
}

/** The provider of a plug-in that has `provideTools`. */
export function createProvider(plugin: DiscoveryPlugin, options: ProviderOptions = {}): ToolProvider {
  const { name: providerId, timeoutMs = providerTimeoutMs } = plugin;
  const now = options.now ?? Date.now;
  const emit = options.onEvent ?? (() => {});
  const kept = new Map<string, Kept>();
  const inFlight = new Map<string, SharedRun<readonly ToolDefinition[]>>();
  const keyOf = plugin.cacheKey?.bind(plugin) ?? defaultKey;

  const failed = (error: unknown, doing: string) => {
    const { code, message } = toFailure(error);
    if (code === 'CANCELLED' || code === 'PLUGIN_FAILED') return error as Error;
    return fail('PLUGIN_FAILED', `Plug-in "${providerId}" failed to ${doing}: ${message}`, { server: providerId });
  };

  /** Keeps a new list, with the old objects wherever nothing changed. */
  const keep = (key: string, tools: unknown, expiresAt: number | undefined): readonly ToolDefinition[] => {
    if (!Array.isArray(tools)) throw new Error('provideTools gave no list');
    const before = kept.get(key)?.tools ?? [];
    const stable = sameObjects(before, tools);
    kept.delete(key);
    kept.set(key, { tools: stable, expiresAt });
    if (kept.size > maxLists) kept.delete(kept.keys().next().value as string);
    return stable;
  };

  /** Lists once with events around it; sync stays sync. */
  const ask = (
    context: ProviderContext,
    key: string,
  ): readonly ToolDefinition[] | Promise<readonly ToolDefinition[]> => {
    const { iteration } = context;
    const startedAt = performance.now();
    const completed = (tools: unknown, ttlMs: number | undefined) => {
      const list = keep(key, tools, ttlMs === undefined ? undefined : now() + ttlMs);
      const durationMs = performance.now() - startedAt;
      emit({ kind: 'discovery_completed', providerId, iteration, durationMs, toolCount: list.length });
      return list;
    };
    const gone = (error: unknown): never => {
      const durationMs = performance.now() - startedAt;
      emit({ kind: 'discovery_failed', providerId, iteration, durationMs, error: toFailure(error).message });
      throw failed(error, 'list its tools');
    };
    emit({ kind: 'discovery_started', providerId, iteration });
    try {
      const given = plugin.provideTools?.(context) ?? [];
      if (!(given instanceof Promise)) return completed(given, undefined);
      return given.then((tools) => completed(tools, plugin.ttlMs ?? 0)).catch(gone);
    } catch (error) {
      return gone(error);
    }
  };

  const tooLate = (what: string) => () =>
    fail('PLUGIN_FAILED', `Plug-in "${providerId}" took longer than ${timeoutMs} ms to ${what}.`, {
      server: providerId,
    });

  /** The same with the time limit, the declared retries and everyone who waits for it. */
  const askShared = (
    first: Promise<readonly ToolDefinition[]>,
    context: ProviderContext,
    key: string,
    signal: AbortSignal,
  ) =>
    withDeadline(timeoutMs, signal, tooLate('list its tools'), async (inner) => {
      const { attempts, delayMs } = plugin.retry ?? { attempts: 0, delayMs: 0 };
      let current: Promise<readonly ToolDefinition[]> = first;
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await current;
        } catch (error) {
          if (attempt >= attempts || inner.aborted) throw error;
          await delay(delayMs * 2 ** attempt, undefined, { signal: inner });
          current = Promise.resolve(ask({ ...context, signal: inner }, key));
        }
      }
    });

  return {
    id: providerId,
    list(context) {
      const key = keyOf(context);
      const known = kept.get(key);
      if (known?.expiresAt !== undefined && known.expiresAt > now()) return known.tools;
      const running = inFlight.get(key);
      if (running) return running.join(context.signal);
      // The plug-in hears the end of the shared run, not of its first caller: others may still wait.
      const stop = new AbortController();
      const given = ask({ ...context, signal: stop.signal }, key);
      if (!(given instanceof Promise)) return given;
      const run = shareRun(
        (signal) => {
          signal.addEventListener('abort', () => stop.abort(), { once: true });
          return askShared(given, context, key, signal).finally(() => stop.abort());
        },
        () => inFlight.delete(key),
      );
      inFlight.set(key, run);
      return run.join(context.signal);
    },
    async execute(tool, args, context, ask = unasked) {
      const known = kept.get(keyOf(context))?.tools ?? (await this.list(context));
      if (!known.some((definition) => definition.name === tool)) {
        throw fail('TOOL_NOT_FOUND', `Plug-in "${providerId}" provides no tool "${tool}" here.`, {
          server: providerId,
          tool,
        });
      }
      // If a plug-in keeps `ask` after the call, its questions are not asked: they no longer belong to a call.
      const over = new AbortController();
      try {
        const result = await withDeadline(timeoutMs, context.signal, tooLate(`run "${tool}"`), (signal, pauseWhile) => {
          const ends = [signal, over.signal];
          const asked = typedCalls((draft, options = {}) => {
            const until = AbortSignal.any(options.signal ? [...ends, options.signal] : ends);
            return until.aborted ? unasked() : pauseWhile(ask(draft, { ...options, signal: until }));
          });
          return plugin.execute?.(tool, args, { ...context, signal, ask: asked });
        });
        if (typeof result !== 'object' || result === null) throw new Error(`"${tool}" gave no result`);
        return result;
      } catch (error) {
        throw failed(error, `run "${tool}"`);
      } finally {
        over.abort();
      }
    },
  };
}

const unasked = async (): Promise<Answer> => ({ action: 'cancel' });

function defaultKey({ identity, activeSkillId }: ProviderContext): string {
  return JSON.stringify([identity?.tenant, identity?.principal, activeSkillId]);
}

function sameObjects(before: readonly ToolDefinition[], tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const known = new Map(before.map((tool) => [tool.name, tool]));
  const stable = tools.map((tool) => {
    const old = known.get(tool?.name);
    return old && isDeepStrictEqual(old, tool) ? old : tool;
  });
  const same = before.length === stable.length && stable.every((tool, index) => tool === before[index]);
  return same ? before : stable;
}
