/** Recognizes Toolkeep itself, which must never start itself recursively, and other gateways. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '../../../../shared/model/server.ts';
import type { Host } from '../../host.ts';

/** The address of this Toolkeep's MCP endpoint, if it is running. */
export async function ownAddress(host: Pick<Host, 'dataDir'>): Promise<string | undefined> {
  try {
    const { httpUrl } = JSON.parse(await readFile(join(host.dataDir, 'run', 'core.json'), 'utf8')) as {
      httpUrl?: unknown;
    };
    return typeof httpUrl === 'string' ? httpUrl : undefined;
  } catch {
    return undefined;
  }
}

/** True if the entry is Toolkeep: by name, program, address, or a program that connects to that address. */
export function isToolkeep(name: string, connection: Connection, address: string | undefined): boolean {
  if (name.trim().toLowerCase() === 'toolkeep') return true;
  if (connection.type !== 'stdio') return isOurAddress(connection.url, address);
  const argv = [connection.command, ...connection.args];
  if (argv.some((part) => isOurAddress(part, address))) return true;
  if (connection.env.TOOLKEEP_BRIDGE !== undefined) return true;
  return argv.some((part, index) => {
    const segments = part.toLowerCase().split(/[\\/]/);
    const base = (segments.at(-1) ?? '').replace(/\.(?:exe|cmd|appimage|ps1)$/, '').replace(/@[^@]*$/, '');
    // The launcher, or the bridge's own program on Windows.
    if (base === 'toolkeep-bridge') return true;
    if (base === 'toolkeep') return index === 0 || argv[index + 1] === 'connect' || isRunner(argv[0] as string);
    return segments.length > 1 && segments.some((segment) => segment.startsWith('toolkeep')) && isOurEntry(base);
  });
}

function isOurEntry(base: string): boolean {
  return ['bridge.cjs', 'cli.js', 'headless.js', 'main.js', 'app.asar'].includes(base);
}

function isRunner(command: string): boolean {
  return /(?:^|[\\/])(?:npx|bunx|pnpx|pnpm|npm|yarn|node|bun)(?:\.cmd|\.exe)?$/i.test(command);
}

/** True for a URL with the same port on this machine. Ignores the path, and accepts every name of the loopback host. */
function isOurAddress(text: string, address: string | undefined): boolean {
  const own = address ? URL.parse(address) : null;
  const url = own && /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (!own || !url) return false;
  const local = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]'];
  return (
    url.port === own.port &&
    (url.hostname === own.hostname || (local.includes(url.hostname) && local.includes(own.hostname)))
  );
}

/** Patterns of other gateways' command lines, with their display names. */
const gateways: [RegExp, string][] = [
  [/\bdocker mcp gateway run\b/, 'Docker MCP Toolkit'],
  [/\bmcp-hub\b/, 'MCP Hub'],
  [/\bmetamcp\b/, 'MetaMCP'],
  [/\bmcpjungle\b/, 'MCPJungle'],
  [/@1mcp\/agent\b/, '1MCP'],
  [/@mcp_router\/cli\b|\bmcpr-cli\b/, 'MCP Router'],
  [/\bthv\b.*\b(?:run|proxy)\b/, 'ToolHive'],
  [/\bpluggedin-mcp-proxy\b/, 'plugged.in'],
  [/\bmcp-gateway\b/, 'MCP Gateway'],
  [/\bagentgateway\b/, 'agentgateway'],
  [/\bmcp-proxy-server\b/, 'MCP Proxy Server'],
  [/\bmagg\b/, 'Magg'],
  [/@portel\/ncp\b/, 'NCP'],
  [/\bmcpm\b.*\bprofile\b/, 'MCPM'],
];

/** The name of the other gateway that this connection starts; undefined for ordinary servers. */
export function otherGateway(connection: Connection): string | undefined {
  const line =
    connection.type === 'stdio' ? [connection.command, ...connection.args].join(' ').slice(0, 4000) : connection.url;
  return gateways.find(([shape]) => shape.test(line))?.[1];
}
