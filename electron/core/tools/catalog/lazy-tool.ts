/**
 * A tool in the catalog. Its definition, which is large and rarely needed, is stored as JSON text, which takes a third
 * of the memory, and is parsed on demand.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../../shared/is-object.ts';
import type { Tool, ToolAnnotations, ToolDefinition, ToolHead } from '../../../../shared/model/tool.ts';
import { addressesIn } from '../apps.ts';
import { headOf } from '../truncate.ts';

/** The form on disk: the definition is JSON text inside the JSON. */
export type ToolRecord = Omit<Tool, 'definition' | 'head'> & { definition: string };

/**
 * Recently parsed definitions, newest last, so that repeated calls get the same object and everything cached for it.
 */
const read = new Map<LazyTool, ToolDefinition>();
const mostRead = 500;

export class LazyTool implements Tool {
  readonly key: string;
  readonly server: string;
  readonly name: string;
  readonly shownName: string;
  declare readonly version?: string;
  declare readonly tokens?: number;
  readonly annotations: ToolAnnotations;
  readonly category: Tool['category'];
  readonly complexity: Tool['complexity'];
  readonly requiresAuth: boolean;
  readonly isDeprecated: boolean;
  readonly fingerprint: string;
  readonly findings: string[];
  readonly metadata: Record<string, unknown>;
  readonly #text: string;
  #head: ToolHead | undefined;
  #appAddresses: readonly string[] | undefined;

  constructor(record: ToolRecord) {
    this.key = record.key;
    this.server = record.server;
    this.name = record.name;
    this.shownName = record.shownName;
    if (record.version !== undefined) this.version = record.version;
    if (record.tokens !== undefined) this.tokens = record.tokens;
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
    this.#head ??= headOf(definition);
    this.#appAddresses ??= addressesOf(definition);
    read.delete(this);
    read.set(this, definition);
    if (read.size > mostRead) for (const [oldest] of read) if (read.delete(oldest)) break;
    return definition;
  }

  get head(): ToolHead {
    return this.#head ?? headOf(this.definition);
  }

  /** The addresses of the tool's apps. */
  get appAddresses(): readonly string[] {
    return this.#appAddresses ?? addressesOf(this.definition);
  }

  record(): ToolRecord {
    return { ...this, definition: this.#text };
  }

  /** Whether the other tool is equal, regardless of key order. */
  equals(other: LazyTool): boolean {
    const isSame = this.#text === other.#text || isDeepStrictEqual(JSON.parse(this.#text), JSON.parse(other.#text));
    return isSame && isDeepStrictEqual({ ...this }, { ...other });
  }
}

export function toLazyTool(tool: Tool): LazyTool {
  return new LazyTool({ ...tool, definition: JSON.stringify(tool.definition) });
}

const noAddresses: readonly string[] = [];

function addressesOf({ _meta: meta }: ToolDefinition): readonly string[] {
  return isObject(meta) ? addressesIn(meta) : noAddresses;
}

const noFindings: string[] = [];
const noMetadata: Record<string, unknown> = {};

/** Shared annotation objects: thousands of tools have only a few dozen different annotations. */
const annotationsSeen = new Map<string, ToolAnnotations>();
const maxSeen = 5_000;

function shared(annotations: ToolAnnotations): ToolAnnotations {
  // Include the keys, because a plug-in may write them in any order and omit some.
  const id = JSON.stringify(annotations);
  const known = annotationsSeen.get(id);
  if (known) return known;
  // The limit prevents hostile strings from filling the memory.
  if (annotationsSeen.size >= maxSeen) annotationsSeen.clear();
  annotationsSeen.set(id, annotations);
  return annotations;
}
