/** Where the editing processes of these tests work: the same places for the process that is killed and the one that looks. */
import { join } from 'node:path';
import type { Host } from '../../electron/core/host.ts';
import { testHost } from '../fixtures/host.ts';

/** Below the root. */
export const clientFile = '.config/Claude/claude_desktop_config.json';

/** Leaves no folder of its own behind: everything lies below `root`. */
export function editorHost(root: string): Host {
  const host = testHost();
  host.dispose();
  const dataDir = join(root, 'data');
  return { ...host, platform: 'linux', homeDir: root, dataDir, env: { PATH: host.env.PATH, HOME: root } };
}
