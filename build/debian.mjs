/** Installs Debian packages as root, for tests that need system programs. */
import { execFileSync, spawnSync } from 'node:child_process';

export const hasApt = () => process.platform === 'linux' && spawnSync('apt-get', ['--version']).status === 0;
export const isRoot = () => process.getuid?.() === 0;

/** Throws if apt-get fails. */
export function installAsRoot(...packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    execFileSync('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env });
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...packages);
}
