/** Electron's binary: where it lies, and one bounded try to get it. Its npm package would otherwise download it on first use, without limit. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { cache, projectNode, root, say } from './paths.mjs';

const folder = join(root, 'node_modules', 'electron');
const reachLimitMs = 3_000;
const downloadLimitMs = 300_000;
const marker = join(cache, 'electron-unreachable');
const retryAfterMs = 10 * 60_000;

/** Path of an Electron binary that is there now, or undefined. */
export function findElectron(env = process.env) {
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  const name =
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';
  const file = override ? join(override, name) : join(folder, 'dist', name);
  return existsSync(file) ? file : undefined;
}

/** The binary, downloaded when it can be. Never rejects and never takes long where the download host is out of reach. */
export async function ensureElectron(env = process.env) {
  const found = findElectron(env);
  if (found || env.ELECTRON_OVERRIDE_DIST_PATH || !existsSync(join(folder, 'install.js'))) return found;
  if (recentlyUnreachable() || !(await reachable(env))) return undefined;
  say('Downloading Electron (once, about 120 MB)…');
  await download();
  return findElectron(env);
}

function recentlyUnreachable() {
  try {
    return Date.now() - Number(readFileSync(marker, 'utf8')) < retryAfterMs;
  } catch {
    return false;
  }
}

/** A proxy or a mirror may reach what we cannot see from here: then the download itself is the test. */
async function reachable(env) {
  if (env.HTTPS_PROXY || env.https_proxy || env.ELECTRON_MIRROR || env.npm_config_electron_mirror) return true;
  const open = await new Promise((resolve) => {
    const socket = connect({ host: 'github.com', port: 443 });
    const finish = (value) => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(reachLimitMs, () => finish(false));
    socket.once('connect', () => finish(true)).once('error', () => finish(false));
  });
  if (!open) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(marker, String(Date.now()));
  }
  return open;
}

function download() {
  return new Promise((resolve) => {
    const child = spawn(projectNode(), [join(folder, 'install.js')], { stdio: ['ignore', 'ignore', 'ignore'] });
    const stop = () => child.kill('SIGKILL');
    const timer = setTimeout(stop, downloadLimitMs);
    process.once('exit', stop);
    const finish = () => {
      clearTimeout(timer);
      process.off('exit', stop);
      if (!findElectron()) {
        mkdirSync(cache, { recursive: true });
        writeFileSync(marker, String(Date.now()));
      }
      resolve();
    };
    child.once('error', finish).once('exit', finish);
  });
}
