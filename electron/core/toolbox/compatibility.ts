/** Whether a client can make use of a tool, by what both of them declare (row B13). */
import type { ClientFit, Mode, ToolDefinition } from '../../../shared/model.ts';

export interface Abilities {
  mode: Mode;
  /** As declared by the client. */
  capabilities: Record<string, unknown>;
}

export type Compatibility = Pick<ClientFit, 'level' | 'notes'>;

const uiExtension = 'io.modelcontextprotocol/ui';
/** The limit of the APIs of several models; longer texts are refused or cut by their clients. */
const maxDescription = 1024;
const combinators = ['anyOf', 'oneOf', 'allOf', 'not'];

export function compatibility(definition: ToolDefinition, { mode, capabilities }: Abilities): Compatibility {
  if (taskSupport(definition) === 'required')
    return { level: 'none', notes: ['It runs only as a task, and Gatehouse makes plain calls.'] };
  const notes: string[] = [];
  if (showsPage(definition) && !extensionsOf(capabilities).includes(uiExtension))
    notes.push('It shows a page of its own, which this client does not; the model gets the text alone.');
  // In lazy mode a definition is text that the model reads, and no client has to understand it.
  if (mode !== 'lazy') notes.push(...definitionNotes(definition));
  return { level: notes.length === 0 ? 'full' : 'limited', notes };
}

function definitionNotes({ description = '', inputSchema }: ToolDefinition): string[] {
  const notes: string[] = [];
  const found = combinators.find((combinator) => inputSchema[combinator] !== undefined);
  if (found)
    notes.push(
      `Its parameters have "${found}" at the top, which the APIs of several models refuse. Lazy mode takes it.`,
    );
  if (inputSchema.$ref !== undefined)
    notes.push('Its parameters are a reference, which the APIs of several models refuse. Lazy mode takes it.');
  if (description.length > maxDescription)
    notes.push(
      `Its description has ${description.length} characters; several clients refuse or cut more than ${maxDescription}. Lazy mode takes it.`,
    );
  return notes;
}

function taskSupport({ execution }: ToolDefinition): unknown {
  return isRecord(execution) ? execution.taskSupport : undefined;
}

function showsPage({ _meta: meta }: ToolDefinition): boolean {
  return isRecord(meta) && (isRecord(meta.ui) || typeof meta['ui/resourceUri'] === 'string');
}

function extensionsOf({ extensions }: Record<string, unknown>): string[] {
  return isRecord(extensions) ? Object.keys(extensions) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
