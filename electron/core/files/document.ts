/** Leniently parses JSON, JSONC, YAML and TOML to plain values, and finds the line of each path for error messages. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  type Node as YamlNode,
} from 'yaml';
import type { Failure, FailureCode } from '../../../shared/failure.ts';
import { limits } from '../../../shared/limits.ts';

export type Format = 'json' | 'yaml' | 'toml';
export type Path = (string | number)[];

/** The format that a file's extension indicates; lenient JSON by default. */
export function formatOfFile(file: string): Format {
  if (/\.ya?ml$/i.test(file)) return 'yaml';
  return /\.toml$/i.test(file) ? 'toml' : 'json';
}

export interface ParsedDocument {
  /** Undefined if the text is empty or does not parse. */
  value: unknown;
  problems: Failure[];
  /** Returns the 1-based line of the key or item at `path`. */
  lineOf(path: Path): number | undefined;
}

export interface ParseOptions {
  /** The code of every problem; CLIENT_FILE_INVALID by default. */
  code?: FailureCode;
  /** Keeps YAML numbers such as `1.10`, which would lose characters, as strings. True by default. */
  keepNumberText?: boolean;
  /** Reads plain JSON with the native parser, which is many times faster but finds neither lines nor duplicate keys. */
  valueOnly?: boolean;
}

/** Above this length, a tree with positions would take gigabytes, so JSON.parse is used and lines are unknown. */
const maxTreeLength = 12 * 1024 * 1024;
/** One file may have thousands of duplicate keys. */
const maxDuplicates = 20;
/** Real files have fewer than twenty levels. Deeper values would overflow the stack of the code that reads them. */
const maxDepth = limits.file.depth;

/** Parses `text`. Never throws. Each problem names the file and line, and quotes only key names. */
export function parseText(text: string, format: Format, file: string, options: ParseOptions = {}): ParsedDocument {
  const parsed = parseFormat(text, format, file, options);
  const { code } = options;
  return code ? { ...parsed, problems: parsed.problems.map((problem) => ({ ...problem, code })) } : parsed;
}

function parseFormat(
  text: string,
  format: Format,
  file: string,
  { keepNumberText = true, valueOnly = false }: ParseOptions,
): ParsedDocument {
  if (text.trim() === '') return { value: undefined, problems: [], lineOf: () => undefined };
  const tooDeep = () => failed(file, `${file} cannot be used: it is nested too deeply (more than ${maxDepth} levels).`);
  try {
    const parsed =
      format === 'toml'
        ? parseTomlText(text, file)
        : format === 'yaml'
          ? parseYamlText(text, file, keepNumberText)
          : ((valueOnly ? parsePlainJson(text) : undefined) ??
            (text.length > maxTreeLength ? parseLargeJson(text, file) : parseJsonText(text, file)));
    return isTooDeep(parsed.value) ? tooDeep() : parsed;
  } catch (error) {
    // The parsers are recursive, so a million nested brackets overflow the stack.
    if (error instanceof RangeError) return tooDeep();
    return failed(file, `${file} cannot be used: it could not be parsed.`);
  }
}

/** Checks level by level, because deep values would overflow a recursive check. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const inner = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    // YAML aliases refer to the same object many times.
    level = [...new Set(inner)];
  }
  return false;
}

function failed(file: string, message: string, line?: number): ParsedDocument {
  return { value: undefined, problems: [invalid(file, message, line)], lineOf: () => undefined };
}

function invalid(file: string, message: string, line?: number): Failure {
  return {
    code: 'CLIENT_FILE_INVALID',
    message,
    hint: 'Fix the file in an editor; Toolkeep has not changed it.',
    file,
    line,
  };
}

// ── JSON ───────────────────────────────────────────────────────────────────

const jsonFaults: Record<string, string> = {
  InvalidSymbol: 'there is an unknown word (put strings in double quotes)',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a key is missing or not in double quotes',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing after a key',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'there is extra text after the end of the document',
  InvalidCommentToken: 'a comment is not allowed here',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed with a double quote',
  UnexpectedEndOfNumber: 'a number is incomplete',
  InvalidUnicode: 'a \\u escape is incomplete',
  InvalidEscapeCharacter: 'a backslash is followed by an invalid character (write \\\\ for one backslash)',
  InvalidCharacter: 'a string contains a control character',
};

function parseJsonText(text: string, file: string): ParsedDocument {
  const { tree, first } = treeOf(text);
  // The file contains only comments.
  if (!tree && !first) return { value: undefined, problems: [], lineOf: () => undefined };
  const starts = lineStarts(text);
  if (first || !tree) {
    const line = first ? lineAt(starts, first.offset) : 1;
    const fault = (first && jsonFaults[printParseErrorCode(first.error)]) ?? 'it is not JSON';
    return failed(file, `${file} is not valid JSON: on line ${line} ${fault}.`, line);
  }
  const problems: Failure[] = [];
  const value = jsonValue(tree, (node, key) => {
    if (problems.length === maxDuplicates) return;
    const line = lineAt(starts, node.offset);
    const message = `duplicate key "${key}" in ${file}; the one on line ${line} is used, as in most clients.`;
    problems.push({ ...invalid(file, message, line), hint: 'Remove one of the two.' });
  });
  return {
    value,
    problems,
    lineOf(path) {
      const node = jsonNodeAt(tree, path);
      return node && lineAt(starts, node.offset);
    },
  };
}

/** Ends at the first error, because text that is not JSON may have one at each character. */
function treeOf(text: string): { tree?: Node | undefined; first?: ParseError } {
  let first: ParseError | undefined;
  const errors = Object.assign<ParseError[], object>([], {
    push(error: ParseError) {
      first = error;
      throw error;
    },
  });
  try {
    return { tree: parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true }) };
  } catch (error) {
    if (first) return { first };
    throw error;
  }
}

/** Builds the value from the tree, to detect duplicate keys and to treat `__proto__` as an ordinary key. */
function jsonValue(node: Node, onDuplicate: (node: Node, key: string) => void): unknown {
  if (node.type === 'array') return (node.children ?? []).map((child) => jsonValue(child, onDuplicate));
  if (node.type !== 'object') return node.value;
  const result: Record<string, unknown> = Object.create(null);
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    if (!keyNode || !valueNode) continue;
    const key = String(keyNode.value);
    if (key in result) onDuplicate(keyNode, key);
    result[key] = jsonValue(valueNode, onDuplicate);
  }
  return result;
}

function jsonNodeAt(tree: Node, path: Path): Node | undefined {
  let node: Node | undefined = tree;
  let shown: Node | undefined = tree;
  for (const segment of path) {
    if (!node) return undefined;
    if (typeof segment === 'number') {
      node = node.children?.[segment];
      shown = node;
    } else {
      const property: Node | undefined = propertiesOf(node).get(segment);
      shown = property?.children?.[0];
      node = property?.children?.[1];
    }
  }
  return shown;
}

const properties = new WeakMap<Node, Map<unknown, Node>>();

/** The properties by key; the last of duplicates wins. Cached, because searching for thousands of keys takes quadratic time. */
function propertiesOf(node: Node): Map<unknown, Node> {
  const known = properties.get(node);
  if (known) return known;
  const byKey = new Map((node.children ?? []).map((child) => [child.children?.[0]?.value, child]));
  properties.set(node, byKey);
  return byKey;
}

function parseLargeJson(text: string, file: string): ParsedDocument {
  return (
    parsePlainJson(text) ?? failed(file, `${file} is not valid JSON (the line is unknown because the file is large).`)
  );
}

function parsePlainJson(text: string): ParsedDocument | undefined {
  try {
    return { value: JSON.parse(text), problems: [], lineOf: () => undefined };
  } catch {
    return undefined;
  }
}

// ── YAML ───────────────────────────────────────────────────────────────────

function parseYamlText(text: string, file: string, keepNumberText: boolean): ParsedDocument {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, uniqueKeys: false, prettyErrors: false, merge: true });
  const [first] = document.errors;
  if (first) {
    // At the end of the text, the parser reports the empty line after the last one.
    const { line } = lineCounter.linePos(Math.min(first.pos[0], text.trimEnd().length));
    const fault = first.code === 'MULTIPLE_DOCS' ? 'a second document begins' : yamlFault(first);
    return failed(file, `${file} is not valid YAML: on line ${line} ${fault}.`, line);
  }
  const problems: Failure[] = [];
  visit(document, {
    // Keep `1.10` as a string: it may be a version, and the number 1.1 would lose a character.
    Scalar(_, node) {
      if (
        keepNumberText &&
        typeof node.value === 'number' &&
        node.source !== undefined &&
        String(node.value) !== node.source
      ) {
        node.value = node.source;
      }
    },
    Map(_, node) {
      const seen = new Set<string>();
      for (const { key } of node.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        const line = key.range ? lineCounter.linePos(key.range[0]).line : undefined;
        if (seen.has(name) && name !== '<<' && problems.length < maxDuplicates) {
          const message = `duplicate key "${name}" in ${file}; the one on line ${line} is used.`;
          problems.push({ ...invalid(file, message, line), hint: 'Remove one of the two.' });
        }
        seen.add(name);
      }
    },
  });
  return {
    value: document.toJS({ maxAliasCount: 100 }),
    problems,
    lineOf(path) {
      const offset = yamlOffset(document.contents, path);
      return offset === undefined ? undefined : lineCounter.linePos(offset).line;
    },
  };
}

const pairs = new WeakMap<YAMLMap, Map<string, Pair>>();

/** Like `propertiesOf`, but for YAML. */
function pairsOf(map: YAMLMap): Map<string, Pair> {
  const known = pairs.get(map);
  if (known) return known;
  const byKey = new Map(map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])));
  pairs.set(map, byKey);
  return byKey;
}

function yamlFault({ code, message }: { code: string; message: string }): string {
  const [, closing] = /end with a ([\]}])$/.exec(message) ?? [];
  if (closing) return `a closing ${closing} is missing, or the lines before it are not indented`;
  if (code === 'TAB_AS_INDENT') return 'a tab is used for indentation (YAML requires spaces)';
  if (code === 'BAD_INDENT') return 'the indentation is inconsistent';
  if (code === 'MISSING_CHAR') return 'a closing quote, bracket or colon is missing';
  return 'the syntax is invalid';
}

function yamlOffset(root: unknown, path: Path): number | undefined {
  let node = root;
  let shown: unknown = root;
  for (const segment of path) {
    if (isMap(node)) {
      const pair = pairsOf(node).get(String(segment));
      shown = pair?.key;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      shown = node;
    } else return undefined;
  }
  return (shown as YamlNode | undefined)?.range?.[0];
}

// ── TOML ───────────────────────────────────────────────────────────────────

function parseTomlText(text: string, file: string): ParsedDocument {
  const headers = new Map<unknown, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const name = tomlHeaderNames(line)?.at(-1);
    if (name !== undefined && !headers.has(name)) headers.set(name, index + 1);
  }
  try {
    return {
      value: parseToml(text, { unsafeKeyBehaviour: 'drop' }),
      problems: [],
      // The parser reports no positions, so use the line of the table's header.
      lineOf: (path) => headers.get(path.at(-1)),
    };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return failed(file, `${file} is not valid TOML: on line ${error.line} the syntax is invalid.`, error.line);
  }
}

/** Returns the names in a line such as `[mcp_servers."my server"]`; precise enough to find lines, not to parse. */
function tomlHeaderNames(line: string): string[] | undefined {
  const trimmed = line.trim();
  if (!trimmed.startsWith('[')) return undefined;
  const inner = trimmed.slice(1, trimmed.indexOf(']') < 0 ? undefined : trimmed.indexOf(']'));
  return inner.split('.').map((name) => name.trim().replace(/^["']|["']$/g, ''));
}

// ── Lines ──────────────────────────────────────────────────────────────────

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return starts;
}

function lineAt(starts: number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
