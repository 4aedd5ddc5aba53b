/** The user's choice of a server to install or to update, and the commands for it. */
import type { Field } from '../../../shared/model/question.ts';
import type { RegistryPlan } from '../../../shared/model/registry.ts';
import type { Link } from '../../stores/link.ts';

export interface Choice {
  registry: string;
  name: string;
  version?: string;
  option?: string;
  /** The server to update. */
  replace?: string;
  /** A bundle instead of an entry. */
  file?: string;
  inputs: Record<string, string>;
}

export function planOf(link: Link, { file, ...choice }: Choice): Promise<RegistryPlan> {
  if (file !== undefined) return link.call('bundle.plan', { file, inputs: choice.inputs });
  return link.call('registry.plan', { ...choice, check: true });
}
export function installOf(link: Link, { file, ...choice }: Choice, hash: string): Promise<{ server: string }> {
  if (file !== undefined) return link.call('bundle.install', { file, inputs: choice.inputs, hash });
  return link.call('registry.install', { ...choice, hash });
}

/** The input, converted to the type of its field. Core takes strings. */
export function currentValue(field: Field, { inputs }: Choice): unknown {
  const text = inputs[field.name];
  if (text === undefined) return field.default;
  return field.kind === 'boolean' ? text === 'true' : text;
}

export function withInput(choice: Choice, field: Field, value: unknown): Choice {
  return { ...choice, inputs: { ...choice.inputs, [field.name]: String(value ?? '') } };
}
