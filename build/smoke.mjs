/**
 * `npm run smoke`: checks on this machine that only a real Electron allows; writes release/smoke-report.json. Checks
 * that need a user, a signed package or another platform are listed as not run. Exits with 1 if a check failed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureElectron, sandboxObstacle } from './electron.mjs';
import { projectNode, root, say } from './paths.mjs';
import { run, setup } from './setup.mjs';

const release = join(root, 'release');
const results = [];

/** Runs one check; its result or its error goes into the report. */
async function check(name, work) {
  const startedAt = Date.now();
  try {
    const detail = await work();
    results.push({ name, result: 'passed', detail, milliseconds: Date.now() - startedAt });
  } catch (error) {
    results.push({
      name,
      result: 'failed',
      detail: String(error?.message ?? error),
      milliseconds: Date.now() - startedAt,
    });
  }
  say(`${results.at(-1).result === 'passed' ? 'ok  ' : 'FAIL'} ${name}`);
}

const notRun = [
  'The first window of an app that a client started on Windows is visible (needs Windows and an MSIX client)',
  'The prompt appears over a full-screen app, and the focus returns (needs a user at the screen)',
  'The login item survives a login (needs a login)',
  'Update from the previous release (needs a signed feed)',
  'Signatures, notarization and asar integrity (need a signed package)',
  'Memory and CPU after ten minutes of rest (run with --rest)',
];

async function until(look, timeoutMs = 20_000) {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
    const value = await look();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('timed out');
}

/** Starts the app with a separate home folder. */
function startApp(electron, args) {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-smoke-'));
  const dataDir = join(home, '.gatehouse');
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const env = { ...process.env, HOME: home, GATEHOUSE_HOME: dataDir, GATEHOUSE_NO_SHELL_ENV: '1' };
  const child = spawn(electron, [...sandbox, root, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const coreFile = join(dataDir, 'run', 'core.json');
  return {
    dataDir,
    ended,
    child,
    serves: () =>
      until(() => {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${errors.slice(-500)}`);
        return existsSync(coreFile) && readFileSync(coreFile, 'utf8').includes('socket');
      }),
    async quit() {
      child.kill('SIGTERM');
      const code = await Promise.race([
        ended,
        new Promise((resolve) => setTimeout(() => resolve('still running'), 12_000)),
      ]);
      if (code === 'still running') child.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      return code;
    },
  };
}

/** Lists the tools as an MCP client that connects through the bridge of the running app. */
function listTools(electron, dataDir) {
  const messages = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'smoke', version: '1' } },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ];
  const env = { PATH: process.env.PATH, HOME: dataDir, GATEHOUSE_HOME: dataDir, ELECTRON_RUN_AS_NODE: '1' };
  const bridge = spawn(electron, [join(root, 'dist', 'bridge.cjs')], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  let output = '';
  bridge.stdout.on('data', (chunk) => {
    output += chunk;
  });
  for (const message of messages) bridge.stdin.write(`${JSON.stringify(message)}\n`);
  const answer = until(() => {
    const line = output.split('\n').find((each) => each.includes('"id":2'));
    return line && JSON.parse(line).result.tools.map(({ name }) => name);
  });
  return answer.finally(() => bridge.kill());
}

try {
  await setup();
  await run(projectNode(), [join(root, 'build', 'build.mjs')]);
  const electron = await ensureElectron();
  if (!electron) {
    say("Electron's binary is unavailable, so nothing can be checked. Check that github.com is reachable.");
    process.exit(1);
  }
  const obstacle = sandboxObstacle(electron);
  if (obstacle) throw new Error(obstacle);
  await check('The binary reports its version', () => {
    const { stdout, status } = spawnSync(electron, ['-p', 'process.versions.electron'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`exit code ${status}`);
    return stdout.trim();
  });
  await check('The command line runs on the binary', () => {
    const { stdout, status, stderr } = spawnSync(electron, [join(root, 'dist', 'cli.js'), '--version'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  });
  const app = startApp(electron, ['--hidden']);
  await check('The hidden app serves', () => app.serves());
  await check('A client lists tools through the bridge', () => listTools(electron, app.dataDir));
  await check('The app quits on SIGTERM within twelve seconds', async () => {
    const code = await app.quit();
    if (code !== 0) throw new Error(`exit code ${code}`);
  });
  await check('The end-to-end tests of the desktop app pass on the binary', async () => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const env = { ...process.env, GATEHOUSE_REAL: '1' };
    await run(
      projectNode(),
      [vitest, 'run', 'test/e2e/desktop/app.test.ts', '-t', 'The main window|The tray|Quitting'],
      { env },
    );
  });
} catch (error) {
  results.push({ name: 'set-up', result: 'failed', detail: error.message });
  say(error.message);
}
mkdirSync(release, { recursive: true });
const report = { platform: process.platform, arch: process.arch, at: new Date().toISOString(), results, notRun };
writeFileSync(join(release, 'smoke-report.json'), `${JSON.stringify(report, null, 2)}\n`);
say('The report is release/smoke-report.json.');
process.exit(results.some(({ result }) => result === 'failed') ? 1 : 0);
