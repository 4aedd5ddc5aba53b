/** Checks of a checkout on Electron's binary, and the end-to-end tests of the desktop app on it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureElectron, sandboxObstacle } from '../electron.mjs';
import { projectNode, root } from '../paths.mjs';
import { run } from '../setup.mjs';
import { connectClient, startApp, temporaryHome } from './processes.mjs';

/** The tests, by file, that do not depend on behavior that only the stand-in can simulate. */
const specs = [
  ['app.test.ts', 'The main window|The tray|A client|A native file dialog|Quitting'],
  ['prompts.test.ts', ''],
  ['prompt-window.test.ts', 'is loaded|within 150 ms|does not accept|withdrawn|after it asked for a secret'],
  ['lifecycle.test.ts', 'shows only the tray|when the page has crashed|takes over|SIGTERM|eight seconds'],
];

export async function checkCheckout(report) {
  const electron = await ensureElectron();
  if (!electron)
    throw new Error("Electron's binary is unavailable, so nothing can be checked. Check that github.com is reachable.");
  const obstacle = sandboxObstacle(electron);
  if (obstacle) throw new Error(obstacle);
  const asNode = (...args) => {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const { stdout, stderr, status } = spawnSync(electron, args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`exit code ${status}: ${stderr}`);
    return stdout.trim();
  };
  await report.check('The binary reports its version', () => asNode('-p', 'process.versions.electron'));
  await report.check('The command line runs on the binary', () => asNode(join(root, 'dist', 'cli.js'), '--version'));
  const home = temporaryHome();
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = startApp(electron, [...sandbox, root, '--hidden'], home);
  await report.check('The hidden app serves', () =>
    Promise.race([home.serves(), app.ended.then((code) => Promise.reject(new Error(`${code} ${app.errors()}`)))]),
  );
  await report.check('A client lists tools through the bridge', async () => {
    const env = { ...home.env, ELECTRON_RUN_AS_NODE: '1' };
    const client = connectClient(electron, [join(root, 'dist', 'bridge.cjs')], env);
    return client.listTools().finally(client.close);
  });
  await report.check('The app quits on SIGTERM within twelve seconds', async () => {
    const code = await app.quit();
    home.remove();
    if (code !== 0) throw new Error(`exit code ${code}`);
  });
  const env = { ...process.env, TOOLKEEP_REAL: '1' };
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  for (const [file, titles] of specs)
    await report.check(`The end-to-end tests in ${file} pass on the binary`, () =>
      run(projectNode(), [vitest, 'run', `test/e2e/desktop/${file}`, '-t', titles], { env }),
    );
}
