/**
 * Finds Chromium for the tests, or installs Debian's packages: system-wide as root, otherwise unpacked in
 * node_modules/.cache, so `npm test` needs no root privileges. `TOOLKEEP_CHROMIUM` names another binary.
 *
 * On Debian, that is Chromium's headless shell. It has the same engine and no browser around it, so starting it takes less
 * than half of the CPU time.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { hasApt, installAsRoot, isRoot } from './debian.mjs';
import { cache, say } from './paths.mjs';

const shell = 'chromium-headless-shell';
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const macApps = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
const unpacked = join(cache, 'chromium');
const wrapper = join(unpacked, 'run-chromium');

/** The path of a Chromium binary, or undefined. */
export function findChromium() {
  if (process.env.TOOLKEEP_CHROMIUM) return process.env.TOOLKEEP_CHROMIUM;
  return findShell() ?? findBrowser();
}

/** The path of a Chromium or Chrome that can show windows, or undefined. */
export function findBrowser() {
  return [...onPath(names), ...macApps].find((file) => existsSync(file));
}

const findShell = () => [...onPath([shell]), wrapper].find((file) => existsSync(file));

const onPath = (programs) =>
  (process.env.PATH ?? '').split(delimiter).flatMap((folder) => programs.map((name) => join(folder, name)));

/** Finds or installs Chromium; throws an error with the next step if neither is possible. */
export function ensureChromium() {
  if (process.env.TOOLKEEP_CHROMIUM || findShell()) return;
  const browser = findBrowser();
  if (!isDebian()) {
    if (browser) return;
    throw new Error(
      'The tests need Chromium and it is not installed. Install Chromium or Chrome, or set TOOLKEEP_CHROMIUM to its path.',
    );
  }
  say("Installing Chromium's headless shell for the tests (about 100 MB)…");
  try {
    if (isRoot()) installAsRoot(shell, 'fonts-liberation');
    else unpackWithoutRights();
    if (!findShell()) throw new Error('it cannot be found after the installation');
  } catch (error) {
    const reason = `Chromium's headless shell could not be installed from Debian's packages (${error.message}).`;
    if (!browser) throw new Error(`${reason} Install Chromium by hand, or set TOOLKEEP_CHROMIUM to its path.`);
    say(`${reason} The tests use ${browser}, and take longer.`);
  }
}

/** Ubuntu also has apt-get, but its package only refers to a snap. */
const isDebian = () => hasApt() && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));

/** Keeps package lists, downloads and files in our cache folder. dpkg-deb can unpack without root privileges. */
function unpackWithoutRights() {
  const state = join(cache, 'apt');
  for (const folder of ['lists/partial', 'archives/partial']) mkdirSync(join(state, folder), { recursive: true });
  const options = [
    ['Dir::State', state],
    ['Dir::State::lists', join(state, 'lists')],
    ['Dir::State::status', '/var/lib/dpkg/status'],
    ['Dir::Cache', state],
    ['Dir::Cache::archives', join(state, 'archives')],
    ['Debug::NoLocking', '1'],
    ['APT::Sandbox::User', ''],
  ].flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  const apt = (...args) =>
    execFileSync('apt-get', ['-qq', ...options, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update');
  const packages = [shell, 'chromium-common', 'fonts-liberation'];
  // Without --reinstall, chromium-common would be missing beside the shell if the system has it.
  apt('install', '-y', '--download-only', '--reinstall', '--no-install-recommends', ...packages);
  const staging = `${unpacked}.staging`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  for (const deb of readdirSync(join(state, 'archives')).filter((name) => name.endsWith('.deb')))
    execFileSync('dpkg-deb', ['-x', join(state, 'archives', deb), staging]);
  const libraries = readdirSync(join(staging, 'usr/lib'))
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(unpacked, 'usr/lib', name));
  writeFileSync(
    join(staging, 'run-chromium'),
    `#!/bin/sh\n# Chromium unpacked beside its libraries; the system is unchanged.\nexport LD_LIBRARY_PATH="${libraries.join(':')}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"\nexport XDG_DATA_DIRS="${join(unpacked, 'usr/share')}:/usr/share"\nexport FONTCONFIG_PATH="$([ -d /etc/fonts ] && echo /etc/fonts || echo ${join(unpacked, 'etc/fonts')})"\nexec "${join(unpacked, 'usr/lib/chromium', shell)}" --no-sandbox "$@"\n`,
  );
  chmodSync(join(staging, 'run-chromium'), 0o755);
  rmSync(unpacked, { recursive: true, force: true });
  execFileSync('mv', [staging, unpacked]);
  rmSync(state, { recursive: true, force: true });
}
