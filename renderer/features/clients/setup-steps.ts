/** Manual setup steps for each client. */
import { tokenHeader } from '../../../shared/model/token.ts';
import type { Option } from '../../components/controls.tsx';
import { t } from '../../text.tsx';

// untranslated: names of products
const products = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
};

const clients = {
  ...products,
  other: t('Other client (command)'),
  http: t('Other client (HTTP)'),
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

/** The default mode is omitted from the command. The command names the client, so that Toolkeep can show it by name. */
export function setupSteps(client: ClientId, mode: string, bridge: Bridge, http: { url: string } | undefined): Step[] {
  const named = client === 'other' || client === 'http' ? [] : ['--client', client];
  const args = [...bridge.args, ...named, ...(mode === 'lazy' ? [] : ['--mode', mode])];
  const entry = { command: bridge.command, args, env: bridge.env };
  const commandLine = [bridge.command, ...args].map(quote).join(' ');
  const variables = Object.entries(bridge.env ?? {}).map(([name, value]) => `${name}=${quote(value)}`);
  switch (client) {
    case 'claude-desktop':
      return [
        {
          text: t('Open Settings → Developer → Edit Config and add:'),
          code: json({ mcpServers: { toolkeep: entry } }),
        },
        { text: t('Quit Claude Desktop completely and start it again.') },
      ];
    case 'claude-code':
      return [
        {
          text: t('Run in a terminal:'),
          // untranslated: code
          code: [
            'claude mcp add --scope user',
            ...variables.map((pair) => `--env ${pair}`),
            'toolkeep --',
            commandLine,
          ].join(' '),
        },
      ];
    case 'cursor':
      return [{ text: t('Add to ~/.cursor/mcp.json:'), code: json({ mcpServers: { toolkeep: entry } }) }];
    case 'vscode':
      return [
        {
          text: t('Run “MCP: Open User Configuration” and add:'),
          code: json({ servers: { toolkeep: { type: 'stdio', ...entry } } }),
        },
      ];
    case 'windsurf':
      return [
        { text: t('Add to ~/.codeium/windsurf/mcp_config.json:'), code: json({ mcpServers: { toolkeep: entry } }) },
      ];
    case 'other':
      return [{ text: t('Configure the client to run this command:'), code: [...variables, commandLine].join(' ') }];
    case 'http':
      return http
        ? [
            { text: t('URL (streamable HTTP):'), code: mode === 'lazy' ? http.url : `${http.url}?mode=${mode}` },
            { text: t('Create a token for this client; it is shown once:'), code: 'toolkeep token create NAME' },
            { text: t('Send this header, with the token in place of TOKEN:'), code: tokenHeader('TOKEN') },
          ]
        : [
            {
              text: t('HTTP is disabled. Enable it in Settings, or start Toolkeep with:'),
              code: 'toolkeep serve',
            },
          ];
  }
}

/** Quotes a word for a POSIX shell and for the Windows command line. */
const quote = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word));
const json = (value: unknown): string => JSON.stringify(value, null, 2);
