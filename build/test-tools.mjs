/** Installs missing system programs that some tests need, if they can be installed. */
import { existsSync } from 'node:fs';
import { hasApt, installAsRoot, isRoot } from './debian.mjs';
import { say } from './paths.mjs';

const tools = [
  { tests: 'confined servers', programs: ['bwrap', 'socat'], packages: ['bubblewrap', 'socat'] },
  { tests: 'the keyring', programs: ['dbus-run-session', 'gnome-keyring-daemon'], packages: ['dbus', 'gnome-keyring'] },
  {
    tests: 'the Debian package',
    programs: ['lintian', 'desktop-file-validate', 'appstreamcli'],
    packages: ['lintian', 'desktop-file-utils', 'appstream'],
  },
  {
    tests: 'the windows on X11 and Wayland',
    programs: ['chromium', 'Xvfb', 'openbox', 'wmctrl', 'xdotool', 'sway', 'weston'],
    packages: ['chromium', 'xvfb', 'openbox', 'wmctrl', 'xdotool', 'sway', 'weston'],
  },
  { tests: 'the rpm package', programs: ['rpm', 'rpmbuild'], packages: ['rpm'] },
  { tests: 'the installer for Windows', programs: ['makensis'], packages: ['nsis'] },
];

/** If a program cannot be installed, says so; the tests that need it fail or are skipped. */
export function ensureTestTools() {
  if (process.platform !== 'linux') return;
  const missing = tools.filter(({ programs }) => programs.some((name) => !existsSync(`/usr/bin/${name}`)));
  if (missing.length === 0) return;
  const packages = missing.flatMap((tool) => tool.packages);
  try {
    if (!isRoot() || !hasApt()) throw new Error('only root can install them, with apt-get');
    say(`Installing ${packages.join(', ')} for the tests…`);
    installAsRoot(...packages);
  } catch (error) {
    for (const { tests, programs } of missing)
      say(`Tests of ${tests} fail or are skipped: ${programs.join(' and ')} are missing (${error.message}).`);
  }
}
