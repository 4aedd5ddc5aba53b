/** Formats a call from the history as a shell command. */
import { shellQuoted } from './shell-quoted.ts';

export interface CopiedCall {
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
}

export function asToolkeepCommand({ server, tool, arguments: args }: CopiedCall): string {
  return `toolkeep execute ${quoted(server)} ${quoted(tool)} --args ${quoted(JSON.stringify(args))}`;
}

/** The command reads the token from the shell variable TOOLKEEP_TOKEN. */
export function asCurlCommand({ server, tool, arguments: args }: CopiedCall, url: string): string {
  const name = 'execute_tool';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: { server, tool, arguments: args }, _meta };
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    `Mcp-Name: ${name}`,
  ];
  return [
    `curl ${quoted(url)}`,
    '-H "Authorization: Bearer $TOOLKEEP_TOKEN"',
    ...headers.map((header) => `-H ${quoted(header)}`),
    `-d ${quoted(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))}`,
  ].join(' \\\n  ');
}

/** Quoted for a POSIX shell, if needed. */
const quoted = (text: string) => (/^[\w./:@%+=-]+$/.test(text) ? text : shellQuoted(text));
