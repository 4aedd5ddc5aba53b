/** Checks of a packaged app: `npm run smoke -- --app PATH` with the path of its binary, installed or unpacked. */
import { execFile, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { projectNode, root } from '../paths.mjs';
import { connectClient, startApp, temporaryHome, until } from './processes.mjs';

const run = promisify(execFile);
const isMac = process.platform === 'darwin';
const isWindows = process.platform === 'win32';
const fuses = ['RunAsNode', 'EnableEmbeddedAsarIntegrityValidation', 'OnlyLoadAppFromAsar'];
const tools = ['execute_tool', 'get_tool_details', 'list_mcp_servers', 'list_tools', 'search_tools'];

export async function checkPackaged(app, report, options) {
  const resources = isMac ? join(dirname(app), '..', 'Resources') : join(dirname(app), 'resources');
  const cli = join(resources, 'bin', isWindows ? 'toolkeep.cmd' : 'toolkeep');
  const bridge = [app, [join(resources, 'bridge.cjs')]];
  const home = temporaryHome(options);
  const env = { ...home.env, ELECTRON_RUN_AS_NODE: '1' };
  const server = { type: 'stdio', command: projectNode(), args: [join(root, 'test', 'fixtures', 'tiny.mjs')] };
  writeFileSync(join(home.dataDir, 'config.json'), JSON.stringify({ servers: [{ name: 'tiny', connection: server }] }));
  const endCore = () => report.check('Core ends on request', home.endCore);
  const toolkeep = (...args) => run(cli, args, { env: home.env, shell: isWindows });
  try {
    await report.check('The binary has only the fuses that the app needs', () => checkFuses(app));
    await report.check('The signature is intact', () => checkSignature(app, options));
    await report.check('The command line prints its version', async () => {
      const { stdout } = await toolkeep('--version');
      expectEqual(stdout.trim(), manifest.version);
      return stdout.trim();
    });
    await report.check('The command line runs a tool, and fails with exit code 2 for an unknown one', async () => {
      const { stdout } = await toolkeep('execute', 'tiny', 'pid', '--args', '{}', '--json');
      expectEqual(JSON.parse(stdout).success, true);
      const failed = await toolkeep('execute', 'tiny', 'nothing', '--args', '{}', '--json').catch((error) => error);
      expectEqual(failed.code, 2);
    });
    await report.check('The binary loads a module before a script', async () => {
      // Servers of bundles get the certificates of NODE_EXTRA_CA_CERTS in this way.
      const { stdout } = await run(app, ['--import=data:text/javascript,globalThis.loaded=1', '-p', 'loaded'], { env });
      expectEqual(stdout.trim(), '1');
    });
    await report.check('The command line searches tools', async () => {
      const { stdout } = await toolkeep('search', 'pid', '--json');
      expectEqual(JSON.parse(stdout).results[0].tool, 'pid');
    });
    if (options.usesKeyring)
      await report.check('The keyring seals secrets', async () => {
        const { vault } = JSON.parse((await toolkeep('status', '--json')).stdout);
        expectEqual(vault.persistent, true);
        return vault.label;
      });
    await report.check('A client starts an app that was never opened', () => listTools(...bridge, env));
    await endCore();
    await report.check('The hidden app serves, and quits in order', () => openAndQuit(app, home));
    if (!isWindows)
      await report.check('The command line in the data folder prints its version', async () => {
        const { stdout } = await run(join(home.dataDir, 'bin', 'toolkeep'), ['--version'], { env: home.env });
        expectEqual(stdout.trim(), manifest.version);
      });
    await report.check('A client starts the app again through the launcher in its config file', async () => {
      const bin = join(home.dataDir, 'bin');
      if (!isWindows) return listTools(join(bin, 'toolkeep-bridge'), [], home.env);
      const program = join(bin, 'toolkeep-bridge.exe');
      return existsSync(program) ? listTools(program, [join(bin, 'bridge.cjs')], home.env) : listTools(...bridge, env);
    });
    await endCore();
    await report.check('Two clients and the user start the app at the same time: one Core serves all', () =>
      startAtOnce(app, bridge, home, env),
    );
    await report.check('A client continues after the app was killed', () => killAndContinue(bridge, home, env));
    await endCore();
    if (isMac || isWindows)
      await report.check('An app whose archive was changed does not start', () => checkIntegrity(app, resources, home));
    if (options.rests) await report.check('Memory and processor time after ten minutes of rest', () => rest(app, home));
  } finally {
    await home.endCore().catch(() => undefined);
    home.keepLogs(options.artifacts);
    home.remove();
  }
}

function expectEqual(actual, expected) {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

async function checkFuses(app) {
  const fromHere = createRequire(import.meta.url);
  const fromBuilder = createRequire(createRequire(fromHere.resolve('electron-builder')).resolve('app-builder-lib'));
  const { FuseV1Options, getCurrentFuseWire } = fromBuilder('@electron/fuses');
  const wire = await getCurrentFuseWire(isMac ? join(dirname(app), '..', '..') : app);
  const enabled = Object.entries(wire).flatMap(([index, state]) =>
    FuseV1Options[index] !== undefined && state === '1'.charCodeAt(0) ? [FuseV1Options[index]] : [],
  );
  expectEqual(enabled, fuses);
  return enabled;
}

/** Without `--signed`, accepts an ad-hoc signature on macOS and no signature on Windows. */
async function checkSignature(app, { isSigned }) {
  if (isMac) {
    const bundle = join(dirname(app), '..', '..');
    await run('codesign', ['--verify', '--deep', '--strict', bundle]);
    if (isSigned) await run('spctl', ['--assess', '--type', 'execute', bundle]);
    if (isSigned) await run('xcrun', ['stapler', 'validate', bundle]);
    return isSigned ? 'accepted by Gatekeeper' : 'valid';
  }
  if (!isWindows) return 'Linux packages have none';
  const { stdout } = await run('powershell', ['-NoProfile', '-Command', `(Get-AuthenticodeSignature '${app}').Status`]);
  if (isSigned) expectEqual(stdout.trim(), 'Valid');
  return stdout.trim();
}

async function listTools(command, args, env) {
  const client = connectClient(command, args, env);
  try {
    return await reachCore(client);
  } finally {
    client.close();
  }
}

/** Lists the tools, which the bridge may repeat from before, and calls one, which only Core can answer. */
async function reachCore(client) {
  const found = (await client.listTools()).sort();
  expectEqual(found, tools);
  await client.callTool('list_mcp_servers', {});
  return found;
}

async function openAndQuit(app, home) {
  const opened = startApp(app, ['--hidden'], home);
  await Promise.race([
    home.serves(),
    opened.ended.then((code) => Promise.reject(new Error(`${code} ${opened.errors()}`))),
  ]);
  expectEqual(await opened.quit(), 0);
}

async function startAtOnce(app, [command, args], home, env) {
  const clients = [1, 2].map(() => connectClient(command, args, env));
  const opened = startApp(app, [], home);
  try {
    for (const client of clients) await reachCore(client);
    const pid = home.corePid();
    const view = await clients[1].callTool('list_mcp_servers', {});
    expectEqual(home.corePid(), pid);
    return view;
  } finally {
    for (const client of clients) client.close();
    await opened.quit();
    await home.endCore();
  }
}

async function killAndContinue([command, args], home, env) {
  const client = connectClient(command, args, env);
  try {
    await reachCore(client);
    const first = home.corePid();
    process.kill(first, 'SIGKILL');
    expectEqual((await client.listTools()).sort(), tools);
    await until(() => home.corePid() !== first, 'another Core');
  } finally {
    client.close();
  }
}

/** Changes one byte in the archive of a copy of the app, and checks that the copy does not start. */
async function checkIntegrity(app, resources, home) {
  const original = isMac ? join(dirname(app), '..', '..') : dirname(app);
  const copy = join(mkdtempSync(join(tmpdir(), 'toolkeep-changed-')), isMac ? 'Toolkeep.app' : 'Toolkeep');
  try {
    cpSync(original, copy, { recursive: true, verbatimSymlinks: true });
    const archive = join(copy, relative(original, join(resources, 'app.asar')));
    const file = openSync(archive, 'r+');
    const byte = Buffer.alloc(1);
    const at = statSync(archive).size - 1;
    readSync(file, byte, 0, 1, at);
    writeSync(file, Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, at);
    const changed = startApp(join(copy, relative(original, app)), ['--hidden'], home);
    const code = await Promise.race([changed.ended, delay(15_000, 'still running')]);
    if (code === 'still running') await changed.quit();
    if (code === 0 || code === 'still running') throw new Error(`the changed app started (${code})`);
    return `exit: ${code}`;
  } finally {
    rmSync(dirname(copy), { recursive: true, force: true });
  }
}

async function rest(app, home) {
  const opened = startApp(app, ['--hidden'], home);
  await home.serves();
  await delay(600_000);
  const { stdout } = isWindows
    ? spawnSync('powershell', ['-NoProfile', '-Command', 'Get-Process Toolkeep | Select-Object Id,WS,CPU'], {
        encoding: 'utf8',
      })
    : spawnSync('ps', ['-axo', 'pid,rss,time,args'], { encoding: 'utf8' });
  const own = stdout.split('\n').filter((line) => isWindows || line.includes(dirname(app)));
  expectEqual(await opened.quit(), 0);
  return own.map((line) => line.slice(0, 160));
}
