/** How each kind of client is connected: what to run or where to paste what. Paths are those of `facts` the clients document. */
import type { Option } from '../parts/controls.tsx';

const clients = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  other: 'Another app (command)',
  http: 'Another app (HTTP)',
} as const;

export type ClientId = keyof typeof clients;
export const clientWords: readonly Option[] = Object.entries(clients);

export interface Step {
  text: string;
  code?: string;
}

/** The default mode is left out, so that the command stays short. */
export function clientSteps(
  client: ClientId,
  mode: string,
  http: { url: string; tokenFile: string } | undefined,
): Step[] {
  const args = ['connect', ...(mode === 'lazy' ? [] : ['--mode', mode])];
  const entry = { command: 'gatehouse', args };
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
          code: `claude mcp add --scope user gatehouse -- ${['gatehouse', ...args].join(' ')}`,
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
      return [{ text: 'Let the app start this command:', code: ['gatehouse', ...args].join(' ') }];
    case 'http':
      return http
        ? [
            { text: 'Address (streamable HTTP):', code: mode === 'lazy' ? http.url : `${http.url}?mode=${mode}` },
            {
              text: 'Send this header; the token stands in the file below and is only readable by you:',
              code: 'Authorization: Bearer <token>',
            },
            { text: 'File with the token:', code: http.tokenFile },
          ]
        : [{ text: 'HTTP is switched off. Start Gatehouse with it:', code: 'gatehouse serve' }];
  }
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
