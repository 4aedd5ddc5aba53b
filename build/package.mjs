/**
 * `npm run package [-- --linux|--mac|--win] [--dir]`: builds the app and packs it with electron-builder, into release/. Ends
 * with an error if Electron's binary is unavailable.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureElectron } from './electron.mjs';
import { dist, projectNode, root, say } from './paths.mjs';
import { run, setup } from './setup.mjs';
import { signingOptions } from './signing.mjs';

try {
  await setup();
  if (!(await ensureElectron())) {
    say("Electron's binary is unavailable, so the app cannot be packaged. Check that github.com is reachable.");
    process.exit(1);
  }
  // Start from an empty dist/, so that files of earlier builds are not packaged.
  rmSync(dist, { recursive: true, force: true });
  await run(projectNode(), [join(root, 'build', 'build.mjs'), '--force']);
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js');
  const signing = signingOptions(process.platform, process.env);
  await run(projectNode(), [builder, '--publish', 'never', ...signing, ...process.argv.slice(2)]);
  say('The packages are in release/.');
} catch (error) {
  say(error.message);
  process.exit(1);
}
