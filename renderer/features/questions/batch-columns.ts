/** Groups the calls of a batch by tool, and tells arguments that are the same in all calls of a group from columns. */
import type { QuestionRow, ShownDestinations } from '../../../shared/model/question.ts';

export interface BatchGroup {
  server: string;
  tool: string;
  reasons: readonly string[];
  isDangerous: boolean;
  /** Arguments that every call of the group has with the same value; all of them if there is only one call. */
  constant: Record<string, unknown>;
  /** Names of the other arguments. */
  columns: string[];
  /** Where every call of the group goes; undefined if the calls differ, so that each row shows its own. */
  destinations: ShownDestinations | undefined;
  hasOwnDestinations: boolean;
  /** `index`: the position in the question. */
  calls: { index: number; row: QuestionRow }[];
}

/** Calls whose reasons or danger differ are in groups of their own, because a group shows these once. */
export function groupsOf(rows: readonly QuestionRow[]): BatchGroup[] {
  const calls = rows.map((row, index) => ({ index, row }));
  const keyOf = ({ row }: (typeof calls)[number]) =>
    JSON.stringify([row.server, row.tool, row.isDangerous, row.reasons]);
  return Array.from(Map.groupBy(calls, keyOf).values(), (calls) => groupOf(calls));
}

function groupOf(calls: BatchGroup['calls']): BatchGroup {
  const [first] = calls;
  if (!first) throw new Error('A group has at least one call.');
  const { server, tool, reasons, isDangerous } = first.row;
  const names = new Set(calls.flatMap(({ row }) => Object.keys(row.arguments)));
  const isConstant = (name: string) => calls.every(({ row }) => jsonOf(row, name) === jsonOf(first.row, name));
  const [same, different] = [[...names].filter(isConstant), [...names].filter((name) => !isConstant(name))];
  const constant = Object.fromEntries(same.map((name) => [name, first.row.arguments[name]]));
  const shown = JSON.stringify(first.row.destinations);
  const hasOwnDestinations = calls.some(({ row }) => JSON.stringify(row.destinations) !== shown);
  const destinations = hasOwnDestinations ? undefined : first.row.destinations;
  return {
    server,
    tool,
    reasons,
    isDangerous,
    constant,
    columns: different,
    destinations,
    hasOwnDestinations,
    calls,
  };
}

/** An argument that a call does not have differs from every value. */
const jsonOf = ({ arguments: args }: QuestionRow, name: string) =>
  Object.hasOwn(args, name) ? JSON.stringify(args[name]) : undefined;
