/** Describes why a tool is held for the user: what changed since it was accepted, or what looks suspicious. */
import type { Tool, ToolView } from '../../../shared/model/tool.ts';
import { toolVersion } from './discovery/version.ts';
import { changeToAccept } from './fingerprint.ts';
import type { HeldReason, Pins } from './pins.ts';

/** The changes for the user of a tool that is held for this reason. `version` is the server's current version. */
export function heldState(
  pins: Pins,
  tool: Tool,
  version: string | undefined,
  reason: HeldReason,
): NonNullable<ToolView['held']> {
  const before = pins.heldBefore(tool);
  if (reason === 'changed' && before) {
    const updated = updateSentence(pins, tool, before, version);
    return { reason, ...changeToAccept(before, tool.definition), ...(updated && { updated }) };
  }
  const changes = reason === 'new' ? ['The server added this tool after you accepted the server.'] : [];
  return { reason, before: {}, after: {}, changes: [...changes, ...tool.findings] };
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
