/** Reads one file of one client: bytes, text, document, raw entries; every failure becomes a problem with its place. */
import { type Failure, toFailure } from '../../../shared/failure.ts';
import { type ParsedDocument, parseText } from './document.ts';
import type { Machine, Place } from './places.ts';
import { isObject, kindOf, type RawServer } from './readers.ts';
import type { ClientSource } from './sources.ts';
import { decodeText, readBytes } from './text.ts';

export interface FileRead {
  found: boolean;
  servers: (RawServer & { line?: number | undefined })[];
  problems: Failure[];
}

/** The servers in the file at `place`, as its client writes them. */
export async function readPlace(source: ClientSource, place: Place, machine: Machine): Promise<FileRead> {
  const file = place.path;
  const format = place.format ?? source.format;
  const read = await readBytes(file);
  if (read.kind === 'missing') return { found: false, servers: [], problems: [] };
  if (read.kind === 'problem') return { found: true, servers: [], problems: [read.failure] };
  let document: ParsedDocument;
  try {
    document = parseText(decodeText(read.bytes, file).text, format, file);
  } catch (error) {
    return { found: true, servers: [], problems: [toFailure(error, 'CLIENT_FILE_INVALID')] };
  }
  const problems = [...document.problems];
  if (document.value === undefined || document.value === null) return { found: true, servers: [], problems };
  if (!isObject(document.value)) {
    problems.push(problem(file, `${file} should hold an object but holds ${kindOf(document.value)}.`, 1));
    return { found: true, servers: [], problems };
  }
  const companion = place.companion ? await readCompanion(place.companion(file)) : undefined;
  const folder = place.scope === 'project' ? machine.cwd : undefined;
  const raw = (place.reader ?? source.reader)(document.value, {
    file,
    homeDir: machine.homeDir,
    platform: machine.platform,
    ...(folder === undefined ? {} : { folder }),
    companion,
  });
  for (const { message, path } of raw.problems) {
    const line = document.lineOf(path);
    problems.push(problem(file, `${file}${line === undefined ? '' : `, line ${line}`}: ${message}.`, line));
  }
  return {
    found: true,
    servers: raw.servers.map((server) => ({ ...server, line: document.lineOf(server.path) })),
    problems,
  };
}

function problem(file: string, message: string, line?: number): Failure {
  return { code: 'CLIENT_FILE_INVALID', message, file, ...(line === undefined ? {} : { line }) };
}

/** A companion file helps; without it the entry still comes over. */
async function readCompanion(file: string): Promise<unknown> {
  const read = await readBytes(file);
  if (read.kind !== 'bytes') return undefined;
  try {
    return parseText(decodeText(read.bytes).text, 'json', file).value;
  } catch {
    return undefined;
  }
}
