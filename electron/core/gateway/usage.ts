/** Counts the tokens that lists and lookups cost a client, for the savings report. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tool } from '../../../shared/model/tool.ts';
import { sliceMs } from '../async/slices.ts';
import { estimateTokens } from '../history/estimate-tokens.ts';
import type { Savings } from '../history/savings.ts';
import type { Scopes } from '../policy/scope.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import type { JsonObject } from '../types.ts';
import type { ClientReports } from './services.ts';

/** Milliseconds before counting starts, so that the client gets its response first. */
const delayMs = 100;

export function createUsage(options: {
  savings: Savings;
  knownTools: KnownTools;
  scopes: Scopes;
}): Pick<ClientReports, 'toolsListed' | 'lookedUp'> {
  const { savings, knownTools, scopes } = options;
  return {
    toolsListed({ name, scope }, tools) {
      setTimeout(async () => {
        const usable = knownTools.usable((tool) => scopes.hasServer(scope, tool.server)).map(({ tool }) => tool);
        savings.listed(name, {
          without: await countTokens(usable, (tool: Tool) => tool.definition),
          list: await countTokens(tools, (definition) => definition),
        });
      }, delayMs).unref();
    },
    lookedUp: ({ name }, args, text) =>
      savings.lookedUp(name, estimateTokens(JSON.stringify(args)) + estimateTokens(text)),
  };
}

/** Caches the counts, so that ten thousand tools are not counted for every session. */
const counted = new WeakMap<object, number>();

/** The tokens of these definitions in a model's context. */
async function countTokens<T extends object>(
  items: readonly T[],
  definitionOf: (item: T) => JsonObject,
): Promise<number> {
  let sum = 0;
  let since = performance.now();
  for (const item of items) {
    let tokens = counted.get(item);
    if (tokens === undefined) {
      const { name, description, inputSchema } = definitionOf(item);
      tokens = estimateTokens(JSON.stringify({ name, description, inputSchema }));
      counted.set(item, tokens);
    }
    sum += tokens;
    if (performance.now() - since < sliceMs) continue;
    await nextTurn();
    since = performance.now();
  }
  return sum;
}
