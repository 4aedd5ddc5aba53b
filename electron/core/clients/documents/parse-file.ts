/** Parses a client's file without holding Core: a large file is refused, or only its sections with servers are parsed. */
import { fail } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import { type Format, type ParsedDocument, parseText } from '../../files/document.ts';
import { decodeText, withoutMark } from '../../files/text.ts';
import { cutSections } from './large-json.ts';

const kb = 1024;
/** Parsing so many bytes takes about 30 ms. */
const { parsedJsonBytes, parsedYamlBytes } = limits.file;
const maxBytes: Record<Format, number> = { json: parsedJsonBytes, toml: parsedJsonBytes, yaml: parsedYamlBytes };

/**
 * Parses the content of `file`. If it is large JSON, such as a `~/.claude.json` with a chat history, parses only the
 * values at `sections`, without their lines. Throws CLIENT_FILE_INVALID for any other large file, and for text that is
 * neither UTF-8 nor UTF-16.
 */
export async function parseFile(
  bytes: Buffer,
  format: Format,
  file: string,
  sections: string[][],
): Promise<ParsedDocument> {
  const limit = maxBytes[format];
  if (bytes.length <= limit) return parseText(decodeText(bytes, file).text, format, file);
  const value = format === 'json' ? await cutSections(withoutMark(bytes), sections, file) : undefined;
  if (value) return { value, problems: [], lineOf: () => undefined };
  const size = `${file} has ${Math.ceil(bytes.length / kb)} KB`;
  throw format === 'json'
    ? fail(
        'CLIENT_FILE_INVALID',
        `${size} and is not plain JSON. Above ${limit / kb} KB, it must be JSON in UTF-8 without comments.`,
        { file, hint: 'Fix the file in an editor; Toolkeep has not changed it.' },
      )
    : fail('CLIENT_FILE_INVALID', `${size}. Toolkeep reads up to ${limit / kb} KB of ${format.toUpperCase()}.`, {
        file,
        hint: 'Make the file smaller.',
      });
}
