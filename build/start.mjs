/** `npm start`: sets up, builds, and opens the desktop app. Without Electron's binary it serves the window as a page. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureElectron, sandboxObstacle } from './electron.mjs';
import { dist, projectNode, root, say } from './paths.mjs';
import { run, setup } from './setup.mjs';

/** Signals of a program that ends itself, such as Chromium without a usable sandbox or display. */
const crashes = new Set(['SIGTRAP', 'SIGABRT', 'SIGSEGV', 'SIGILL', 'SIGBUS']);

endWithNpm();
try {
  await setup();
  // The build runs in a separate process, because this one may run on an older Node.
  await run(projectNode(), [join(root, 'build', 'build.mjs')]);
  const electron = await ensureElectron();
  const headless = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
  const args = process.argv.slice(2);
  const obstacle = headless
    ? 'There is no display for the desktop app'
    : electron
      ? sandboxObstacle(electron)
      : "Electron's binary is not available";
  const servePage = (reason) => {
    say(`${reason}, so the window is served as a page.`);
    const flags = JSON.parse(readFileSync(join(root, 'electron', 'core-flags.json'), 'utf8'));
    replaceWith(projectNode(), [...flags, join(dist, 'headless.js'), ...args]);
  };
  if (electron && !obstacle) {
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const onCrash = (signal) => servePage(`Electron ended at its start (${signal})`);
    replaceWith(electron, [...sandbox, root, ...args], { hasChannel: process.platform !== 'win32', onCrash });
  } else {
    servePage(obstacle);
  }
} catch (error) {
  say(error.message);
  process.exit(1);
}

/** Ends this process if npm was killed without its children, which changes the parent process id. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM');
  setInterval(watch, 500).unref();
}

/**
 * Runs the program in place of this process: forwards signals and exits with its code. The IPC channel ends it when
 * this process ends. It is not on descriptor 3, which Chromium uses on Linux (electron#17044). Electron supports no channel on
 * Windows. `onCrash` is called instead of exiting if the program crashes within five seconds.
 */
function replaceWith(program, args, { hasChannel = true, onCrash } = {}) {
  const channel = hasChannel ? ['ignore', 'ipc'] : [];
  const startedAt = Date.now();
  const child = spawn(program, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', ...channel] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    say(`${program} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (onCrash && crashes.has(signal) && Date.now() - startedAt < 5_000) return onCrash(signal);
    process.exit(signal === 'SIGINT' || signal === 'SIGTERM' ? 130 : (code ?? 1));
  });
}
