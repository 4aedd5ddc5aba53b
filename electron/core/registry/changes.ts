/** Compares an update with the installed version. Reads no files. */
import { isDeepStrictEqual } from 'node:util';
import type { Field } from '../../../shared/model/question.ts';
import type { PlanChange, RegistryPlan, RegistryWants } from '../../../shared/model/registry.ts';
import type { Connection, ServerConfig } from '../../../shared/model/server.ts';
import { shownStored } from './template.ts';

/** The new version in the form that UIs show. */
type Next = Pick<RegistryPlan, 'command' | 'values'> & { wants: RegistryWants };

/** If the wants of the installed version were not recorded, every want of the new version counts as new. */
export function changesOf(old: Pick<ServerConfig, 'connection' | 'registry'>, next: Next): PlanChange[] {
  const before = shownConnection(old.connection);
  const wanted = old.registry?.wants ?? { inputs: [], hosts: [] };
  const inputsOf = ({ inputs }: RegistryWants, what: PlanChange['what']) =>
    inputs.filter(({ kind }) => inputKind(kind) === what).map(({ name }) => name);
  const inputs = (['secret', 'path', 'input'] as const).flatMap((what) =>
    difference(what, inputsOf(wanted, what), inputsOf(next.wants, what)),
  );
  const command: PlanChange[] = isDeepStrictEqual(before.command, next.command)
    ? []
    : [{ what: 'command', before: before.command.join(' '), after: next.command.join(' ') }];
  return [
    ...command,
    ...variableChanges(before.values, next.values),
    ...inputs,
    ...difference('host', hostsOf(wanted), hostsOf(next.wants)),
    ...difference('script', listOf(wanted.script), listOf(next.wants.script)),
  ];
}

const inputKind = (kind: Field['kind']) => (kind === 'secret' ? 'secret' : kind === 'file' ? 'path' : 'input');
const hostsOf = ({ hosts, declaredHosts = [] }: RegistryWants) => [...hosts, ...declaredHosts];
const listOf = (value: string | undefined) => (value === undefined ? [] : [value]);

function difference(what: PlanChange['what'], before: readonly string[], after: readonly string[]): PlanChange[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...[...now.difference(old)].map((name) => ({ what, after: name })),
    ...[...old.difference(now)].map((name) => ({ what, before: name })),
  ];
}

function variableChanges(before: ReadonlyMap<string, string>, values: RegistryPlan['values']): PlanChange[] {
  const after = new Map(values.map(({ name, value }) => [name, value]));
  const text = (name: string, from: ReadonlyMap<string, string>) => {
    const value = from.get(name);
    return value === undefined ? undefined : `${name}=${value}`;
  };
  return [...new Set([...after.keys(), ...before.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => {
      const [old, now] = [text(name, before), text(name, after)];
      return { what: 'variable', ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) };
    });
}

/** A stored connection in the form of a plan. */
function shownConnection(connection: Connection): { command: string[]; values: Map<string, string> } {
  const isRemote = connection.type !== 'stdio';
  const words = isRemote ? [connection.url] : [connection.command, ...connection.args];
  const values = Object.entries(isRemote ? connection.headers : connection.env);
  // For bundles, Toolkeep sets this variable itself when its own Node.js runs them.
  const own = values.filter(([name]) => words[0] !== '${toolkeep:node}' || name !== 'ELECTRON_RUN_AS_NODE');
  return {
    command: words.map(shownStored),
    values: new Map(own.map(([name, value]) => [name, shownStored(value)])),
  };
}
