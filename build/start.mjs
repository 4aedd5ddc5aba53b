/** `npm start`: sets up, builds, and opens the desktop app; without Electron's binary the same window is served as a page. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureElectron } from './electron.mjs';
import { dist, projectNode, root, say } from './paths.mjs';
import { run, setup } from './setup.mjs';

endWithNpm();
try {
  await setup();
  // The build runs in a process of its own: on the first start this one is the machine's Node, which may be older.
  await run(projectNode(), [join(root, 'build', 'build.mjs')]);
  const electron = await ensureElectron();
  const headless = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
  const args = process.argv.slice(2);
  if (electron && !headless) {
    hand(electron, [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), root, ...args]);
  } else {
    say(
      electron
        ? 'There is no display for the desktop app; the same window is served as a page instead.'
        : "Electron's binary is not available here; the same window is served as a page instead.",
    );
    const flags = JSON.parse(readFileSync(join(root, 'electron', 'core-flags.json'), 'utf8'));
    hand(projectNode(), [...flags, join(dist, 'headless.js'), ...args]);
  }
} catch (error) {
  say(error.message);
  process.exit(1);
}

/** Who ends npm alone, without its children, ends this too: its shell is gone then, and we have another parent. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM');
  setInterval(watch, 500).unref();
}

/** Gives everything over to the program: signals go to it, its end is ours, and it ends when we are gone (the IPC channel closes). */
function hand(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    say(`${program} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(signal === 'SIGINT' || signal === 'SIGTERM' ? 130 : (code ?? 1)));
}
