/** The text that a client's model reads at the start of a session. */
import type { Mode } from '../../../shared/model/call.ts';
import type { Scope } from '../types.ts';

export interface ServerInstructions {
  server: string;
  /** The prefix of the server's tools in full and hybrid mode. */
  slug: string;
  text: string;
}

const find =
  "Toolkeep connects all of the user's MCP servers. Find a tool with search_tools, read its parameters with get_tool_details, and run it with execute_tool.";
const reads = 'Tools that only read also run with read_tool.';
const pinned = 'The other tools listed here can also be called directly.';

/** Clients shorten or reject longer instructions, and instructions cost tokens in every session. */
const maxCharacters = { oneServer: 32_000, each: 2_000, total: 12_000 };

/**
 * Names only tools that the client has. In full mode, adds the servers' own instructions, because the client lists their
 * tools; in lazy mode, `list_tools` returns these instructions.
 */
export function instructionsFor(
  { mode, readTool, scope }: { mode: Mode; readTool: boolean; scope: Scope },
  own: () => ServerInstructions[],
): string | undefined {
  const parts =
    mode === 'full' ? [] : [[find, ...(readTool ? [reads] : []), ...(mode === 'hybrid' ? [pinned] : [])].join(' ')];
  if (scope.server !== undefined) parts.push(...own().map(({ text }) => shortened(text, maxCharacters.oneServer)));
  else if (mode === 'full') parts.push(ofServers(own()));
  return parts.join('\n\n') || undefined;
}

function ofServers(own: ServerInstructions[]): string {
  let left = maxCharacters.total;
  const sections: string[] = [];
  for (const { server, slug, text } of own) {
    const section = `Instructions from the server "${server}", whose tools begin with "${slug}-":\n${shortened(text, maxCharacters.each)}`;
    if (section.length > left) break;
    left -= section.length;
    sections.push(section);
  }
  return sections.join('\n\n');
}

export function shortened(text: string, length: number): string {
  const whole = text.trim();
  return whole.length <= length ? whole : `${whole.slice(0, length)}… (shortened)`;
}
