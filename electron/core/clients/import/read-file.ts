/** Reads a client's file and returns raw server entries. Every failure becomes a problem with its line. */
import { basename } from 'node:path';
import { type Failure, toFailure } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import { formatOfFile, type ParsedDocument } from '../../files/document.ts';
import { readBytes } from '../../files/text.ts';
import type { ClientDefinition } from '../client-definition.ts';
import { parseFile } from '../documents/parse-file.ts';
import type { ConfigLocation, Machine } from './paths.ts';
import type { RawServer } from './raw-servers.ts';
import { kindOf } from './readers.ts';

export interface FileRead {
  found: boolean;
  servers: (RawServer & { line?: number | undefined })[];
  problems: Failure[];
}

/** The servers, and what disables servers and tools. */
const sectionsOfLargeFiles = [
  ['mcpServers'],
  ['projects', '*', 'mcpServers'],
  ['projects', '*', 'disabledMcpServers'],
  ['servers'],
  ['discovery', 'servers'],
  ['mcp'],
  ['mcp.servers'],
  ['context_servers'],
  ['mcp_servers'],
  ['amp.mcpServers'],
  ['amp.tools.disable'],
  ['amp.permissions'],
  ['agent'],
  ['deniedMcpServers'],
  ['disabledMcpServers'],
  ['disabledMcpjsonServers'],
  ['excludeTools'],
  ['isEnabled'],
  ['permission'],
  ['permissions'],
  ['tools'],
  ['userConfig'],
];

/** The servers in the file at `location`. */
export async function readLocation(
  source: ClientDefinition,
  location: ConfigLocation,
  machine: Machine,
): Promise<FileRead> {
  const file = location.path;
  const document = await readDocument(source, location);
  if (!document) return { found: false, servers: [], problems: [] };
  const problems = [...document.problems];
  if (document.value === undefined || document.value === null) return { found: true, servers: [], problems };
  if (!isObject(document.value)) {
    problems.push(problem(file, `${file} should contain an object but contains ${kindOf(document.value)}.`, 1));
    return { found: true, servers: [], problems };
  }
  const companions = await Promise.all((location.companions?.(file) ?? []).map(readCompanion));
  problems.push(...companions.flatMap((companion) => companion.problems));
  const folder = location.scope === 'project' ? machine.cwd : undefined;
  const raw = (location.reader ?? source.reader)(document.value, {
    file,
    homeDir: machine.homeDir,
    platform: machine.platform,
    ...(folder === undefined ? {} : { folder }),
    companions: companions.map(({ value }) => value),
  });
  for (const { message, path } of raw.problems) {
    const line = document.lineOf(path);
    problems.push(problem(file, `${file}${line === undefined ? '' : `, line ${line}`}: ${message}.`, line));
  }
  if (raw.servers.length > maxServers) problems.push(tooMany(file, raw.servers.length));
  if (raw.servers.length === 0 && raw.problems.length === 0) {
    const other = otherSection(document.value, file);
    if (other) {
      const message = `${file} lists servers under "${other}", where ${source.app} does not read them.`;
      problems.push({
        ...problem(file, message, document.lineOf([other])),
        hint: 'Rename the section, then import again.',
      });
    }
  }
  return {
    found: true,
    servers: raw.servers.slice(0, maxServers).map((server) => ({ ...server, line: document.lineOf(server.path) })),
    problems,
  };
}

/** Undefined for a missing file. */
async function readDocument(
  source: ClientDefinition,
  { path: file, format = source.format, load }: ConfigLocation,
): Promise<ParsedDocument | undefined> {
  const failed = (failure: Failure): ParsedDocument => ({ ...nothing, problems: [failure] });
  try {
    if (load) {
      const value = await load(file);
      return value && { ...nothing, value };
    }
    const read = await readBytes(file);
    if (read.kind === 'missing') return undefined;
    if (read.kind === 'problem') return failed(read.failure);
    return await parseFile(read.bytes, format, file, sectionsOfLargeFiles);
  } catch (error) {
    return failed(toFailure(error, 'CLIENT_FILE_INVALID'));
  }
}

const nothing: ParsedDocument = { value: undefined, problems: [], lineOf: () => undefined };

/** More servers than any user has. Without a limit, planning, naming and starting them could keep Core busy for minutes. */
const maxServers = limits.file.servers;

const tooMany = (file: string, count: number) =>
  problem(file, `${file} lists ${count} servers; only the first ${maxServers} are read.`);

/** A section that only another client would read, probably by mistake. `.mcp.json` belongs to several clients. */
function otherSection(document: Record<string, unknown>, file: string): string | undefined {
  if (basename(file) === '.mcp.json') return undefined;
  return ['mcpServers', 'mcp_servers', 'context_servers', 'servers'].find((name) => {
    const section = document[name];
    return (
      isObject(section) &&
      Object.values(section).some((entry) => isObject(entry) && ('command' in entry || 'url' in entry))
    );
  });
}

function problem(file: string, message: string, line?: number): Failure {
  return { code: 'CLIENT_FILE_INVALID', message, file, ...(line === undefined ? {} : { line }) };
}

/** Reads a companion file. If that fails, the entries are still imported. */
async function readCompanion(file: string): Promise<{ value?: unknown; problems: Failure[] }> {
  const read = await readBytes(file);
  if (read.kind === 'missing') return { problems: [] };
  if (read.kind === 'problem') return { problems: [read.failure] };
  try {
    return await parseFile(read.bytes, formatOfFile(file), file, sectionsOfLargeFiles);
  } catch (error) {
    return { problems: [toFailure(error, 'CLIENT_FILE_INVALID')] };
  }
}
