/** Tolerant parsing of JSON, JSONC, YAML and TOML to plain values, with the line of every path for plain-word problems. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Node as YamlNode } from 'yaml';
import type { Failure } from '../../../shared/failure.ts';

export type Format = 'json' | 'yaml' | 'toml';
export type Path = (string | number)[];

export interface ParsedDocument {
  /** Undefined when the text does not parse or holds nothing. */
  value: unknown;
  problems: Failure[];
  /** 1-based line on which the key or item at `path` stands. */
  lineOf(path: Path): number | undefined;
}

/** Above this a tree with positions would take gigabytes; the built-in parser is used and lines are not known. */
const maxTreeLength = 12 * 1024 * 1024;

/** Parses `text`. Never throws: what is wrong is in `problems`, in plain words, with the line, and quotes nothing. */
export function parseText(text: string, format: Format, file: string): ParsedDocument {
  if (text.trim() === '') return { value: undefined, problems: [], lineOf: () => undefined };
  try {
    if (format === 'toml') return parseTomlText(text, file);
    if (format === 'yaml') return parseYamlText(text, file);
    return text.length > maxTreeLength ? parseLargeJson(text, file) : parseJsonText(text, file);
  } catch (error) {
    // A RangeError from a million nested brackets, for example.
    const reason = error instanceof RangeError ? 'it is nested too deeply' : 'it could not be parsed';
    return failed(file, `${file} was skipped: ${reason}.`);
  }
}

function failed(file: string, message: string, line?: number): ParsedDocument {
  return { value: undefined, problems: [invalid(file, message, line)], lineOf: () => undefined };
}

function invalid(file: string, message: string, line?: number): Failure {
  return {
    code: 'CLIENT_FILE_INVALID',
    message,
    hint: 'Mend the file in an editor; Gatehouse has not touched it.',
    file,
    ...(line === undefined ? {} : { line }),
  };
}

// ── JSON ───────────────────────────────────────────────────────────────────

const jsonFaults: Record<string, string> = {
  InvalidSymbol: 'there is a word that JSON does not know (text must stand in double quotes)',
  InvalidNumberFormat: 'a number is not written correctly',
  PropertyNameExpected: 'the name of a setting is missing or not in double quotes',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing after a name',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'there is something after the end of the document',
  InvalidCommentToken: 'a comment is not allowed here',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a text is not closed with a double quote',
  UnexpectedEndOfNumber: 'a number is not complete',
  InvalidUnicode: 'a \\u escape is not complete',
  InvalidEscapeCharacter: 'a backslash is followed by a character that has no meaning (write \\\\ for one backslash)',
  InvalidCharacter: 'there is a control character inside a text',
};

function parseJsonText(text: string, file: string): ParsedDocument {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  // Nothing but comments.
  if (!tree && errors.length === 0) return { value: undefined, problems: [], lineOf: () => undefined };
  const starts = lineStarts(text);
  const [first] = errors;
  if (first || !tree) {
    const line = first ? lineAt(starts, first.offset) : 1;
    const fault = (first && jsonFaults[printParseErrorCode(first.error)]) ?? 'it is not JSON';
    return failed(file, `${file} is not valid JSON: on line ${line} ${fault}.`, line);
  }
  const problems: Failure[] = [];
  const value = jsonValue(tree, (node, key) => {
    const line = lineAt(starts, node.offset);
    const message = `"${key}" stands twice in ${file}; the one on line ${line} is used, as most apps do.`;
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

/** Our own walk, so that a duplicate key is seen and `__proto__` is an ordinary key. */
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
      const property: Node | undefined = node.children?.findLast((child) => child.children?.[0]?.value === segment);
      shown = property?.children?.[0];
      node = property?.children?.[1];
    }
  }
  return shown;
}

function parseLargeJson(text: string, file: string): ParsedDocument {
  try {
    return { value: JSON.parse(text), problems: [], lineOf: () => undefined };
  } catch {
    return failed(file, `${file} is not valid JSON (it is large, so the place was not looked for).`);
  }
}

// ── YAML ───────────────────────────────────────────────────────────────────

function parseYamlText(text: string, file: string): ParsedDocument {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, uniqueKeys: false, prettyErrors: false, merge: true });
  const [first] = document.errors;
  if (first) {
    const { line } = lineCounter.linePos(first.pos[0]);
    const fault = first.code === 'MULTIPLE_DOCS' ? 'a second document begins' : yamlFault(first.code);
    return failed(file, `${file} is not valid YAML: on line ${line} ${fault}.`, line);
  }
  const problems: Failure[] = [];
  visit(document, {
    // `1.10` is a version, not the number 1.1: what would lose characters stays as it is written.
    Scalar(_, node) {
      if (typeof node.value === 'number' && node.source !== undefined && String(node.value) !== node.source) {
        node.value = node.source;
      }
    },
    Map(_, node) {
      const seen = new Set<string>();
      for (const { key } of node.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        const line = key.range ? lineCounter.linePos(key.range[0]).line : undefined;
        if (seen.has(name) && name !== '<<') {
          const message = `"${name}" stands twice in ${file}; the one on line ${line} is used.`;
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

function yamlFault(code: string): string {
  if (code === 'TAB_AS_INDENT') return 'a tab is used to indent (YAML wants spaces)';
  if (code === 'BAD_INDENT') return 'the indentation does not fit';
  if (code === 'MISSING_CHAR') return 'a closing quote, bracket or colon is missing';
  return 'the text does not follow the rules of YAML';
}

function yamlOffset(root: unknown, path: Path): number | undefined {
  let node = root;
  let shown: unknown = root;
  for (const segment of path) {
    if (isMap(node)) {
      const pair = node.items.findLast((item) => isScalar(item.key) && String(item.key.value) === String(segment));
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
  const lines = text.split('\n');
  try {
    return {
      value: parseToml(text, { unsafeKeyBehaviour: 'drop' }),
      problems: [],
      // The parser keeps no positions; the header of the table is what a person looks for.
      lineOf(path) {
        const last = path.at(-1);
        const index = lines.findIndex((line) => tomlHeaderNames(line)?.at(-1) === last);
        return index < 0 ? undefined : index + 1;
      },
    };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return failed(
      file,
      `${file} is not valid TOML: the text on line ${error.line} does not follow its rules.`,
      error.line,
    );
  }
}

/** The names in a line such as `[mcp_servers."my server"]`; enough for finding lines, not for parsing. */
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
