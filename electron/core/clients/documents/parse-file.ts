/** Parses a client's file without holding Core: a large file is refused, or a thread parses it. */
import { fail } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import { type Format, type ParsedDocument, parseText } from '../../files/document.ts';
import { decodeText } from '../../files/text.ts';
import { createParseCost } from '../../jsonrpc/parse-cost.ts';
import { cutSections } from './large-json.ts';

const kb = 1024;
/** Parsing so many bytes takes about 30 ms. */
const maxBytes: Record<Format, number> = {
  json: limits.file.parsedJsonBytes,
  toml: limits.file.parsedTomlBytes,
  yaml: limits.file.parsedYamlBytes,
};

/** In nanoseconds. Finding lines takes several times as long as only parsing. */
const maxCost = 8_000_000;

function isCostly(bytes: Buffer): boolean {
  const cost = createParseCost(maxCost);
  cost.add(bytes);
  return cost.isTooHigh();
}

/**
 * Parses the content of `file`. If it is large JSON, such as a `~/.claude.json` with a chat history, the value has only what is
 * at `sections`, and lines are unknown. Throws CLIENT_FILE_INVALID for any other large file, and for text that is
 * neither UTF-8 nor UTF-16.
 */
export async function parseFile(
  bytes: Buffer,
  format: Format,
  file: string,
  sections: string[][],
): Promise<ParsedDocument> {
  const limit = maxBytes[format];
  if (bytes.length <= limit && !(format === 'json' && isCostly(bytes)))
    return parseText(decodeText(bytes, file).text, format, file);
  const value = format === 'json' ? await cutSections(bytes, sections, file) : undefined;
  if (value) return { value, problems: [], lineOf: () => undefined };
  const size = `${file} has ${Math.ceil(bytes.length / kb)} KB`;
  throw format === 'json'
    ? fail(
        'CLIENT_FILE_INVALID',
        `${size} and is not plain JSON. A file of more than ${limit / kb} KB, or with many keys, must be JSON in UTF-8 without comments.`,
        { file, hint: 'Fix the file in an editor; Toolkeep has not changed it.' },
      )
    : fail('CLIENT_FILE_INVALID', `${size}. Toolkeep reads up to ${limit / kb} KB of ${format.toUpperCase()}.`, {
        file,
        hint: 'Make the file smaller.',
      });
}
