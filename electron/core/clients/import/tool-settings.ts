/** Reads from clients' settings which tools of their servers are disabled. Pure. */
import { isObject } from '../../../../shared/is-object.ts';
import type { JsonObject, RawServers } from './raw-servers.ts';
import { denied, filtersOf, strings, type ToolDecision } from './tool-filters.ts';

const inside = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Adds the filters of `decisions`. The client puts one of `prefixes` before the names of a server's tools. */
function filtered(found: RawServers, decisions: ToolDecision[], prefixes: (server: string) => string[]): RawServers {
  if (decisions.length === 0) return found;
  const servers = found.servers.map((server) => {
    const filters = filtersOf(decisions, prefixes(server.name));
    return { ...server, filters: [...(server.filters ?? []), ...filters] };
  });
  return { ...found, servers };
}

/** The name of a server in the names of its tools, for clients that accept only these characters. */
const plain = (server: string) => server.replace(/[^\w-]/g, '_');
const mcpPrefix = (server: string) => `mcp__${plain(server)}__`;

/** Tools of other kinds are written like `Bash(rm *)`. */
const withoutArguments = (names: unknown) => strings(names).filter((name) => !name.includes('('));

/** `mcp__SERVER`, `mcp__SERVER__*` and `mcp__SERVER__TOOL` in `permissions.deny`; servers may be disabled, too. */
export function withClaudeSettings(found: RawServers, settings: unknown[]): RawServers {
  const files = settings.map(inside);
  const names = files.flatMap(({ permissions }) => withoutArguments(inside(permissions).deny));
  const mcp = names.filter((name) => /^(?:mcp__|\*)/.test(name));
  const servers = files.flatMap(({ disabledMcpjsonServers, deniedMcpServers }) => [
    ...strings(disabledMcpjsonServers),
    ...(Array.isArray(deniedMcpServers) ? deniedMcpServers.map((entry) => inside(entry).serverName) : []),
  ]);
  const off = new Set(servers);
  for (const server of found.servers) if (off.has(server.name)) server.disabled = true;
  const whole = new Set(found.servers.map(({ name }) => `mcp__${plain(name)}`));
  return filtered(found, denied(mcp.map((name) => (whole.has(name) ? `${name}__*` : name))), (server) => [
    mcpPrefix(server),
  ]);
}

/** `Mcp(SERVER:TOOL)` in `permissions.deny` of Cursor's CLI */
export function withCursorPermissions(found: RawServers, settings: unknown[]): RawServers {
  const names = settings.flatMap((file) => strings(inside(inside(file).permissions).deny));
  const tools = names.flatMap((name) => /^Mcp\(([^)]+)\)$/.exec(name)?.[1] ?? []);
  return filtered(found, denied(tools), (server) => [`${server}:`]);
}

/** `tools` and `permission` have names like `SERVER_TOOL`; the last one that matches a tool decides. */
export function withOpencodeSettings(found: RawServers, { tools, permission }: JsonObject): RawServers {
  const lastFirst = (section: unknown, isDenied: (value: unknown) => boolean) =>
    Object.entries(inside(section))
      .map(([name, value]) => ({ name, isDenied: isDenied(value) }))
      .reverse();
  const permissions = typeof permission === 'string' ? { '*': permission } : permission;
  const prefixes = (server: string) => [`${plain(server)}_`];
  const byTools = filtered(
    found,
    lastFirst(tools, (value) => value === false),
    prefixes,
  );
  return filtered(
    byTools,
    lastFirst(permissions, (value) => value === 'deny'),
    prefixes,
  );
}

/** Gemini CLI and Qwen Code. A name without a server applies to the tools of every server. */
export function withGeminiSettings(found: RawServers, { tools, excludeTools, permissions }: JsonObject): RawServers {
  const names = [inside(tools).exclude, excludeTools, inside(permissions).deny].flatMap(withoutArguments);
  const qualified = names.filter((name) => name.includes('__') || name.startsWith('mcp_'));
  const bare = names.filter((name) => !qualified.includes(name));
  return filtered(
    filtered(found, denied(bare), () => ['']),
    denied(qualified),
    (server) => [`${server}__`, `mcp_${plain(server)}_`, mcpPrefix(server)],
  );
}

/** `user.never_allow` in permission.yaml has names like `EXTENSION__TOOL`. */
export function withGoosePermissions(found: RawServers, permissions: unknown): RawServers {
  const names = denied(inside(inside(permissions).user).never_allow);
  return filtered(found, names, (server) => [`${plain(server.replace(/\s/g, '')).toLowerCase()}__`]);
}

/** Amp: `amp.tools.disable`, and `amp.permissions`, of which the first that matches decides. */
export function withAmpSettings(found: RawServers, document: JsonObject): RawServers {
  const listed = Array.isArray(document['amp.permissions']) ? document['amp.permissions'].map(inside) : [];
  const permissions = listed.flatMap(({ tool, action, matches }): ToolDecision[] =>
    typeof tool === 'string' && matches === undefined ? [{ name: tool, isDenied: action === 'reject' }] : [],
  );
  const prefixes = (server: string) => ['', mcpPrefix(server)];
  return filtered(filtered(found, denied(document['amp.tools.disable']), prefixes), permissions, prefixes);
}

export function withContinuePermissions(found: RawServers, permissions: unknown): RawServers {
  return filtered(found, denied(withoutArguments(inside(permissions).exclude)), () => ['']);
}

/** Zed: `agent.tool_permissions` has names like `mcp:SERVER:TOOL`; a profile lists the tools of each server. */
export function withZedSettings(found: RawServers, document: JsonObject): RawServers {
  const agent = inside(document.agent);
  const { tools, default: standard } = inside(agent.tool_permissions);
  const permissions = [
    ...Object.entries(inside(tools)).map(([name, value]) => ({ name, isDenied: inside(value).default === 'deny' })),
    ...(standard === 'deny' ? denied(['*']) : []),
  ];
  const selected = typeof agent.default_profile === 'string' ? agent.default_profile : 'write';
  const profile = inside(inside(agent.profiles)[selected]);
  const ofProfile = Object.entries(inside(profile.context_servers)).flatMap(([server, value]) =>
    Object.entries(inside(inside(value).tools)).map(
      ([tool, isEnabled]): ToolDecision => ({
        name: `mcp:${server}:${tool}`,
        isDenied: isEnabled === false,
      }),
    ),
  );
  const others = profile.enable_all_context_servers === false ? denied(['*']) : [];
  const prefixes = (server: string) => [`mcp:${server}:`];
  return filtered(filtered(found, permissions, prefixes), [...ofProfile, ...others], prefixes);
}
