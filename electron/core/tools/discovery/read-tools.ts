/** Converts a server's declarations to tools for the registry: validated, assessed, named and fingerprinted. */
import { isDeepStrictEqual } from 'node:util';
import type { Tool, ToolDefinition } from '../../../../shared/model/tool.ts';
import { fitsToolKey, toolKey } from '../../../../shared/tool-key.ts';
import { createSlices } from '../../async/slices.ts';
import { definitionTokens } from '../../history/estimate-tokens.ts';
import { appUse } from '../apps.ts';
import { annotate } from '../assessment/annotate.ts';
import { type HintHabits, hintHabits } from '../assessment/hints.ts';
import { findPoison } from '../assessment/poisoning.ts';
import { fingerprint } from '../fingerprint.ts';
import { shownName } from '../names.ts';
import { shortened } from '../truncate.ts';
import { problemsOf } from './validate.ts';
import { toolVersion } from './version.ts';
import { wellFormedTool } from './well-formed.ts';

const noTools: ReadonlyMap<string, string> = new Map();

/** The discovery options that a tool depends on. */
interface Naming {
  slug: string;
  otherTools?: ReadonlyMap<string, string>;
}

/** Maximum number of warnings about single tools. Further skipped tools are only counted. */
const maxToolWarnings = 50;

/** The valid tools. Each skipped tool adds a warning. If two have the same name, the first one is used. */
export async function toolsFrom(
  declared: unknown[],
  server: string,
  options: Naming,
  warnings: string[],
  signal: AbortSignal,
): Promise<Tool[]> {
  if (server.trim() === '' || !fitsToolKey(server)) {
    warnings.push(`TOOL_INVALID: "${server}" is not a valid server name, so its tools were skipped.`);
    return [];
  }
  const tools = new Map<string, Tool>();
  const own = new Set(declared.map((item) => (item as { name?: string } | null)?.name ?? ''));
  const habits = hintHabits(declared.filter(isDefinition));
  const skipped: string[] = [];
  const undescribed: string[] = [];
  let repeated = 0;
  const rest = createSlices();
  for (const [index, item] of declared.entries()) {
    // Yield: thousands of tools take a second, and other servers' calls must not wait that long.
    await rest();
    signal.throwIfAborted();
    const problems = problemsOf(item);
    const skip = (why: string) => skipped.push(`TOOL_INVALID: ${label(item, index)} was skipped: ${why}.`);
    if (problems.length > 0) {
      skip(problems.join('; '));
      continue;
    }
    const declaration = item as Record<string, unknown>;
    const definition = wellFormedTool(declaration);
    if (!definition.description?.trim()) undescribed.push(definition.name);
    const first = tools.get(definition.name);
    if (!first) tools.set(definition.name, toolFrom(definition, server, { ...options, own, habits, declaration }));
    else if (isDeepStrictEqual(first.definition, definition)) repeated += 1;
    else skip('the server declares the name twice; the first one is used');
  }
  warnings.push(...skipped.slice(0, maxToolWarnings));
  if (skipped.length > maxToolWarnings)
    warnings.push(`${skipped.length - maxToolWarnings} more tools were skipped for reasons like these.`);
  if (repeated > 0) warnings.push(`The server declares ${repeated} identical tools more than once; each counts once.`);
  if (undescribed.length > 0)
    warnings.push(
      `Agents rarely find tools without a description. These tools have none: ${shortened(undescribed, 10)}.`,
    );
  return [...tools.values()];
}

interface Context extends Naming {
  own: ReadonlySet<string>;
  habits: HintHabits;
  /** The tool as the server sent it. */
  declaration: Record<string, unknown>;
}

function toolFrom(definition: ToolDefinition, server: string, options: Context): Tool {
  const key = toolKey(server, definition.name);
  const version = toolVersion(definition);
  const app = appUse(definition);
  return {
    key,
    server,
    name: definition.name,
    shownName: shownName(options.slug, definition.name, key),
    definition,
    ...(version !== undefined && { version }),
    ...annotate(definition, options.habits),
    fingerprint: fingerprint(options.declaration),
    tokens: definitionTokens(definition),
    findings: findPoison(definition, { others: options.otherTools ?? noTools, own: options.own }),
    metadata: { ...(!definition.description?.trim() && { missingDescription: true }), ...(app && { app }) },
  };
}

const isDefinition = (item: unknown): item is ToolDefinition => typeof item === 'object' && item !== null;

/** Names an item for a warning, with invisible characters replaced. */
function label(item: unknown, index: number): string {
  const name = typeof item === 'object' && item !== null ? (item as Record<string, unknown>).name : undefined;
  if (typeof name !== 'string' || name.trim() === '') return `tool number ${index + 1}`;
  return `tool ${JSON.stringify(name.slice(0, 60)).replace(/[\p{Cc}\p{Cf}]/gu, '�')}`;
}
