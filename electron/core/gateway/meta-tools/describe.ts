/** The lists that meta-tools return: compact, stable and line-oriented, because a model pays for every token. */
import { firstSentence } from '../../../../shared/first-sentence.ts';
import type { ServerView } from '../../../../shared/model/server.ts';
import type { ToolView } from '../../../../shared/model/tool.ts';
import { isConnected } from '../../../../shared/server-facts.ts';

/** One line per server: name, number of tools if it is known, status, and description. */
export function describeServers(servers: ServerView[]): string {
  return servers.map(serverLine).join('\n');
}

function serverLine(server: ServerView): string {
  const state = isConnected(server) ? 'connected' : server.status;
  const failure = server.failure ? ` (${server.failure.code})` : '';
  const about = server.description ? ` — ${firstSentence(server.description, 100)}` : '';
  const tools = server.enabledCount === 1 ? '1 tool' : `${server.enabledCount} tools`;
  const isKnown = server.discoveredAt !== undefined;
  return `${server.id}${isKnown ? ` (${tools})` : ''}, ${state}${failure}${about}`;
}

/** The tags that rules give to a tool, in brackets; empty if there are none. */
export function tagsText(tags: readonly string[]): string {
  return tags.length > 0 ? ` [${tags.join(', ')}]` : '';
}

/**
 * One line per tool. With more tools, summaries become shorter; above 100 tools, they are omitted. Held tools are only
 * counted, because their names, too, are text that the user has not accepted.
 */
export function describeTools(tools: ToolView[], includeDisabled: boolean): string {
  const accepted = tools.filter(({ held }) => !held);
  const shown = includeDisabled ? accepted : accepted.filter((tool) => tool.enabled);
  const hidden = accepted.length - shown.length;
  const held = tools.length - accepted.length;
  const length = shown.length <= 30 ? 90 : shown.length <= 100 ? 50 : 0;
  const lines = shown.map((tool) => {
    const state = tool.enabled ? '' : ' (disabled)';
    const summary = firstSentence(tool.description, length);
    return `${tool.name}${state}${summary && `: ${summary}`}${tagsText(tool.tags)}`;
  });
  if (hidden > 0) lines.push(`${hidden} more disabled`);
  if (held > 0) lines.push(`${held} more held until the user accepts ${held === 1 ? 'it' : 'them'}`);
  return lines.length > 0 ? lines.join('\n') : 'This server has no tools.';
}
