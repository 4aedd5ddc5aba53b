/** Manual setup steps for each client. */
import type { Option } from '../../components/controls.tsx';

const clients = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  other: 'Other client (command)',
  http: 'Other client (HTTP)',
} as const;

export type ClientId = keyof typeof clients;
export const clientOptions: readonly Option[] = Object.entries(clients);

/** How a client starts the bridge. */
interface Bridge {
  command: string;
  args: readonly string[];
  env?: Record<string, string>;
}

export interface Step {
  text: string;
  code?: string;
}

/** The default mode is omitted from the command. */
export function setupSteps(client: ClientId, mode: string, bridge: Bridge, http: { url: string } | undefined): Step[] {
  const args = [...bridge.args, ...(mode === 'lazy' ? [] : ['--mode', mode])];
  const entry = { command: bridge.command, args, env: bridge.env };
  const commandLine = [bridge.command, ...args].map(quote).join(' ');
  const variables = Object.entries(bridge.env ?? {}).map(([name, value]) => `${name}=${quote(value)}`);
  switch (client) {
    case 'claude-desktop':
      return [
        { text: 'Open Settings → Developer → Edit Config and add:', code: json({ mcpServers: { gatehouse: entry } }) },
        { text: 'Quit Claude Desktop completely and start it again.' },
      ];
    case 'claude-code':
      return [
        {
          text: 'Run in a terminal:',
          code: [
            'claude mcp add --scope user',
            ...variables.map((pair) => `--env ${pair}`),
            'gatehouse --',
            commandLine,
          ].join(' '),
        },
      ];
    case 'cursor':
      return [{ text: 'Add to ~/.cursor/mcp.json:', code: json({ mcpServers: { gatehouse: entry } }) }];
    case 'vscode':
      return [
        {
          text: 'Run “MCP: Open User Configuration” and add:',
          code: json({ servers: { gatehouse: { type: 'stdio', ...entry } } }),
        },
      ];
    case 'windsurf':
      return [
        { text: 'Add to ~/.codeium/windsurf/mcp_config.json:', code: json({ mcpServers: { gatehouse: entry } }) },
      ];
    case 'other':
      return [{ text: 'Configure the client to start this command:', code: [...variables, commandLine].join(' ') }];
    case 'http':
      return http
        ? [
            { text: 'URL (streamable HTTP):', code: mode === 'lazy' ? http.url : `${http.url}?mode=${mode}` },
            { text: 'Create a token for this client; it is shown once:', code: 'gatehouse token create NAME' },
            { text: 'Send this header, with the token in place of TOKEN:', code: 'Authorization: Bearer TOKEN' },
          ]
        : [{ text: 'HTTP is disabled. Enable it in Settings, or start Gatehouse with:', code: 'gatehouse serve' }];
  }
}

/** Quotes a word for a POSIX shell and for the Windows command line. */
const quote = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word));
const json = (value: unknown): string => JSON.stringify(value, null, 2);
