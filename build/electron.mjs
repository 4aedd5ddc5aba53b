/** Finds Electron's binary, or downloads it with a time limit. Its npm package would download it on first use, without a limit. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { cache, projectNode, root, say } from './paths.mjs';

const folder = join(root, 'node_modules', 'electron');
const reachLimitMs = 3_000;
const downloadLimitMs = 300_000;
const marker = join(cache, 'electron-unreachable');
const retryAfterMs = 10 * 60_000;

/** The path of an existing Electron binary, or undefined. */
export function findElectron(env = process.env) {
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  const name =
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';
  const file = override ? join(override, name) : join(folder, 'dist', name);
  return existsSync(file) ? file : undefined;
}

/** Downloads the binary if necessary. Never rejects, and gives up quickly if the download host is unreachable. */
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

/** With a proxy or a mirror, only an actual download shows whether the host is reachable. */
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

/**
 * Why Chromium's sandbox cannot start here, or undefined. On Linux it needs user namespaces, which Ubuntu 23.10 and later deny to
 * unpackaged programs, or a setuid helper, which npm cannot install. Electron would abort without either.
 */
export function sandboxObstacle(electron, { platform = process.platform, unshare = 'unshare' } = {}) {
  if (platform !== 'linux' || process.getuid?.() === 0) return undefined;
  try {
    const { mode, uid } = statSync(join(dirname(electron), 'chrome-sandbox'));
    if (uid === 0 && mode & 0o4000) return undefined;
  } catch {
    // The setuid helper does not exist.
  }
  if (spawnSync(unshare, ['-Ur', 'true'], { timeout: 2_000 }).status === 0) return undefined;
  return 'This system does not allow the sandbox of an unpackaged Electron to start (install a package of Toolkeep instead)';
}
