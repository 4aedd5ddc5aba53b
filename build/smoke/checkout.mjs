/** Checks of a checkout on Electron's binary, and the end-to-end tests of the desktop app on it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureElectron, sandboxObstacle } from '../electron.mjs';
import { projectNode, root } from '../paths.mjs';
import { run } from '../setup.mjs';
import { connectClient, startApp, temporaryHome } from './processes.mjs';

/** Leaves out the tests that depend on abilities of the stand-in, of another system, or of another display server. */
function tagsFilter() {
  const tags = ['stand-in'];
  if (process.platform !== 'darwin') tags.push('macos');
  if (process.platform !== 'linux') tags.push('linux');
  if (process.platform === 'win32') tags.push('signals');
  if (process.env.XDG_SESSION_TYPE === 'wayland') tags.push('compositor');
  return tags.map((tag) => `!${tag}`).join(' && ');
}
const specs = ['app', 'prompts', 'prompt-window', 'lifecycle'];
const ownSpecs = { darwin: ['macos'], linux: ['screen-lock'] }[process.platform] ?? [];

export async function checkCheckout(report, { artifacts }) {
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
  await report.check('The app quits in order within twelve seconds', async () => {
    const code = await app.quit();
    home.keepLogs(artifacts);
    home.remove();
    if (code !== 0) throw new Error(`exit code ${code}`);
  });
  const env = { ...process.env, TOOLKEEP_REAL: '1', TOOLKEEP_ARTIFACTS: artifacts };
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const options = ['--reporter=verbose', `--tags-filter=${tagsFilter()}`];
  for (const spec of [...specs, ...ownSpecs])
    await report.check(`The end-to-end tests in ${spec}.test.ts pass on the binary`, () =>
      run(projectNode(), [vitest, 'run', `test/e2e/desktop/${spec}.test.ts`, ...options], { env }),
    );
}
