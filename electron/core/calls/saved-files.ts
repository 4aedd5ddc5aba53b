/**
 * Saves binary parts of a result to files, and links to them. A model cannot read base64, which would fill its context.
 * Only the user can read the files, which are kept until Toolkeep exits. Data that cannot be saved stays in the result.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { textFrom } from '../../../shared/text-from.ts';
import { cacheFolderOf, createRunFolder, removeRunFolder } from '../files/run-folder.ts';
import type { Machine } from '../host.ts';
import type { JsonObject } from '../types.ts';

export type SavedFiles = ReturnType<typeof createSavedFiles>;

export interface SavedFile {
  link: JsonObject;
  /** Tells the model what was saved. */
  note: string;
}

const maxFiles = 200;
/** The limit for all files together. */
const maxBytes = 256 * 1024 * 1024;

/** The first base64 characters of common formats. */
const signatures: [start: string, mimeType: string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'application/octet-stream'],
  ['JVBERi0', 'application/pdf'],
  ['UEsDB', 'application/zip'],
];
const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
};

/** Matches a run only from its beginning, which keeps matching linear. */
const runs = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{2000,}={0,2}/g;
const dataUrl = /data:([\w.+-]{1,60}\/[\w.+-]{1,80})(?:;[\w=.-]{1,60}){0,4};base64,$/;
/** Longer text is not searched, because that would block the process for too long. */
const maxSearched = 16 * 1024 * 1024;

export function createSavedFiles(machine: Machine) {
  let folder: Promise<string> | undefined;
  /** Oldest first. */
  const files: { path: string; size: number }[] = [];
  let saved = 0;
  let size = 0;

  /** Writes the data to a file and returns a link to it; undefined if the data cannot be saved. */
  async function save(base64: string, mimeType: string): Promise<JsonObject | undefined> {
    const bytes = Buffer.from(base64, 'base64');
    saved += 1;
    const name = `${saved}.${extensions[mimeType] ?? 'bin'}`;
    const path = await written(name, bytes).catch(() => undefined);
    if (path === undefined) return undefined;
    files.push({ path, size: bytes.length });
    size += bytes.length;
    while (files.length > 1 && (files.length > maxFiles || size > maxBytes)) await removeOldest();
    return { type: 'resource_link', uri: pathToFileURL(path).href, name, mimeType, size: bytes.length };
  }

  async function written(name: string, bytes: Buffer): Promise<string> {
    folder ??= createRunFolder(cacheFolderOf(machine), 'results');
    const path = await folder.catch((error: unknown) => {
      folder = undefined;
      throw error;
    });
    // The user may have removed it.
    await mkdir(path, { recursive: true, mode: 0o700 });
    return write(join(path, name), bytes);
  }

  async function removeOldest(): Promise<void> {
    const oldest = files.shift();
    if (!oldest) return;
    size -= oldest.size;
    await rm(oldest.path, { force: true }).catch(() => undefined);
  }

  /** Text that mentions each file, followed by the links. */
  async function fromText(block: JsonObject, text: string): Promise<JsonObject[]> {
    const links: JsonObject[] = [];
    let rest = '';
    let at = 0;
    for (const { 0: base64, index } of text.matchAll(runs)) {
      const [prefix = '', declared] = dataUrl.exec(text.slice(Math.max(at, index - 300), index)) ?? [];
      if (declared === undefined && !looksBinary(base64)) continue;
      const link = await save(base64, declared ?? mimeTypeOf(base64));
      if (!link) continue;
      links.push(link);
      rest += `${text.slice(at, index - prefix.length)}[${note(link)}]`;
      at = index + base64.length;
    }
    return links.length === 0 ? [block] : [{ ...block, text: rest + text.slice(at) }, ...links];
  }

  async function replaced(block: JsonObject, maxCharacters: number): Promise<JsonObject[]> {
    const { type, text, data, mimeType } = block;
    if (type === 'text' && typeof text === 'string' && text.length > maxCharacters && text.length <= maxSearched)
      return fromText(block, text);
    if (type === 'audio' && typeof data === 'string' && data.length > maxCharacters)
      return linked(await save(data, textFrom(mimeType))) ?? [block];
    const { blob, mimeType: inner = 'application/octet-stream' } = (block.resource ?? {}) as JsonObject;
    if (type === 'resource' && typeof blob === 'string' && blob.length > maxCharacters)
      return linked(await save(blob, textFrom(inner))) ?? [block];
    return [block];
  }

  return {
    /** Saves base64 to a file. Resolves with undefined if that fails. */
    async save(base64: string, mimeType: string): Promise<SavedFile | undefined> {
      const link = await save(base64, mimeType);
      return link && { link, note: note(link) };
    },
    /** Replaces binary data of more than `maxCharacters` with links. Returns the same list if nothing was replaced. */
    async withoutBinary(blocks: JsonObject[], maxCharacters: number): Promise<JsonObject[]> {
      const parts: JsonObject[][] = [];
      for (const block of blocks) parts.push(await replaced(block, maxCharacters));
      const result = parts.flat();
      return result.every((block, at) => block === blocks[at]) ? blocks : result;
    },
    async close(): Promise<void> {
      await folder?.then(removeRunFolder).catch(() => undefined);
    },
  };
}

/** Writes a new file. Never overwrites a file and never follows a link. */
async function write(path: string, bytes: Buffer): Promise<string> {
  try {
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
  return path;
}

const linked = (link: JsonObject | undefined): JsonObject[] | undefined =>
  link && [{ type: 'text', text: note(link) }, link];

function note({ size, mimeType, uri }: JsonObject): string {
  return `Saved ${Math.ceil(Number(size) / 1024)} KB of ${mimeType} to ${uri}`;
}

const mimeTypeOf = (base64: string) =>
  signatures.find(([start]) => base64.startsWith(start))?.[1] ?? 'application/octet-stream';

/** Base64 of binary data mixes upper case, lower case and digits; text and hexadecimal digits do not. */
function looksBinary(base64: string): boolean {
  const sample = base64.slice(0, 500);
  return /[a-z]/.test(sample) && /[A-Z]/.test(sample) && /\d/.test(sample);
}
