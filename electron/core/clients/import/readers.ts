/** Readers extract raw server entries from a parsed document, one reader per document structure. Pure. */
import { isObject } from '../../../../shared/is-object.ts';
import type { Path } from '../../files/document.ts';
import { readDockerFile } from './docker.ts';
import type { JsonObject, RawServers, Reader } from './raw-servers.ts';
import {
  withAmpSettings,
  withClaudeSettings,
  withContinuePermissions,
  withCursorPermissions,
  withGeminiSettings,
  withGoosePermissions,
  withOpencodeSettings,
  withZedSettings,
} from './tool-settings.ts';

/** The entries of the map (or list of named entries) at `path`; none if the section is missing. */
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
    problems: [{ message: `"${path.join('.')}" should contain servers but is ${kindOf(section)}`, path }],
  };
}

/** The type of a value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'number' ? 'a number' : 'true or false';
}

export function joinRaw(...parts: RawServers[]): RawServers {
  return { servers: parts.flatMap((part) => part.servers), problems: parts.flatMap((part) => part.problems) };
}

/** Creates a reader of the section at `path`. */
export function section(...path: string[]): Reader {
  return (document, { folder }) => entriesAt(document, path, folder);
}

/** `~/.claude.json`: the user's servers, and those of each opened project. */
export const readClaudeCode: Reader = (document, { companions }) => {
  const projects = isObject(document.projects) ? Object.entries(document.projects) : [];
  const found = joinRaw(
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
  return withClaudeSettings(found, companions);
};

/** Claude Code's other files. */
export const readClaudeServers: Reader = (document, { folder, companions }) =>
  withClaudeSettings(entriesAt(document, ['mcpServers'], folder), companions);

/** The settings.json of older VS Code versions: `mcp.servers`, nested or as one dotted key. */
export const readVsCodeSettings: Reader = (document) =>
  joinRaw(entriesAt(document, ['mcp', 'servers']), entriesAt(document, ['mcp.servers']));

/** Gemini CLI: `mcp.allowed` and `mcp.excluded` enable and disable servers. */
export const readGemini: Reader = (document, { folder }) => {
  const found = entriesAt(document, ['mcpServers'], folder);
  const mcp = isObject(document.mcp) ? document.mcp : {};
  const { allowed, excluded } = mcp;
  for (const server of found.servers) {
    const isExcluded = Array.isArray(excluded) && excluded.includes(server.name);
    const isNotAllowed = Array.isArray(allowed) && !allowed.includes(server.name);
    if (isExcluded || isNotAllowed) server.disabled = true;
  }
  return withGeminiSettings(found, document);
};

/** Any file: the servers are in a section with a common name, or the document itself is the map. */
export const readAnyShape: Reader = (document, context) => {
  const { folder } = context;
  const docker = readDockerFile(document, context);
  if (docker) return docker;
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
  return { servers: [], problems: [{ message: 'it has no section "servers" or "mcpServers"', path: [] }] };
};

/** opencode reads `mcp.NAME` and `mcp.servers.NAME`; `mcp.timeout` is a setting. */
export const readOpencode: Reader = (document, { folder }) => {
  const direct = entriesAt(document, ['mcp'], folder);
  const mcp = isObject(document.mcp) ? document.mcp : {};
  const hasServersSection = isObject(mcp.servers) && !('command' in mcp.servers) && !('url' in mcp.servers);
  const isSetting = (name: string) =>
    (name === 'servers' && hasServersSection) || (name === 'timeout' && !isObject(mcp.timeout));
  direct.servers = direct.servers.filter(({ name }) => !isSetting(name));
  const nested = hasServersSection ? entriesAt(document, ['mcp', 'servers'], folder) : joinRaw();
  return withOpencodeSettings(joinRaw(direct, nested), document);
};

/** Copilot CLI lists disabled servers in its settings.json. An empty list of `tools` disables all. */
export const readCopilot: Reader = (document, { folder, companions: [settings] }) => {
  const found = entriesAt(document, ['mcpServers'], folder);
  const disabled = isObject(settings) ? settings.disabledMcpServers : undefined;
  for (const server of found.servers) {
    if (Array.isArray(disabled) && disabled.includes(server.name)) server.disabled = true;
    const tools = isObject(server.value) ? server.value.tools : undefined;
    if (Array.isArray(tools) && tools.length === 0) server.filters = [{ names: ['*'], except: [] }];
  }
  return found;
};

/** Goose lists servers among its extensions; the built-in ones are part of Goose. */
export const readGoose: Reader = (document, { companions: [permissions] }) => {
  const found = entriesAt(document, ['extensions']);
  const builtIn = new Set(['builtin', 'platform']);
  const servers = found.servers.filter(
    ({ value }) => !(isObject(value) && typeof value.type === 'string' && builtIn.has(value.type)),
  );
  return withGoosePermissions({ ...found, servers }, permissions);
};

/** Cursor: the settings of its CLI deny tools. */
export const readCursor: Reader = (document, { folder, companions }) =>
  withCursorPermissions(entriesAt(document, ['mcpServers'], folder), companions);

/** Zed: permissions and the profile that is selected at first. */
export const readZed: Reader = (document, { folder }) =>
  withZedSettings(entriesAt(document, ['context_servers'], folder), document);

export const readAmp: Reader = (document, { folder }) =>
  withAmpSettings(entriesAt(document, ['amp.mcpServers'], folder), document);

/** Continue: a second file lists the excluded tools. */
export const readContinue: Reader = (document, { folder, companions: [permissions] }) =>
  withContinuePermissions(entriesAt(document, ['mcpServers'], folder), permissions);
