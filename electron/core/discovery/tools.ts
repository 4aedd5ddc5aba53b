/** From what a server declares to tools that can be registered: validated, judged, named, fingerprinted. */
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Tool, ToolDefinition } from '../../../shared/model.ts';
import { annotate } from './annotate.ts';
import { fingerprint } from './fingerprint.ts';
import { shownName } from './names.ts';
import { findPoison } from './poison.ts';
import { asDefinition, problemsOf } from './validate.ts';
import { toolVersion } from './version.ts';

const noTools: ReadonlyMap<string, string> = new Map();

/** The part of the options of a discovery that tools depend on. */
interface Naming {
  slug: string;
  otherTools?: ReadonlyMap<string, string>;
}

/** Tools that a warning is given for each; beyond that they are counted. */
const maxToolWarnings = 50;

/** The usable tools, judged; each skipped one with its warning (row B4). The first of a name wins. */
export async function toolsFrom(
  declared: unknown[],
  server: string,
  options: Naming,
  warnings: string[],
  signal: AbortSignal,
): Promise<Tool[]> {
  if (server.trim() === '' || server.includes('::')) {
    warnings.push(`TOOL_INVALID: "${server}" cannot name a server, so its tools were skipped.`);
    return [];
  }
  const tools = new Map<string, Tool>();
  const own = new Set(declared.map((item) => (item as { name?: string } | null)?.name ?? ''));
  const skipped: string[] = [];
  let repeated = 0;
  let since = performance.now();
  for (const [index, item] of declared.entries()) {
    // Thousands of tools take a second: other servers' calls must not wait for it.
    if (performance.now() - since > 10) {
      await turn();
      signal.throwIfAborted();
      since = performance.now();
    }
    const problems = problemsOf(item);
    const skip = (why: string) => skipped.push(`TOOL_INVALID: ${label(item, index)} was skipped: ${why}.`);
    if (problems.length > 0) {
      skip(problems.join('; '));
      continue;
    }
    const definition = asDefinition(item);
    const first = tools.get(definition.name);
    if (!first) tools.set(definition.name, toolFrom(definition, server, options, own));
    else if (isDeepStrictEqual(first.definition, definition)) repeated += 1;
    else skip('the server declares the name twice; the first counts');
  }
  warnings.push(...skipped.slice(0, maxToolWarnings));
  if (skipped.length > maxToolWarnings)
    warnings.push(`${skipped.length - maxToolWarnings} more tools were skipped for reasons like these.`);
  if (repeated > 0)
    warnings.push(`The server declares ${repeated} tools more than once in the same words; each counts once.`);
  return [...tools.values()];
}

function toolFrom(definition: ToolDefinition, server: string, options: Naming, own: ReadonlySet<string>): Tool {
  const key = `${server}::${definition.name}`;
  const version = toolVersion(definition);
  return {
    key,
    server,
    name: definition.name,
    shownName: shownName(options.slug, definition.name, key),
    definition,
    ...(version !== undefined && { version }),
    ...annotate(definition),
    fingerprint: fingerprint(definition),
    findings: findPoison(definition, { others: options.otherTools ?? noTools, own }),
    metadata: {},
  };
}

/** Names an item for a warning; what cannot be read aloud is made visible. */
function label(item: unknown, index: number): string {
  const name = typeof item === 'object' && item !== null ? (item as Record<string, unknown>).name : undefined;
  if (typeof name !== 'string' || name.trim() === '') return `tool number ${index + 1}`;
  return `tool ${JSON.stringify(name.slice(0, 60)).replace(/[\p{Cc}\p{Cf}]/gu, '�')}`;
}
