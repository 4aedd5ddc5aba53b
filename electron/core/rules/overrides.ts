/**
 * Overrides: the user's settings for single tools. Each names exactly one tool and takes precedence over every rule.
 */
import type { Override } from '../../../shared/model/rule.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import type { Decision } from './rules.ts';

/** The change to a tool's override: a value sets it, null removes it, undefined keeps it. */
export interface PolicyChange {
  enabled?: boolean | null;
  confirm?: Override['confirm'] | null;
  destinations?: Override['destinations'] | null;
}

/** Returns `overrides` with the change applied to `tools`. Removes an override that no longer sets anything. */
export function withPolicies(
  overrides: readonly Override[],
  tools: readonly { server: string; tool: string }[],
  change: PolicyChange,
): Override[] {
  const keyOf = ({ server, tool }: { server: string; tool: string }) => toolKey(server, tool);
  const byKey = new Map(overrides.map((override) => [keyOf(override), override]));
  for (const { server, tool } of tools) {
    const key = keyOf({ server, tool });
    const before = byKey.get(key);
    const enabled = change.enabled === undefined ? before?.enabled : (change.enabled ?? undefined);
    const confirm = change.confirm === undefined ? before?.confirm : (change.confirm ?? undefined);
    const destinations = change.destinations === undefined ? before?.destinations : (change.destinations ?? undefined);
    byKey.delete(key);
    if (enabled === undefined && confirm === undefined && destinations === undefined) continue;
    byKey.set(key, {
      server,
      tool,
      ...(enabled !== undefined && { enabled }),
      ...(confirm !== undefined && { confirm }),
      ...(destinations !== undefined && { destinations }),
    });
  }
  return [...byKey.values()];
}

export const withPolicy = (
  overrides: readonly Override[],
  tool: { server: string; tool: string },
  change: PolicyChange,
) => withPolicies(overrides, [tool], change);

export type OverriddenDecision = Omit<Decision, 'enabledBy'> & {
  enabledBy?: Decision['enabledBy'] | 'override';
  override?: Pick<Override, 'enabled' | 'confirm' | 'destinations'>;
};

/** Looks up overrides by server and tool, and applies them to the rules' decisions. */
export function compileOverrides(
  overrides: readonly Override[],
): (tool: { server: string; name: string }, decision: Decision) => OverriddenDecision {
  const byServer = new Map<string, Map<string, Override>>();
  for (const override of overrides) {
    const ofServer = byServer.get(override.server) ?? new Map<string, Override>();
    byServer.set(override.server, ofServer.set(override.tool, override));
  }
  return (tool, decision) => {
    const found = byServer.get(tool.server)?.get(tool.name);
    if (!found) return decision;
    const { enabled, confirm, destinations } = found;
    const result: OverriddenDecision = { ...decision, override: {} };
    if (confirm !== undefined) result.confirm = confirm;
    if (destinations !== undefined) result.destinations = destinations;
    if (enabled !== undefined) {
      result.enabled = enabled;
      result.enabledBy = 'override';
      delete result.decidedBy;
    }
    result.override = { enabled, confirm, destinations };
    return result;
  };
}
