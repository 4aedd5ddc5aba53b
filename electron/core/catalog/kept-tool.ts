/**
 * A tool as the catalog holds it. Its definition is by far the largest part of it and seldom looked at: it is kept as text,
 * a third of the room, and read when somebody wants it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Tool, ToolAnnotations, ToolDefinition } from '../../../shared/model.ts';

/** What is written to disk: everything as it is, the definition as text in the text. */
export type ToolRecord = Omit<Tool, 'definition'> & { definition: string };

/** Definitions read of late, the last one last: who calls a tool again finds the same object, and what hangs on it. */
const read = new Map<KeptTool, ToolDefinition>();
const mostRead = 500;

export class KeptTool implements Tool {
  readonly key: string;
  readonly server: string;
  readonly name: string;
  readonly shownName: string;
  declare readonly version?: string;
  readonly annotations: ToolAnnotations;
  readonly category: Tool['category'];
  readonly complexity: Tool['complexity'];
  readonly requiresAuth: boolean;
  readonly isDeprecated: boolean;
  readonly fingerprint: string;
  readonly findings: string[];
  readonly metadata: Record<string, unknown>;
  readonly #text: string;

  constructor(record: ToolRecord) {
    this.key = record.key;
    this.server = record.server;
    this.name = record.name;
    this.shownName = record.shownName;
    if (record.version !== undefined) this.version = record.version;
    this.annotations = shared(record.annotations);
    this.category = record.category;
    this.complexity = record.complexity;
    this.requiresAuth = record.requiresAuth;
    this.isDeprecated = record.isDeprecated;
    this.fingerprint = record.fingerprint;
    this.findings = record.findings.length > 0 ? record.findings : noFindings;
    this.metadata = Object.keys(record.metadata).length > 0 ? record.metadata : noMetadata;
    this.#text = record.definition;
  }

  get definition(): ToolDefinition {
    const definition = read.get(this) ?? (JSON.parse(this.#text) as ToolDefinition);
    read.delete(this);
    read.set(this, definition);
    if (read.size > mostRead) for (const [oldest] of read) if (read.delete(oldest)) break;
    return definition;
  }

  record(): ToolRecord {
    return { ...this, definition: this.#text };
  }

  /** Whether the other one says the same, in whatever order. */
  equals(other: KeptTool): boolean {
    const isSame = this.#text === other.#text || isDeepStrictEqual(JSON.parse(this.#text), JSON.parse(other.#text));
    return isSame && isDeepStrictEqual({ ...this }, { ...other });
  }
}

export function keep(tool: Tool): KeptTool {
  return new KeptTool({ ...tool, definition: JSON.stringify(tool.definition) });
}

const noFindings: string[] = [];
const noMetadata: Record<string, unknown> = {};

/** Thousands of tools are judged for a few dozen reasons. */
const judgements = new Map<string, ToolAnnotations>();
const mostJudgements = 5_000;

function shared(annotations: ToolAnnotations): ToolAnnotations {
  // With the keys: a plug-in may write them in any order, and leave some out.
  const id = JSON.stringify(annotations);
  const known = judgements.get(id);
  if (known) return known;
  // A bound on what is remembered, so that hostile texts cannot fill the memory.
  if (judgements.size >= mostJudgements) judgements.clear();
  judgements.set(id, annotations);
  return annotations;
}
