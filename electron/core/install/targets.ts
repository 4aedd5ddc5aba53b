/** Where and how Gatehouse is entered into each client: one row per client that can be written to. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail } from '../../../shared/failure.ts';
import type { BridgeCommand, Host } from '../host.ts';
import { type ClientSource, clientSources, expandPath, type Format, findSource } from '../import/import.ts';
import type { Place } from './place.ts';

export interface Target {
  source: ClientSource;
  section: string;
  list: boolean;
  /** The entry as this client wants it. */
  entry(bridge: BridgeCommand): Record<string, unknown>;
  /** What the person does then. */
  afterwards: string;
  /** Names of its processes. */
  processes: string[];
}

interface Row {
  section?: string;
  list?: boolean;
  entry?: (bridge: BridgeCommand) => Record<string, unknown>;
  afterwards: string;
  processes?: string[];
}

/** The usual form; `env` only where it holds something. */
const plain = ({ command, args, env }: BridgeCommand) => ({
  command,
  args,
  ...(env && Object.keys(env).length > 0 ? { env } : {}),
});
const withType = (type: string) => (bridge: BridgeCommand) => ({ type, ...plain(bridge) });
const argv = ({ command, args, env }: BridgeCommand) => ({
  type: 'local',
  command: [command, ...args],
  ...(env && Object.keys(env).length > 0 ? { environment: env } : {}),
  enabled: true,
});

/** A person may take minutes to approve a call; clients that can wait are asked to. */
const patienceSeconds = 600;

const restart = (app: string) => `Quit ${app} completely and start it again.`;
const byItself = (app: string) => `${app} notices by itself; if not, start it again.`;

const rows: Record<string, Row> = {
  'claude-desktop': { afterwards: restart('Claude Desktop'), processes: ['Claude', 'claude-desktop', 'Claude.exe'] },
  'claude-code': {
    entry: withType('stdio'),
    afterwards: 'New sessions of Claude Code have it.',
    processes: ['claude'],
  },
  windsurf: {
    afterwards: 'Press "Refresh" in the MCP settings of Windsurf, or start it again.',
    processes: ['windsurf', 'Windsurf', 'Windsurf.exe'],
  },
  cursor: { afterwards: byItself('Cursor'), processes: ['cursor', 'Cursor', 'Cursor.exe'] },
  vscode: {
    section: 'servers',
    entry: withType('stdio'),
    afterwards: 'VS Code asks whether to trust and start it.',
    processes: ['code', 'Code', 'Code.exe'],
  },
  'visual-studio': {
    section: 'servers',
    entry: withType('stdio'),
    afterwards: byItself('Visual Studio'),
    processes: ['devenv.exe'],
  },
  zed: {
    section: 'context_servers',
    entry: (bridge) => ({ source: 'custom', ...plain(bridge) }),
    afterwards: byItself('Zed'),
    processes: ['zed', 'zed-editor', 'Zed', 'Zed.exe'],
  },
  cline: { entry: (bridge) => ({ ...plain(bridge), timeout: patienceSeconds }), afterwards: byItself('Cline') },
  roo: { entry: (bridge) => ({ ...plain(bridge), timeout: patienceSeconds }), afterwards: byItself('Roo Code') },
  kilo: { section: 'mcp', entry: argv, afterwards: restart('Kilo Code'), processes: ['kilo'] },
  opencode: { section: 'mcp', entry: argv, afterwards: restart('opencode'), processes: ['opencode'] },
  continue: { section: 'mcpServers', list: true, afterwards: byItself('Continue') },
  'gemini-cli': {
    entry: (bridge) => ({ ...plain(bridge), timeout: patienceSeconds * 1000 }),
    afterwards: 'New sessions of Gemini CLI have it.',
    processes: ['gemini'],
  },
  codex: {
    section: 'mcp_servers',
    entry: (bridge) => ({ ...plain(bridge), tool_timeout_sec: patienceSeconds }),
    afterwards: 'New sessions of Codex have it.',
    processes: ['codex'],
  },
  'copilot-cli': {
    entry: (bridge) => ({ type: 'local', ...plain(bridge), tools: ['*'] }),
    afterwards: 'New sessions of Copilot CLI have it.',
    processes: ['copilot'],
  },
  'lm-studio': { afterwards: byItself('LM Studio'), processes: ['lm-studio', 'LM Studio', 'LM Studio.exe'] },
  goose: {
    section: 'extensions',
    entry: ({ command, args, env }) => ({
      name: 'gatehouse',
      type: 'stdio',
      cmd: command,
      args,
      ...(env ? { envs: env } : {}),
      enabled: true,
      timeout: patienceSeconds,
    }),
    afterwards: 'New sessions of Goose have it.',
    processes: ['goose'],
  },
  kiro: { afterwards: byItself('Kiro'), processes: ['kiro', 'Kiro', 'Kiro.exe'] },
  junie: { afterwards: restart('Junie') },
  warp: {
    afterwards: 'Start "gatehouse" in the MCP settings of Warp.',
    processes: ['warp', 'Warp', 'warp-terminal', 'Warp.exe'],
  },
  antigravity: {
    afterwards: 'Press "Refresh" in the MCP settings of Antigravity, or start it again.',
    processes: ['antigravity', 'Antigravity'],
  },
};

/** Every client that Gatehouse can be entered into, in the order of the table of sources. */
export const targets: readonly Target[] = clientSources.flatMap((source) => {
  const row = rows[source.id];
  return row ? [{ section: 'mcpServers', list: false, entry: plain, processes: [], ...row, source }] : [];
});

/** The target of that id or alias. */
export function findTarget(name: string): Target | undefined {
  const id = findSource(name)?.id;
  return targets.find(({ source }) => source.id === id);
}

export function placeIn({ section, list }: Target): Place {
  return { section, name: 'gatehouse', ...(list ? { list } : {}) };
}

/** Editors of which only the import is certain, and files that a client only reads in older versions. */
const neverWritten =
  /[\\/](?:VSCodium|profiles)[\\/]|[\\/]settings\.json$|[\\/]\.windsurf[\\/]|[\\/]\.vscode-server[\\/]|[\\/]\.aws[\\/]|[\\/]antigravity[\\/]|[\\/]mcpServers[\\/]/;
const settingsAreTheFile = new Set(['zed', 'gemini-cli']);

/** The user's file of a client: the first that exists, else the first whose folder does, else the first. */
export async function fileOf({ source }: Target, host: Host): Promise<{ file: string; format: Format }> {
  const places = source.places(host).filter(({ scope, path, reader }) => {
    if (scope !== 'user' || (reader && source.id !== 'claude-code')) return false;
    return !neverWritten.test(path) || (settingsAreTheFile.has(source.id) && path.endsWith('settings.json'));
  });
  const candidates: { file: string; format: Format }[] = [];
  for (const place of places) {
    const files = await expandPath(place.path);
    const found = files.map((file) => ({ file, format: place.format ?? source.format }));
    // A folder of the app from the Windows store is there only when that app is: it comes before the usual place.
    if (place.path.includes('*')) candidates.unshift(...found);
    else candidates.push(...found);
  }
  const [first] = candidates;
  if (!first) throw fail('CLIENT_UNKNOWN', `${source.app} keeps no file on this system that Gatehouse could write to.`);
  const store = candidates.find(({ file }) => file.includes('LocalCache'));
  return (
    store ??
    candidates.find(({ file }) => existsSync(file)) ??
    candidates.find(({ file }) => existsSync(dirname(file))) ??
    first
  );
}
