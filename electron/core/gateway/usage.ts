/** Counts the tokens that lists and lookups cost a client, for the savings report. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sliceMs } from '../async/slices.ts';
import { definitionTokens, estimateTokens, toolTokens } from '../history/estimate-tokens.ts';
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
          without: usable.reduce((sum, tool) => sum + toolTokens(tool), 0),
          list: await countTokens(tools),
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
async function countTokens(definitions: readonly JsonObject[]): Promise<number> {
  let sum = 0;
  let since = performance.now();
  for (const definition of definitions) {
    let tokens = counted.get(definition);
    if (tokens === undefined) {
      tokens = definitionTokens(definition);
      counted.set(definition, tokens);
    }
    sum += tokens;
    if (performance.now() - since < sliceMs) continue;
    await nextTurn();
    since = performance.now();
  }
  return sum;
}
