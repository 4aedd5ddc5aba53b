/**
 * `npm run check`: format, lint, types of every runtime, dead code, prose, the name, strings, subjects of commits,
 * workflows. Runs all checks and names those that failed.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectNode, root, say } from './paths.mjs';

const bin = (name, file) => join(root, 'node_modules', name, file);
const tsc = bin('typescript', 'bin/tsc');
const checks = [
  ['format and lint', bin('@biomejs/biome', 'bin/biome'), 'check', '--max-diagnostics=50', '.'],
  ['types: core and tests', tsc, '-p', '.'],
  ['types: shared, without Node and DOM', tsc, '-p', 'shared'],
  ['types: renderer', tsc, '-p', 'renderer'],
  ['dead code', bin('knip', 'bin/knip.js')],
  ['prose', join(root, 'build', 'check-prose.mjs')],
  ['name', join(root, 'build', 'check-name.mjs')],
  ['strings of the window', join(root, 'build', 'strings.mjs')],
  ['subjects of commits', join(root, 'build', 'check-commits.mjs')],
  ['workflows', join(root, 'build', 'lint-workflows.mjs')],
].filter(([, , flag, folder]) => flag !== '-p' || existsSync(join(root, folder)));

const failed = [];
// Run two at a time, because more would compete for the cores of a small machine.
const queue = [...checks];
await Promise.all(
  [1, 2].map(async () => {
    for (let check = queue.shift(); check; check = queue.shift()) if (!(await passes(check))) failed.push(check[0]);
  }),
);
say(failed.length === 0 ? `All ${checks.length} checks pass.` : `Failed: ${failed.join('; ')}.`);
process.exit(failed.length === 0 ? 0 : 1);

function passes([name, program, ...args]) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(projectNode(), [program, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('close', (code) => {
      if (code !== 0) say(`── ${name}\n${output.trim()}\n`);
      resolve(code === 0);
    });
  });
}
