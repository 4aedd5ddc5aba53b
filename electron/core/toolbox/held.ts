/** A change that waits for the person: what differs, and which versions changed with it (row E9). */
import type { Tool, ToolView } from '../../../shared/model.ts';
import { changeToAccept, toolVersion } from '../discovery/discovery.ts';
import type { Trust } from '../trust/trust.ts';

/** Undefined for a tool that nothing holds back. `version` is what its server says now. */
export function heldChange(trust: Trust, tool: Tool, version: string | undefined): ToolView['held'] {
  const before = trust.heldBefore(tool);
  if (!before) return undefined;
  const steps = [
    ['the server', trust.acceptedVersion(tool), version],
    ['the tool', toolVersion({ ...before, name: tool.name, inputSchema: {} }), tool.version],
  ];
  const changed = steps.filter(([, from, to]) => from !== undefined && to !== undefined && from !== to);
  const words = changed.map(([what, from, to]) => `${what} from ${from} to ${to}`).join(', ');
  return { ...changeToAccept(before, tool.definition), ...(words !== '' && { updated: `Updated: ${words}.` }) };
}
