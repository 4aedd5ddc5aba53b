/** The four meta-tools that Toolkeep answers itself: servers, search, lists and details. */
import type { Client, JsonObject } from '../../types.ts';
import { shortened } from '../instructions.ts';
import type { GatewayServices } from '../services.ts';
import { describeServers, describeTools } from './describe.ts';
import { describeTool } from './details.ts';
import { optionalCount, optionalString, requiredString, toolRef } from './parameters.ts';
import { packHits } from './search-results.ts';

const lookups = ['list_mcp_servers', 'search_tools', 'list_tools', 'get_tool_details'] as const;
export type Lookup = (typeof lookups)[number];

export function isLookup(name: string): name is Lookup {
  return (lookups as readonly string[]).includes(name);
}

/** Number of search results, more than fit the budget of an answer. */
const defaultLimit = 30;
const maxLimit = 100;
const maxInstructions = 2_000;

/** Returns the text for the agent. Throws a ToolkeepError for a wrong name or parameter. */
export async function lookUp(
  services: Pick<GatewayServices, 'servers' | 'tools' | 'offerServers'>,
  client: Client,
  name: Lookup,
  args: JsonObject,
): Promise<string> {
  const { servers, tools } = services;
  const { scope } = client;
  switch (name) {
    case 'list_mcp_servers': {
      const absence = servers.absence(scope);
      if (absence !== undefined) return absence;
      const connecting = (await servers.connecting(scope, scope.server, 'servers')) ?? [];
      const waiting = connecting.length > 0 ? [stillConnecting(connecting)] : [];
      return [...servers.standstill(), describeServers(servers.views(scope)), ...waiting].join('\n');
    }
    case 'search_tools': {
      const absence = servers.absence(scope);
      if (absence !== undefined) return absence;
      const standstill = servers.standstill();
      if (standstill.length > 0) return standstill.join('\n');
      const connecting = (await servers.connecting(scope, optionalString(args.server))) ?? [];
      const missing = servers.failures(scope, optionalString(args.server));
      if (connecting.length > 0) missing.push(stillConnecting(connecting));
      return search(services, client, args, missing);
    }
    case 'list_tools': {
      const server = requiredString(args, 'server');
      const connecting = (await servers.connecting(scope, server)) ?? [];
      const known = tools.ofServer(scope, server);
      if (connecting.length > 0 && known.length === 0) return stillConnecting(connecting);
      const failures = [...servers.standstill(), ...servers.failures(scope, server)];
      const lines =
        known.length > 0 || failures.length === 0 ? [describeTools(known, args.includeDisabled === true)] : [];
      lines.push(...failures);
      if (connecting.length > 0) lines.push(declaredOnly);
      for (const { text } of servers.instructions(scope, server))
        lines.push(`The server's instructions: ${shortened(text, maxInstructions)}`);
      return lines.join('\n');
    }
    case 'get_tool_details': {
      const { server, tool } = toolRef(args);
      const connecting = (await servers.connecting(scope, server)) ?? [];
      if (connecting.length > 0) return stillConnecting(connecting);
      const details = describeTool(tools.find(scope, server, tool), args.full === true);
      return [details, ...servers.standstill(), ...servers.failures(scope, server)].join('\n');
    }
  }
}

const declaredOnly = 'Still connecting; these are the tools that the configuration declares.';

/** Tells the agent which servers the answer does not include yet. */
function stillConnecting(servers: string[]): string {
  const named = servers.slice(0, 5).join(', ');
  const more = servers.length > 5 ? ` and ${servers.length - 5} more` : '';
  return `Still connecting, not included yet: ${named}${more}. Try again in a moment.`;
}

/** Answers `search_tools`. `missing` has sentences about servers whose tools could not be searched. */
async function search(
  { tools, offerServers }: Pick<GatewayServices, 'tools' | 'offerServers'>,
  client: Client,
  args: JsonObject,
  missing: string[],
): Promise<string> {
  const query = requiredString(args, 'query');
  const server = optionalString(args.server);
  const limit = optionalCount(args.limit, maxLimit);
  const hits = await tools.search(client, query, { server, limit: limit ?? defaultLimit });
  const unavailable = tools.unavailableMatch(client, query, { server, above: hits[0]?.relevance ?? 0 });
  const isNothing = hits.length === 0 && unavailable === undefined;
  const offer = isNothing && (server ?? client.scope.server) === undefined && (await offerServers(client.name, query));
  const wrong =
    limit === undefined && args.limit != null ? `"limit" was ignored: it must be from 1 to ${maxLimit}.` : undefined;
  const notes = [unavailable, ...missing, offer, wrong].filter((note) => typeof note === 'string');
  const found = packHits(hits, limit === undefined ? { reserved: notes.join('\n') } : { describe: limit });
  return [found, ...notes].join('\n');
}
