/** The lists that meta-tools return: compact, stable and line-oriented, because a model pays for every token. */
import { firstSentence } from '../../../../shared/first-sentence.ts';
import type { ServerView } from '../../../../shared/model/server.ts';
import type { ToolView } from '../../../../shared/model/tool.ts';
import { estimateTokens } from '../../history/estimate-tokens.ts';
import type { RankedTool } from '../services.ts';
import { signature } from './signature.ts';

/** One line per server: name, number of tools, status, and description. */
export function describeServers(servers: ServerView[]): string {
  if (servers.length === 0) return 'No servers. The user can import or add servers in Gatehouse.';
  return servers.map(serverLine).join('\n');
}

function serverLine(server: ServerView): string {
  const state = `${server.status}${server.failure ? ` ${server.failure.code}` : ''}`;
  const about = server.description ? `: ${firstSentence(server.description, 100)}` : '';
  const tools = server.enabledCount === 1 ? '1 tool' : `${server.enabledCount} tools`;
  return `${server.id} (${tools}), ${state}${about}`;
}

/** Estimated tokens of a search answer. The estimate is off by up to a tenth, and the answer must stay below 200. */
const searchBudget = 180;
const describedHits = 3;
/** Tokens kept for the names of further hits while hits are described. */
const tokensPerName = 9;
const namesKept = 7;

/**
 * Search results within a budget: the first with relevance, signature and summary, then as many names as fit. With `describe`,
 * that many are described without a budget, because the agent asked for them. `reserved` is text that follows the answer.
 */
export function packHits(hits: RankedTool[], options: { describe?: number; reserved?: string } = {}): string {
  if (hits.length === 0) return 'No tool found. Try other words for what it should do, or list_mcp_servers.';
  const describe = options.describe ?? describedHits;
  const lines: string[] = [];
  const rest: string[] = [];
  let left =
    options.describe === undefined ? searchBudget - estimateTokens(options.reserved ?? '') : Number.POSITIVE_INFINITY;
  for (const [at, hit] of hits.entries()) {
    const name = `${hit.server}/${hit.tool}`;
    if (at < describe) {
      const line = hitLine(name, hit);
      const cost = estimateTokens(line);
      if (lines.length === 0 || cost + tokensPerName * Math.min(hits.length - at, namesKept) <= left) {
        lines.push(line);
        left -= cost;
        continue;
      }
    }
    const cost = estimateTokens(name) + 1;
    if (cost > left) break;
    left -= cost;
    rest.push(name);
  }
  if (rest.length > 0) lines.push(`Also: ${rest.join(', ')}`);
  return lines.join('\n');
}

function hitLine(name: string, hit: RankedTool): string {
  const summary = firstSentence(hit.summary, 90);
  return `${name} ${hit.relevance.toFixed(2)} (${signature(hit.inputSchema, 8)})${summary && ` ${summary}`}${tagsText(hit.tags)}`;
}

function tagsText(tags: readonly string[]): string {
  return tags.length > 0 ? ` [${tags.join(', ')}]` : '';
}

/** One line per tool. With more tools, summaries become shorter; above 100 tools, they are omitted. */
export function describeTools(tools: ToolView[], includeDisabled: boolean): string {
  const shown = includeDisabled ? tools : tools.filter((tool) => tool.enabled);
  const hidden = tools.length - shown.length;
  const length = shown.length <= 30 ? 90 : shown.length <= 100 ? 50 : 0;
  const lines = shown.map((tool) => {
    const state = tool.enabled ? '' : ' (disabled)';
    const summary = firstSentence(tool.description, length);
    return `${tool.name}${state}${summary && `: ${summary}`}${tagsText(tool.tags)}`;
  });
  if (hidden > 0) lines.push(`${hidden} more disabled`);
  return lines.length > 0 ? lines.join('\n') : 'This server has no tools.';
}
