/**
 * `npm run dev`: the window as a page with hot reload, and a headless Core that restarts when its sources change. Uses
 * a separate data folder, so that it does not affect an installed Toolkeep. `--inspect` opens a debugger port for
 * Core.
 */
import { execFile, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cache, dist, projectNode, root, say } from './paths.mjs';
import { run, setup } from './setup.mjs';

const env = { TOOLKEEP_HOME: join(cache, 'dev-home'), ...process.env };
const nodeFlags = ['--enable-source-maps', ...(process.argv.includes('--inspect') ? ['--inspect'] : [])];
/** A save or a checkout may change several files at once. */
const settleMs = 200;

await setup();
const corePort = await freePort();
const page = await servePage(corePort);
let core;
let isRestarting = false;
let changedAgain = false;
await restart();
let timer;
for (const folder of ['electron', 'shared'])
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(restart, settleMs);
  });
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await stop();
    process.exit(130);
  });

/** Builds, then replaces the running Core. After a failed build the previous Core keeps running. */
async function restart() {
  changedAgain = true;
  if (isRestarting) return;
  isRestarting = true;
  while (changedAgain) {
    changedAgain = false;
    try {
      await run(projectNode(), [join(root, 'build', 'build.mjs'), '--only=node,bridge']);
      await stop();
      start();
    } catch (error) {
      say(error.message);
    }
  }
  isRestarting = false;
}

function start() {
  const args = [...nodeFlags, join(dist, 'headless.js'), '--port', String(corePort)];
  core = spawn(projectNode(), args, { cwd: root, env, stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  createInterface({ input: core.stderr }).on('line', (line) => {
    if (line.includes(' is ready: ')) showPage();
    else say(line);
  });
}

/** Prints the address of the page with a new one-time code from the running Core. */
function showPage() {
  const script =
    "const { runningPage } = await import('./electron/host/running-core.ts'); console.log(await runningPage(process.env));";
  execFile(projectNode(), ['--input-type=module', '-e', script], { cwd: root, env }, (error, stdout) => {
    say(error ? error.message : `Ready: ${stdout.trim().replace(`127.0.0.1:${corePort}`, page)}`);
  });
}

async function stop() {
  if (!core || core.exitCode !== null) return;
  const ended = new Promise((resolve) => core.once('exit', resolve));
  core.kill('SIGTERM');
  await ended;
}

/** Starts Vite's server, which forwards the Wire to Core; resolves with its host and port. */
async function servePage(port) {
  const { createServer } = await import('vite');
  const target = `http://127.0.0.1:${port}`;
  const server = await createServer({
    configFile: join(root, 'renderer', 'vite.config.ts'),
    root: join(root, 'renderer'),
    define: { __coreHost: JSON.stringify(`127.0.0.1:${port}`) },
    server: {
      host: '127.0.0.1',
      // Core accepts requests only from its own address.
      proxy: { '/wire': { target, ws: true, changeOrigin: true, rewriteWsOrigin: true } },
    },
  });
  await server.listen();
  return `127.0.0.1:${server.httpServer.address().port}`;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createTcpServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
