/**
 * The tests' needs of the machine beyond Node, by tag: which programs, and how to install them. A test names its needs as Vitest tags.
 * `npm test` skips a test whose need is missing and says so; `npm run test:all` installs what it can and fails without it.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findBrowser } from './chromium.mjs';
import { hasApt, installAsRoot, isRoot } from './debian.mjs';
import { say } from './paths.mjs';

/** Creates a user namespace, as the sandbox of a confined server does. Containers and some systems refuse it. */
const namespaces = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '/bin/true'];
const displays = ['xvfb', 'openbox', 'wmctrl', 'xdotool', 'sway', 'weston', 'chromium'];

/**
 * @typedef {object} Need
 * @property {string} for what the tests with this tag are about
 * @property {string[]} [programs] which must all be there
 * @property {string[]} [packages] of Debian, which `test:all` installs; a need without packages is skipped wherever it is missing
 * @property {() => boolean} [has] a further condition
 */

/** @type {Record<string, Need>} */
export const needs = {
  bubblewrap: {
    for: 'confined servers',
    programs: ['bwrap'],
    packages: ['bubblewrap'],
    has: () => spawnSync('bwrap', namespaces).status === 0,
  },
  socat: { for: 'the network of confined servers', programs: ['socat'], packages: ['socat'] },
  keyring: {
    for: 'the keyring',
    programs: ['dbus-run-session', 'dbus-daemon', 'gnome-keyring-daemon'],
    packages: ['dbus', 'gnome-keyring'],
  },
  openssl: { for: 'certificates', programs: ['openssl'], packages: ['openssl'] },
  debian: {
    for: 'the Debian package',
    programs: ['dpkg-deb', 'lintian', 'desktop-file-validate', 'appstreamcli'],
    packages: ['lintian', 'desktop-file-utils', 'appstream'],
  },
  displays: {
    for: 'windows on X11 and Wayland',
    programs: ['Xvfb', 'openbox', 'wmctrl', 'xdotool', 'sway', 'weston'],
    packages: displays,
    has: () => findBrowser() !== undefined,
  },
  rpm: { for: 'the rpm package', programs: ['rpm', 'rpmbuild'], packages: ['rpm'] },
  nsis: { for: 'the installer for Windows', programs: ['makensis'], packages: ['nsis'] },
  gpg: { for: 'signed releases', programs: ['gpg'], packages: ['gpg'] },
  docker: { for: 'the container image', programs: ['docker'], has: () => spawnSync('docker', ['info']).status === 0 },
  linux: { for: 'Linux, with /proc', has: () => process.platform === 'linux' },
  posix: { for: 'POSIX modes, pipes and signals', has: () => process.platform !== 'win32' },
};

/** The tags of the needs that this machine lacks. */
export const missingNeeds = () =>
  Object.keys(needs).filter((tag) => {
    const { programs = [], has = () => true } = needs[tag];
    return !programs.every(isProgram) || !has();
  });

/** The needs that `test:all` installs, so that a test without them fails. Only Debian's packages can be installed. */
export const installable = () =>
  Object.keys(needs).filter((tag) => process.platform === 'linux' && needs[tag].packages !== undefined);

function isProgram(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The tags of the tests that `npm test` leaves out on some machine: `test:all` runs them everywhere. */
export const leftToRest = ['exhaustive', ...installable()];

/** Installs missing programs; if it cannot, says so, and the tests that need them fail. */
export function ensureTestTools() {
  const can = new Set(installable());
  const missing = missingNeeds().filter((tag) => can.has(tag));
  if (missing.length === 0) return;
  const packages = missing.flatMap((tag) => needs[tag].packages);
  try {
    if (!isRoot() || !hasApt()) throw new Error('only root can install them, with apt-get');
    say(`Installing ${packages.join(', ')} for the tests…`);
    installAsRoot(...packages);
  } catch (error) {
    say(`Missing: ${packages.join(', ')} (${error.message}). The tests that need them fail.`);
  }
}
