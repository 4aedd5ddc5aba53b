/** The forms of a tool that the registry returns: complete for a call, a summary for lists, a hit for a search. */
import { isObject } from '../../../shared/is-object.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import {
  type ApprovalsAsk,
  hintsOf,
  type JsonSchema,
  needsApproval,
  type SearchHit,
  type Tool,
  type ToolDefinition,
  type ToolSummary,
} from '../../../shared/model/tool.ts';
import { toolTokens } from '../history/estimate-tokens.ts';
import type { OverriddenDecision } from '../rules/overrides.ts';
import type { RegisteredTool } from '../types.ts';
import { toolVersion } from './discovery/version.ts';
import { changeToAccept } from './fingerprint.ts';
import type { HeldReason, Pins } from './pins.ts';
import { firstSentence, headOf } from './truncate.ts';

/** A search hit with the tool's schema, so that the caller need not look up the tool again. */
export type ToolHit = SearchHit & { inputSchema: JsonSchema };

interface Circumstances {
  /** The rules' and overrides' decision about the tool. */
  decision: OverriddenDecision;
  ask: ApprovalsAsk;
  pins: Pins;
  serverVersion: string | undefined;
}

export function registeredTool(tool: Tool, { decision, ask, pins, serverVersion }: Circumstances): RegisteredTool {
  const { definition } = tool;
  const heldFor = pins.heldReason(tool);
  return {
    key: tool.key,
    server: tool.server,
    name: tool.name,
    shownName: tool.shownName,
    title: definition.title ?? tool.name,
    description: definition.description ?? '',
    inputSchema: definition.inputSchema,
    ...(definition.outputSchema && { outputSchema: definition.outputSchema }),
    annotations: tool.annotations,
    category: tool.category,
    complexity: tool.complexity,
    requiresAuth: tool.requiresAuth,
    isDeprecated: tool.isDeprecated,
    findings: tool.findings,
    version: tool.version,
    serverVersion,
    metadata: tool.metadata,
    ...decision,
    asks: needsApproval({ ...decision, annotations: tool.annotations }, ask),
    held: heldFor && heldState(pins, tool, serverVersion, heldFor),
    fingerprint: tool.fingerprint,
    isRepeatable: tool.annotations.safetyLevel !== 'dangerous' && declaresRepeatable(definition),
    isTaskOnly: isTaskOnly(definition),
  };
}

/** Whether the server declares that repeating a call is harmless. A name is not sufficient evidence. */
function declaresRepeatable({ annotations }: ToolDefinition): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
}

/**
 * Whether the server runs the tool only as a task. Toolkeep handles the task, so that clients can make ordinary calls.
 */
function isTaskOnly({ execution }: ToolDefinition): boolean {
  return isObject(execution) && execution.taskSupport === 'required';
}

/** The summary of a tool, without parsing its definition. */
export function toolSummary(
  tool: Tool,
  { enabled, tags, confirm, override }: OverriddenDecision,
  { held, ask }: { held: boolean; ask: ApprovalsAsk },
): ToolSummary {
  const { annotations } = tool;
  const asks = needsApproval({ confirm, annotations }, ask);
  const { title, summary } = tool.head ?? headOf(tool.definition);
  return {
    key: tool.key,
    server: tool.server,
    name: tool.name,
    title,
    category: tool.category,
    tags,
    enabled,
    isDeprecated: tool.isDeprecated,
    summary,
    safetyLevel: annotations.safetyLevel,
    held,
    asks,
    ...(override?.confirm && { asksByOverride: true }),
    findings: tool.findings.length,
    effects: annotations.effects ?? [annotations.safetyLevel === 'safe' ? 'reads' : 'changes'],
    tokens: toolTokens(tool),
    hints: hintsOf({ ...annotations, requiresConfirmation: asks !== 'none' }),
  };
}

/** Why a tool has its level, what looks suspicious, and why it is held. */
export function explanation(tool: Tool, pins: Pins): NonNullable<ToolSummary['explained']> {
  const heldFor = pins.heldReason(tool);
  return { reasons: tool.annotations.reasons, findings: tool.findings, ...(heldFor && { heldFor }) };
}

export function searchHit({ server, name, definition }: Tool, tags: string[], relevance: number): ToolHit {
  const { description = '', inputSchema } = definition;
  return { server, tool: name, summary: firstSentence(description), relevance, tags, inputSchema };
}

/** The changes for the user of a tool that is held for this reason. `version` is the server's current version. */
function heldState(
  pins: Pins,
  tool: Tool,
  version: string | undefined,
  reason: HeldReason,
): NonNullable<ToolView['held']> {
  const { fingerprint } = tool;
  const before = pins.heldBefore(tool);
  if (reason === 'changed' && before) {
    const updated = updateSentence(pins, tool, before, version);
    return { reason, fingerprint, ...changeToAccept(before, tool.definition), ...(updated && { updated }) };
  }
  const changes = reason === 'new' ? ['The server added this tool after you accepted the server.'] : [];
  return { reason, fingerprint, before: {}, after: {}, changes: [...changes, ...tool.findings] };
}

function updateSentence(
  pins: Pins,
  tool: Tool,
  before: Record<string, unknown>,
  version: string | undefined,
): string | undefined {
  const steps = [
    ['the server', pins.acceptedVersion(tool), version],
    ['the tool', toolVersion({ ...before, name: tool.name, inputSchema: {} }), tool.version],
  ];
  const changed = steps.filter(([, from, to]) => from !== undefined && to !== undefined && from !== to);
  const parts = changed.map(([what, from, to]) => `${what} from ${from} to ${to}`);
  return parts.length === 0 ? undefined : `Updated: ${parts.join(', ')}.`;
}
