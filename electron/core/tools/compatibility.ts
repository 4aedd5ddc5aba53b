/** Determines whether a client can use a tool, from the declarations of both. */
import { isObject } from '../../../shared/is-object.ts';
import type { Mode } from '../../../shared/model/call.ts';
import type { ClientFit, ToolDefinition } from '../../../shared/model/tool.ts';
import { appUse, showsApps } from './apps.ts';

export interface Abilities {
  mode: Mode;
  /** As declared by the client. */
  capabilities: Record<string, unknown>;
}

export type Compatibility = Pick<ClientFit, 'level' | 'notes'>;

/** The limit of several model APIs. Their clients reject or truncate longer descriptions. */
const maxDescription = 1024;
const combinators = ['anyOf', 'oneOf', 'allOf', 'not'];

export function compatibility(definition: ToolDefinition, { mode, capabilities }: Abilities): Compatibility {
  const notes: string[] = [];
  if (appUse(definition) && !showsApps(capabilities))
    notes.push('It shows a UI, which this client does not support; the model gets only the text.');
  // In lazy mode, only the model reads the definition.
  if (mode !== 'lazy') notes.push(...definitionNotes(definition));
  return { level: notes.length === 0 ? 'full' : 'limited', notes };
}

function definitionNotes({ description = '', inputSchema }: ToolDefinition): string[] {
  const notes: string[] = [];
  const found = combinators.find((combinator) => inputSchema[combinator] !== undefined);
  if (found) notes.push(`Its parameters have "${found}" at the top, which several model APIs reject. Lazy mode works.`);
  if (inputSchema.$ref !== undefined)
    notes.push('Its parameters are a reference, which several model APIs reject. Lazy mode works.');
  if (description.length > maxDescription)
    notes.push(
      `Its description has ${description.length} characters; several clients reject or truncate more than ${maxDescription}. Lazy mode works.`,
    );
  return notes;
}

/** The definition without task support, because clients would not call a tool that requires tasks. */
export function withoutTaskSupport(definition: ToolDefinition): ToolDefinition {
  if (!isObject(definition.execution) || definition.execution.taskSupport === undefined) return definition;
  const { execution, ...rest } = definition;
  const { taskSupport: _, ...others } = execution as Record<string, unknown>;
  return Object.keys(others).length > 0 ? { ...rest, execution: others } : rest;
}
