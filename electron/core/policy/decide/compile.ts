/** Compiles rows from rules, overrides, pins, the catalog and the settings. */
import type { Profile } from '../../../../shared/model/profile.ts';
import type { Tool } from '../../../../shared/model/tool.ts';
import type { Grant } from '../../settings.ts';
import { appUseOf } from '../../tools/apps.ts';
import type { Pins } from '../../tools/pins.ts';
import type { RuleOrder } from '../../tools/rule-order.ts';
import { type Known, nameOf } from '../known-destinations.ts';
import type { PolicyRow, ServerRow, State, ToolRow, ToolRows } from '../rows.ts';

export type Decides = Pick<RuleOrder, 'decide' | 'byClient'>;

export interface Sources {
  isPaused: boolean;
  servers: Iterable<ServerRow>;
  tools: ToolRows;
  rules: Pick<Decides, 'byClient'>;
  profiles: Iterable<Profile>;
  grants: readonly Grant[];
  known: readonly Known[];
  approvals: PolicyRow;
}

export function compileState({ isPaused, servers, tools, rules, profiles, grants, known, approvals }: Sources): State {
  const { ask, mode, destinations, reads } = approvals;
  return {
    isPaused,
    policy: { ask, mode, destinations, reads },
    servers: new Map(Array.from(servers, (row) => [row.name, row])),
    tools,
    clients: rules.byClient,
    profiles: new Map(Array.from(profiles, (profile) => [profile.name, profile])),
    grants,
    known: Map.groupBy(known, nameOf),
  };
}

/** The tools that a catalog has. */
export interface KnownTo {
  tool(server: string, name: string): Tool | undefined;
  toolsOf(server: string): Iterable<Tool>;
}

/** The rows of the tools, each compiled at its first use. Another set of rows is needed after rules or pins have changed. */
export function compileTools(
  catalog: KnownTo,
  rules: Pick<Decides, 'decide'>,
  pins: Pick<Pins, 'heldReason'>,
): ToolRows {
  const rows = new WeakMap<Tool, ToolRow>();
  function row(tool: Tool): ToolRow {
    const made = toolRow(tool, rules, pins);
    rows.set(tool, made);
    return made;
  }
  return {
    get(server, name) {
      const tool = catalog.tool(server, name);
      return tool && (rows.get(tool) ?? row(tool));
    },
    ofServer: (server) => Array.from(catalog.toolsOf(server), (tool) => rows.get(tool) ?? row(tool)),
  };
}

function toolRow(tool: Tool, rules: Pick<Decides, 'decide'>, pins: Pick<Pins, 'heldReason'>): ToolRow {
  const { enabled, override, confirm, destinations, tags } = rules.decide(tool);
  const held = pins.heldReason(tool);
  const app = appUseOf(tool);
  const { server, name, fingerprint, category, annotations } = tool;
  return {
    ...{ server, name, fingerprint, category, annotations, tags, confirm },
    ...(!enabled && { disabledBy: override?.enabled === false ? 'override' : 'rule' }),
    ...(held && { held }),
    ...(destinations && { destinations }),
    ...(app && { app }),
  };
}
