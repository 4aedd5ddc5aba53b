/** Compares the tools of two versions of a server, so that the user can decide about an update. */
import type { Rehearsal, ToolChange } from '../../../shared/model/rehearsal.ts';
import type { Tool } from '../../../shared/model/tool.ts';
import { createSlices } from '../async/slices.ts';
import { changeToAccept } from './fingerprint.ts';

/** Maximum number of listed differences. Further ones are only counted. */
const maxChanges = 300;
const order = { added: 0, changed: 1, removed: 2 };
const danger = { dangerous: 0, moderate: 1, safe: 2 };

/** `accepted`: the definition that the user accepted, if it is not the current one. `shown`: the tools of `changes.tools`. */
export async function compareTools(
  before: readonly Tool[],
  after: readonly Tool[],
  accepted: (tool: Tool) => Record<string, unknown> | undefined,
): Promise<{ changes: Pick<Rehearsal, 'tools' | 'same' | 'more'>; shown: Tool[] }> {
  const slice = createSlices();
  const old = new Map(before.map((tool) => [tool.name, tool]));
  const now = new Map(after.map((tool) => [tool.name, tool]));
  const found: { change: ToolChange; tool?: Tool }[] = [];
  for (const tool of after) {
    await slice();
    const earlier = old.get(tool.name);
    if (!earlier) found.push({ change: added(tool), tool });
    else if (earlier.fingerprint !== tool.fingerprint || accepted(earlier))
      found.push({ change: changed(earlier, accepted(earlier) ?? earlier.definition, tool), tool });
  }
  for (const tool of before) if (!now.has(tool.name)) found.push({ change: removed(tool) });
  const level = ({ change }: (typeof found)[0]) => danger[change.safetyAfter ?? change.safetyBefore ?? 'safe'];
  found.sort((a, b) => order[a.change.kind] - order[b.change.kind] || level(a) - level(b));
  const listed = found.slice(0, maxChanges);
  const same = after.length - found.filter(({ tool }) => tool).length;
  return {
    changes: { tools: listed.map(({ change }) => change), same, more: found.length - listed.length },
    shown: listed.flatMap(({ tool }) => tool ?? []),
  };
}

const nothing = { addedParameters: [], removedParameters: [], before: {}, after: {}, findings: [] };

function added(tool: Tool): ToolChange {
  const { name, annotations, definition, findings } = tool;
  return {
    ...nothing,
    ...{ name, kind: 'added', description: description(tool), safetyAfter: annotations.safetyLevel, findings },
    addedParameters: parameters(definition),
  };
}

function removed(tool: Tool): ToolChange {
  const { name, annotations } = tool;
  return { ...nothing, name, kind: 'removed', description: description(tool), safetyBefore: annotations.safetyLevel };
}

function changed(earlier: Tool, before: Record<string, unknown>, tool: Tool): ToolChange {
  const change = changeToAccept(before, tool.definition);
  const [old, now] = [new Set(parameters(before)), new Set(parameters(tool.definition))];
  return {
    ...{ name: tool.name, kind: 'changed', description: description(tool) },
    safetyBefore: earlier.annotations.safetyLevel,
    safetyAfter: tool.annotations.safetyLevel,
    addedParameters: [...now.difference(old)],
    removedParameters: [...old.difference(now)],
    ...{ before: change.before, after: change.after, findings: tool.findings },
  };
}

const description = ({ definition }: Tool) => (definition.description ?? '').slice(0, 1000);

function parameters({ inputSchema }: Record<string, unknown>): string[] {
  const { properties } = (inputSchema ?? {}) as { properties?: unknown };
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}
