/** Reads one config file of any format into plain data, and remembers on which line each part of it stands. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { fail } from '../../../shared/failure.ts';
import { importModule } from '../extension/extension.ts';

export interface WrittenDocument {
  data: unknown;
  /** 1-based line of the nearest part on the way to `path`; undefined where the format does not tell. */
  line(path: PropertyKey[]): number | undefined;
}

/** Throws CONFIG_INVALID when the file cannot be read or parsed; a missing file gives undefined. */
export async function readDocument(file: string): Promise<WrittenDocument | undefined> {
  let text: string;
  try {
    text = decode(await readFile(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw fail('CONFIG_INVALID', `${file} cannot be read: ${message}`, { file });
  }
  switch (extname(file)) {
    case '.json':
    case '.jsonc':
      return readJson(file, text);
    case '.yaml':
    case '.yml':
      return readYaml(file, text);
    default:
      return readModule(file);
  }
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Comments and trailing commas are welcome in `.json` as well: people write them, and nothing is lost. */
function readJson(file: string, text: string): WrittenDocument {
  const errors: ParseError[] = [];
  const parse = () => (text.trim() === '' ? undefined : parseTree(text, errors, { allowTrailingComma: true }));
  try {
    // Where each part stands is only asked for when something is wrong with it.
    const data = JSON.parse(text);
    return { data, line: (path) => lineOfPath(parse(), text, path) };
  } catch {}
  const root = parse();
  const [first] = errors;
  if (first) {
    const line = lineAt(text, first.offset);
    const what = printParseErrorCode(first.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    throw fail('CONFIG_INVALID', `${file} is not valid JSON: ${what} at line ${line}.`, { file, line });
  }
  return { data: root && getNodeValue(root), line: (path) => lineOfPath(root, text, path) };
}

function lineOfPath(root: Node | undefined, text: string, path: PropertyKey[]): number | undefined {
  for (let length = path.length; root && length >= 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length) as (string | number)[]);
    if (node) return lineAt(text, (node.parent?.type === 'property' ? node.parent : node).offset);
  }
  return undefined;
}

function readYaml(file: string, text: string): WrittenDocument {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [first] = document.errors;
  if (first) {
    const line = lineCounter.linePos(first.pos[0]).line;
    throw fail('CONFIG_INVALID', `${file} is not valid YAML: ${first.message} at line ${line}.`, { file, line });
  }
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw fail('CONFIG_INVALID', `${file} is not usable YAML: ${(error as Error).message}`, { file });
  }
  return {
    data,
    line(path) {
      for (let length = path.length; length >= 0; length -= 1) {
        const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line;
      }
      return undefined;
    },
  };
}

/** Runs a TypeScript or JavaScript config. */
async function readModule(file: string): Promise<WrittenDocument> {
  try {
    const loaded = await importModule(file);
    const exported = loaded.default ?? loaded;
    const data = typeof exported === 'function' ? await exported() : await exported;
    return { data, line: () => undefined };
  } catch (error) {
    const line = lineOf(error, file);
    const { message } = error instanceof Error ? error : new Error(String(error));
    throw fail('CONFIG_INVALID', `${file} could not be run: ${message.split('\n')[0]}`, {
      file,
      ...(line ? { line } : {}),
      hint: 'Export the configuration as default: `export default { toolRules: [] }`.',
    });
  }
}

/** A syntax error tells its place in the message, a thrown one in the stack. */
function lineOf(error: unknown, file: string): number | undefined {
  const { message = '', stack = '' } = error as Partial<Error>;
  const places = `${message}\n${stack}`.split('\n').filter((text) => text.includes(file));
  const [, line] = /:(\d+)(?::\d+)?\)?\s*$/.exec(places[0] ?? '') ?? /\((\d+):\d+\)/.exec(message) ?? [];
  return line ? Number(line) : undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
