/** The text that `search_tools` returns: the best hits described, as many further names as fit, equal tools as one hit. */
import { firstSentence } from '../../../../shared/first-sentence.ts';
import { estimateTokens } from '../../history/estimate-tokens.ts';
import type { RankedTool } from '../services.ts';
import { tagsText } from './describe.ts';
import { signature } from './signature.ts';

/** Estimated tokens of a search answer. The estimate is off by up to a tenth, and the answer must stay below 200. */
const searchBudget = 180;
const describedHits = 3;
/** Tokens kept for the names of further hits while hits are described. */
const tokensPerName = 9;
const namesKept = 7;
/** At most this many other servers with an equal tool are named; the rest are only counted. */
const namedServers = 4;

/**
 * Search results within a budget: the first with relevance, signature and summary, then as many names as fit. `describe`, the
 * number that the agent asked for, describes that many without a budget. `reserved` is the text that follows the answer.
 */
export function packHits(hits: RankedTool[], options: { describe?: number; reserved?: string } = {}): string {
  if (hits.length === 0) return 'No tool found. Try other words for what it should do, or list_mcp_servers.';
  const describe = options.describe ?? describedHits;
  const lines: string[] = [];
  const rest: string[] = [];
  let left =
    options.describe === undefined ? searchBudget - estimateTokens(options.reserved ?? '') : Number.POSITIVE_INFINITY;
  const groups = groupEqual(hits);
  for (const [at, { best, others }] of groups.entries()) {
    if (at < describe) {
      const line = `${hitLine(best)}${alsoOn(others)}`;
      const cost = estimateTokens(line);
      if (lines.length === 0 || cost + tokensPerName * Math.min(groups.length - at, namesKept) <= left) {
        lines.push(line);
        left -= cost;
        continue;
      }
    }
    const name = `${best.server}/${best.tool}${alsoOn(others)}`;
    const cost = estimateTokens(name) + 1;
    if (cost > left) break;
    left -= cost;
    rest.push(name);
  }
  if (rest.length > 0) lines.push(`Also: ${rest.join(', ')}`);
  return lines.join('\n');
}

/** Tools of several servers that an agent cannot tell apart, such as those of one service's two accounts. */
interface Group {
  best: RankedTool;
  /** The other servers, best first. */
  others: string[];
}

function groupEqual(hits: RankedTool[]): Group[] {
  const groups = new Map<string, Group>();
  for (const hit of hits) {
    const key = JSON.stringify([hit.tool, hit.summary, hit.tags, hit.inputSchema]);
    const group = groups.get(key);
    if (group) group.others.push(hit.server);
    else groups.set(key, { best: hit, others: [] });
  }
  return [...groups.values()];
}

function alsoOn(servers: string[]): string {
  if (servers.length === 0) return '';
  const more = servers.length > namedServers ? ` and ${servers.length - namedServers} more` : '';
  return ` (same on ${servers.slice(0, namedServers).join(', ')}${more})`;
}

function hitLine(hit: RankedTool): string {
  const summary = firstSentence(hit.summary, 90);
  return `${hit.server}/${hit.tool} ${hit.relevance.toFixed(2)} (${signature(hit.inputSchema, 8)})${summary && ` ${summary}`}${tagsText(hit.tags)}`;
}
