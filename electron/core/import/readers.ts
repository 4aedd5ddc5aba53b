/** Readers: from a parsed document to the raw server entries in it, one reader per shape of document. Pure. */
import { isObject } from '../../../shared/is-object.ts';
import type { Path } from './document.ts';

/** One server as it stands in the document, not yet understood. */
export interface RawServer {
  name: string;
  value: unknown;
  /** Where it stands, for the line in problems. */
  path: Path;
  /** The project folder it belongs to. */
  folder?: string;
  /** Switched off by something outside the entry. */
  disabled?: boolean;
  notes?: string[];
}

export interface RawServers {
  servers: RawServer[];
  /** Wrong forms, in plain words without the file name. */
  problems: { message: string; path: Path }[];
}

export interface ReadContext {
  file: string;
  homeDir: string;
  platform: NodeJS.Platform;
  /** The folder a project file belongs to. */
  folder?: string;
  /** The value of the second file, if the place names one and it could be read. */
  companion?: unknown;
}

export type Reader = (document: Record<string, unknown>, context: ReadContext) => RawServers;

export type JsonObject = Record<string, unknown>;

/** Entries of the map (or list of named entries) at `path`; an absent section holds none. */
export function entriesAt(document: JsonObject, path: string[], folder?: string): RawServers {
  let section: unknown = document;
  for (const segment of path) section = isObject(section) ? section[segment] : undefined;
  return entriesOf(section, path, folder);
}

function entriesOf(section: unknown, path: Path, folder?: string): RawServers {
  const where = folder === undefined ? {} : { folder };
  if (section === undefined || section === null) return { servers: [], problems: [] };
  if (isObject(section)) {
    const servers = Object.entries(section).map(([name, value]) => ({ name, value, path: [...path, name], ...where }));
    return { servers, problems: [] };
  }
  if (Array.isArray(section)) {
    const servers = section.map((value: unknown, index) => ({
      name: isObject(value) && typeof value.name === 'string' ? value.name : '',
      value,
      path: [...path, index],
      ...where,
    }));
    return { servers, problems: [] };
  }
  return {
    servers: [],
    problems: [{ message: `"${path.join('.')}" should hold servers but is ${kindOf(section)}`, path }],
  };
}

/** What a value is, in plain words. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'number' ? 'a number' : 'true or false';
}

export function joinRaw(...parts: RawServers[]): RawServers {
  return { servers: parts.flatMap((part) => part.servers), problems: parts.flatMap((part) => part.problems) };
}

/** A reader of one section. */
export function section(...path: string[]): Reader {
  return (document, { folder }) => entriesAt(document, path, folder);
}

/** `~/.claude.json`: the user's servers, and those of each project the user has opened. */
export const readClaudeCode: Reader = (document) => {
  const projects = isObject(document.projects) ? Object.entries(document.projects) : [];
  return joinRaw(
    entriesAt(document, ['mcpServers']),
    ...projects.map(([folder, project]) => {
      const found = isObject(project)
        ? entriesOf(project.mcpServers, ['projects', folder, 'mcpServers'], folder)
        : joinRaw();
      const disabled = isObject(project) && Array.isArray(project.disabledMcpServers) ? project.disabledMcpServers : [];
      for (const server of found.servers) {
        server.notes = [`Belongs to the project ${folder}.`];
        if (disabled.includes(server.name)) server.disabled = true;
      }
      return found;
    }),
  );
};

/** VS Code's settings.json of older versions: `mcp.servers`, nested or as one dotted key. */
export const readVsCodeSettings: Reader = (document) =>
  joinRaw(entriesAt(document, ['mcp', 'servers']), entriesAt(document, ['mcp.servers']));

/** Gemini CLI: servers may be shut out by `mcp.allowed` and `mcp.excluded` beside the section. */
export const readGemini: Reader = (document, { folder }) => {
  const found = entriesAt(document, ['mcpServers'], folder);
  const mcp = isObject(document.mcp) ? document.mcp : {};
  const { allowed, excluded } = mcp;
  for (const server of found.servers) {
    const shutOut = Array.isArray(excluded) && excluded.includes(server.name);
    const notLetIn = Array.isArray(allowed) && !allowed.includes(server.name);
    if (shutOut || notLetIn) server.disabled = true;
  }
  return found;
};

/** Our own or anybody's file: the servers stand under one of the usual names, or the document itself is the map. */
export const readAnyShape: Reader = (document, { folder }) => {
  const paths = [
    ['mcpServers'],
    ['servers'],
    ['mcp_servers'],
    ['discovery', 'servers'],
    ['mcp', 'servers'],
    ['context_servers'],
  ];
  const present = paths.filter((path) => {
    let value: unknown = document;
    for (const segment of path) value = isObject(value) ? value[segment] : undefined;
    return value !== undefined;
  });
  if (present.length > 0) return joinRaw(...present.map((path) => entriesAt(document, path, folder)));
  const values = Object.values(document);
  const looksLikeMap =
    values.length > 0 && values.every((value) => isObject(value) && ('command' in value || 'url' in value));
  if (looksLikeMap) return entriesOf(document, [], folder);
  return { servers: [], problems: [{ message: 'there is no section "servers" or "mcpServers" in it', path: [] }] };
};

/**
 * `registry.yaml` of the Docker MCP Toolkit lists the servers that are switched on. Their secrets are in Docker's own
 * store, so all of them are reached through Docker's gateway, as Docker's own clients do.
 */
export const readDockerRegistry: Reader = (document) => {
  const names = isObject(document.registry) ? Object.keys(document.registry) : [];
  if (names.length === 0) return joinRaw();
  return {
    servers: [
      {
        name: 'MCP_DOCKER',
        value: {
          command: 'docker',
          args: ['mcp', 'gateway', 'run'],
          description: `Docker MCP Toolkit: ${names.join(', ')}`,
        },
        path: ['registry'],
        notes: [`Brings the servers that are switched on in Docker: ${names.join(', ')}.`],
      },
    ],
    problems: [],
  };
};

/** Goose keeps servers among its extensions; its built-in ones are part of Goose itself. */
export const readGoose: Reader = (document) => {
  const found = entriesAt(document, ['extensions']);
  const builtIn = new Set(['builtin', 'platform']);
  return {
    ...found,
    servers: found.servers.filter(({ value }) => !(isObject(value) && builtIn.has(String(value.type)))),
  };
};
