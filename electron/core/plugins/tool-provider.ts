/** Tools that a plug-in provides: lists them for a context, caches the lists as the plug-in specifies, and runs the tools. */
import { fail } from '../../../shared/failure.ts';
import type { Answer } from '../../../shared/model/question.ts';
import { type SharedRun, shareRun, withDeadline } from '../async/deadline.ts';
import type { QuestionDraft } from '../types.ts';
import type { DiscoveryPlugin, ProviderContext } from './plugin-api.ts';
import { type ProviderEvent, pluginFailure, startListing } from './provider-listing.ts';
import { createProviderLists, type ToolList } from './provider-lists.ts';
import type { AskOptions } from './typed-calls.ts';
import { typedCalls } from './typed-questions.ts';

const providerTimeoutMs = 60_000;

export type AskUser = (draft: QuestionDraft, options: AskOptions & { signal: AbortSignal }) => Promise<Answer>;

export interface ProviderOptions {
  onEvent?: (event: ProviderEvent) => void;
  now?: () => number;
}

/** Creates the provider for a plug-in that has `provideTools`. */
export function createProvider(plugin: DiscoveryPlugin, options: ProviderOptions = {}) {
  const { name: id, timeoutMs = providerTimeoutMs } = plugin;
  const lists = createProviderLists(options.now ?? Date.now);
  const listing = { plugin, timeoutMs, lists, emit: options.onEvent ?? (() => {}) };
  const inFlight = new Map<string, SharedRun<ToolList>>();
  const keyOf = plugin.cacheKey?.bind(plugin) ?? defaultKey;

  /**
   * The tools for a context, synchronously if the plug-in lists them synchronously, else as a promise. Unchanged tools are the
   * same objects, and an unchanged list is the same array. Rejects with PLUGIN_FAILED; a failure never becomes an empty list.
   */
  function list(context: ProviderContext): ToolList | Promise<ToolList> {
    const key = keyOf(context);
    const known = lists.fresh(key);
    if (known) return known;
    const running = inFlight.get(key);
    if (running) return running.join(context.signal);
    const { tools, finish } = startListing(listing, context, key);
    if (tools) return tools;
    const run = shareRun(finish, () => inFlight.delete(key));
    inFlight.set(key, run);
    return run.join(context.signal);
  }

  return {
    id,
    list,
    /** The last list for this kind of context, even if it has expired. */
    last: (context: ProviderContext): ToolList | undefined => lists.last(keyOf(context)),
    /** The tools of all contexts together; the same array while nothing changes. */
    union: lists.union,
    /** Runs a tool of the last list for this context, without listing again. `ask` sends its questions to the user. */
    async execute(
      tool: string,
      args: Record<string, unknown>,
      context: ProviderContext,
      ask: AskUser = unasked,
    ): Promise<Record<string, unknown>> {
      const known = lists.last(keyOf(context)) ?? (await list(context));
      if (!known.some((definition) => definition.name === tool))
        throw fail('TOOL_NOT_FOUND', `The plug-in "${id}" does not provide the tool "${tool}" for this request.`, {
          server: id,
          tool,
        });
      return run(plugin, timeoutMs, { tool, args, context, ask });
    },
  };
}

async function run(
  plugin: DiscoveryPlugin,
  timeoutMs: number,
  call: { tool: string; args: Record<string, unknown>; context: ProviderContext; ask: AskUser },
): Promise<Record<string, unknown>> {
  const { tool, args, context, ask } = call;
  const server = plugin.name;
  const tooLate = () =>
    fail('PLUGIN_FAILED', `Plug-in "${server}" took longer than ${timeoutMs} ms to run "${tool}".`, { server });
  // Aborts at the end of the call, so that a plug-in cannot use `ask` after its call.
  const over = new AbortController();
  try {
    const result = await withDeadline(timeoutMs, context.signal, tooLate, (signal, pauseWhile) => {
      const ends = [signal, over.signal];
      const asked = typedCalls((draft, options = {}) => {
        const until = AbortSignal.any(options.signal ? [...ends, options.signal] : ends);
        return until.aborted ? unasked() : pauseWhile(ask(draft, { ...options, signal: until }));
      });
      return plugin.execute?.(tool, args, { ...context, signal, ask: asked });
    });
    if (typeof result !== 'object' || result === null) throw new Error(`"${tool}" returned no result`);
    return result;
  } catch (error) {
    throw pluginFailure(server, error, `run "${tool}"`);
  } finally {
    over.abort();
  }
}

const unasked = async (): Promise<Answer> => ({ action: 'cancel' });

function defaultKey({ identity, activeSkillId }: ProviderContext): string {
  return JSON.stringify([identity?.tenant, identity?.principal, activeSkillId]);
}
