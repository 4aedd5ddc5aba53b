/** Reads a config file of any format into plain data and finds the line of each part. */
import { extname } from 'node:path';
import { fail, ToolkeepError, toFailure } from '../../../shared/failure.ts';
import { limits } from '../../../shared/limits.ts';
import { type Format, type Path, parseText } from '../files/document.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { decodeText } from '../files/text.ts';
import { importModule } from '../plugins/import-module.ts';

export interface WrittenDocument {
  data: unknown;
  /** Returns the 1-based line of `path`, or of its nearest parent; undefined for code. */
  line(path: PropertyKey[]): number | undefined;
}

const formats: Record<string, Format> = { '.json': 'json', '.jsonc': 'json', '.yaml': 'yaml', '.yml': 'yaml' };

const mb = 1024 * 1024;
/** Far larger than any real config file. Reading stops here, because a larger file would block the event loop. */
const maxBytes = limits.file.configBytes;

/** True for TypeScript and JavaScript files, which are executed when read. */
export function isCode(file: string): boolean {
  return formats[extname(file)] === undefined;
}

/**
 * Reads a config file; undefined if it does not exist. Throws CONFIG_INVALID if the file cannot be read or parsed, or
 * if its code fails.
 */
export async function readDocument(file: string): Promise<WrittenDocument | undefined> {
  const bytes = await readConfigFile(file);
  if (!bytes) return undefined;
  return isCode(file) ? runModule(file) : parseDocument(file, bytes);
}

/** Returns the bytes of a regular file with at most `limit` bytes; undefined if it does not exist. Throws CONFIG_INVALID. */
export async function readConfigFile(file: string, limit = maxBytes): Promise<Buffer | undefined> {
  try {
    const read = await readRegularFile(file, limit);
    if (Buffer.isBuffer(read)) return read;
    if (!read.isFile()) throw fail('CONFIG_INVALID', `${file} is not a regular file.`, { file });
    throw fail('CONFIG_INVALID', `${file} is larger than ${limit < mb ? `${limit / 1024} KB` : `${limit / mb} MB`}.`, {
      file,
    });
  } catch (error) {
    if (error instanceof ToolkeepError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw fail('CONFIG_INVALID', `${file} cannot be read: ${message}`, { file });
  }
}

/**
 * Parses the content of a JSON or YAML file. JSON may contain comments and trailing commas. Throws CONFIG_INVALID. An
 * empty file is invalid, because an editor may be about to write it, and the user's rules must not disappear meanwhile.
 */
export function parseDocument(file: string, bytes: Buffer): WrittenDocument {
  const code = 'CONFIG_INVALID';
  const format = formats[extname(file)] ?? 'json';
  const text = decoded(file, bytes);
  if (text.trim() === '')
    throw fail(code, `${file} is empty. To use the defaults, write {} or delete the file.`, { file });
  const { value, problems, lineOf } = parseText(text, format, file, { code, keepNumberText: false });
  const [problem] = problems;
  if (problem) throw new ToolkeepError(problem);
  return {
    data: value,
    line(path) {
      for (let length = path.length; length >= 0; length -= 1) {
        const line = lineOf(path.slice(0, length) as Path);
        if (line !== undefined) return line;
      }
      return undefined;
    },
  };
}

function decoded(file: string, bytes: Buffer): string {
  try {
    return decodeText(bytes, file).text;
  } catch (error) {
    throw new ToolkeepError({ ...toFailure(error), code: 'CONFIG_INVALID' });
  }
}

/** Runs a TypeScript or JavaScript config and returns its default export. Throws CONFIG_INVALID. */
export async function runModule(file: string): Promise<WrittenDocument> {
  try {
    const loaded = await importModule(file);
    const exported = loaded.default ?? loaded;
    const data = typeof exported === 'function' ? await exported() : await exported;
    return { data, line: () => undefined };
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    throw fail('CONFIG_INVALID', `${file} could not be run: ${message.split('\n')[0]}`, {
      file,
      line: lineOfError(error, file),
      hint: 'Export the configuration as default: `export default { toolRules: [] }`.',
    });
  }
}

/** A syntax error has its line in the message; a thrown error has it in the stack. */
function lineOfError(error: unknown, file: string): number | undefined {
  const { message = '', stack = '' } = error as Partial<Error>;
  const places = `${message}\n${stack}`.split('\n').filter((text) => text.includes(file));
  const [, line] = /:(\d+)(?::\d+)?\)?\s*$/.exec(places[0] ?? '') ?? /\((\d+):\d+\)/.exec(message) ?? [];
  return line ? Number(line) : undefined;
}
