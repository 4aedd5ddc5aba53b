/**
 * `npm run package [-- --linux|--mac|--win] [--dir]`: builds the app and packs it with electron-builder, into release/. Says in
 * one line when Electron's binary cannot be had, because there is nothing to pack then.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureElectron } from './electron.mjs';
import { dist, projectNode, root, say } from './paths.mjs';
import { run, setup } from './setup.mjs';

try {
  await setup();
  if (!(await ensureElectron())) {
    say("Electron's binary cannot be had here (is github.com reachable?), so there is nothing to package.");
    process.exit(1);
  }
  // From nothing: what earlier builds left in dist/ must not come along.
  rmSync(dist, { recursive: true, force: true });
  await run(projectNode(), [join(root, 'build', 'build.mjs'), '--force']);
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js');
  await run(projectNode(), [builder, '--publish', 'never', ...process.argv.slice(2)]);
  say('The packages are in release/.');
} catch (error) {
  say(error.message);
  process.exit(1);
}
