/** Older versions of Node.js ignore the proxy, which is a confined server's only way to the network. */
import { basename } from 'node:path';
import which from 'which';
import type { Launch } from '../connection/spawn-server.ts';

const versions = new Map<string, Promise<string | undefined>>();

/** In the server's file system. */
const ownFolder = '/run/toolkeep-node';

interface NodeChoice {
  launch: Launch;
  /** Mounts our Node.js. */
  args: string[];
  /** The version that ignores the proxy and is used nevertheless. */
  old?: string;
}

/**
 * Puts our own Node.js first in PATH if the server's own is too old. `ask` runs a program of the server with `--version`, which is
 * its first start, so it has to be confined too.
 */
export async function withProxyAwareNode(
  launch: Launch,
  ask: (program: string) => Promise<string>,
): Promise<NodeChoice> {
  const found = await which('node', { path: launch.env.PATH ?? '', nothrow: true });
  const isNode = basename(launch.command) === 'node';
  const used = isNode ? launch.command : found;
  const version = used === null ? undefined : await versionOf(used, ask);
  if (version === undefined || usesProxy(version)) return { launch, args: [] };
  // A path in the configuration is the user's choice. Electron is no replacement for a server's Node.js.
  const isChosen = isNode && launch.command !== found;
  if (isChosen || process.versions.electron !== undefined || !usesProxy(process.version))
    return { launch, args: [], old: version };
  const command = isNode ? `${ownFolder}/node` : launch.command;
  const env = { ...launch.env, PATH: `${ownFolder}:${launch.env.PATH ?? ''}` };
  return { launch: { ...launch, command, env }, args: ['--ro-bind', process.execPath, `${ownFolder}/node`] };
}

function versionOf(node: string, ask: (program: string) => Promise<string>): Promise<string | undefined> {
  const version =
    versions.get(node) ??
    ask(node).then(
      (text) => text.trim(),
      () => undefined,
    );
  versions.set(node, version);
  return version;
}

/** `NODE_USE_ENV_PROXY` exists since 22.21 and 24.0. */
function usesProxy(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 21);
}
