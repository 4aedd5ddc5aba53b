/** Text and JSON output of `toolkeep list`. */

import type { Failure } from '../../../shared/failure.ts';
import type { CallStatistics } from '../../../shared/model/call.ts';
import type { DiscoveryState } from '../../../shared/model/config-state.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import { isConnected, pluginFailures } from '../../../shared/server-facts.ts';
import { count, type Style, safe, safeLines } from '../terminal.ts';
import { confinedLabel } from './confinement.ts';

const statusText: Record<ServerView['status'], string> = {
  ready: 'Connected',
  idle: 'Connected on use',
  starting: 'Connecting',
  failed: 'Disconnected',
  disabled: 'Disabled',
};

/** Shows both the status and the number of tools, unless an option selects one. */
export function serversText(
  servers: ServerView[],
  discovery: DiscoveryState,
  show: { status: boolean; tools: boolean },
  style: Style,
): string {
  const all = !show.status && !show.tools;
  const blocks = servers.map((server) => {
    const mark = isConnected(server) ? style.good('✓') : style.bad('✗');
    const tools = all || show.tools ? ` (${count(server.toolCount, 'tool')})` : '';
    const lines = [`${mark} ${style.bold(safe(server.id))}${tools}`];
    if (server.description) lines.push(`  ${safe(server.description.replace(/\s+/g, ' '))}`);
    if (all || show.status) {
      lines.push(`  Status: ${statusText[server.status]}${server.isConfined ? `, ${confinedLabel(server)}` : ''}`);
      if (server.failure) lines.push(...messageLines('Cause', server.failure).map((line) => `  ${line}`));
      lines.push(...pluginFailures(server.warnings).map(({ text }) => `  ${style.warn('!')} ${safe(text)}`));
    }
    return lines.join('\n');
  });
  if (blocks.length === 0) return `MCP Servers (0 configured)\n\n${discoveryText[discovery] || importText}`;
  return [`MCP Servers (${servers.length} configured):`, ...blocks].join('\n\n');
}

const importText = 'Import the servers of your clients with `toolkeep import`.';

/** Why the servers of the config file do not run. */
export const discoveryText: Record<DiscoveryState, string> = {
  enabled: '',
  disabled: 'The config file disables Toolkeep (`enabled: false`), so no server runs.',
  invalid: 'The config file is invalid, so its servers do not run. See `toolkeep config validate`.',
};

/** A failure with its code. Further lines are the server's own output. */
export function messageLines(title: string, { message, code }: Failure): string[] {
  const [first = '', ...more] = safeLines(message, 2).split('\n');
  return [`${title}: ${first} [${code}]`, ...more];
}

export function serversJson(servers: ServerView[]): unknown {
  return {
    servers: servers.map((server) => ({
      name: server.id,
      description: server.description,
      toolCount: server.toolCount,
      enabledCount: server.enabledCount,
      status: isConnected(server) ? 'connected' : 'disconnected',
      state: server.status,
      transport: server.transport,
      ...(server.isConfined && { confined: true }),
      ...(server.confinement && { confinement: server.confinement }),
      ...(server.version ? { version: server.version } : {}),
      ...(server.failure ? { failure: server.failure } : {}),
    })),
  };
}

/** One line about the calls of a server or tool so far. */
export function callsText({ total, failed, averageMs }: CallStatistics): string {
  return total === 0 ? 'Calls: 0' : `Calls: ${total}, ${failed} failed, ${Math.round(averageMs)} ms on average`;
}
