/** Installs a keyring for the tests of the vault, where it is missing and can be installed. */
import { existsSync } from 'node:fs';
import { hasApt, installAsRoot, isRoot } from './debian.mjs';
import { say } from './paths.mjs';

const programs = ['dbus-run-session', 'gnome-keyring-daemon'];

/** Without a keyring, its tests are skipped; that is said. */
export function ensureKeyring() {
  if (process.platform !== 'linux' || programs.every((name) => existsSync(`/usr/bin/${name}`))) return;
  try {
    if (!isRoot() || !hasApt()) throw new Error('only root can install them, with apt-get');
    say('Installing gnome-keyring for the tests…');
    installAsRoot('dbus', 'gnome-keyring');
  } catch (error) {
    say(`The tests of the keyring are skipped: ${programs.join(' and ')} are missing (${error.message}).`);
  }
}
