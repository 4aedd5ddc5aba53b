/** Recognizes servers that keep a page, a terminal or a folder open for their client from one call to the next. */
import type { Connection } from '../../../shared/model/server.ts';

const packages = [
  '@browsermcp/mcp',
  '@cyanheads/git-mcp-server',
  '@executeautomation/playwright-mcp-server',
  '@modelcontextprotocol/server-puppeteer',
  '@playwright/mcp',
  '@wonderwhy-er/desktop-commander',
  'chrome-devtools-mcp',
  'notebooklm-mcp',
  'puppeteer-mcp-server',
];
const pageVerbs = new Set(['click', 'drag', 'fill', 'hover', 'navigate', 'press', 'scroll', 'type']);

export function isKnownToKeepState(connection: Connection): boolean {
  if (connection.type !== 'stdio') return false;
  return connection.args.some((arg) => packages.some((name) => arg === name || arg.startsWith(`${name}@`)));
}

/** Whether several of the tools act on a page: they click, type or navigate. */
export function actOnPage(tools: readonly { name: string }[]): boolean {
  const words = ({ name }: { name: string }) =>
    name
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/);
  return tools.filter((tool) => words(tool).some((word) => pageVerbs.has(word))).length > 2;
}
