/**
 * The Debian package, built by electron-builder with its templates. It is installed into an empty root directory, where its
 * scripts run in a chroot. Electron's binary is a script that behaves like it with ELECTRON_RUN_AS_NODE.
 *
 * @module-tag exhaustive
 * @module-tag debian
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extractArchive, linuxBuild } from './fake-electron.ts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'toolkeep-debian-'));
const output = join(folder, 'release');
const unpacked = join(output, 'linux-unpacked');
const installed = join(folder, 'root');
let deb: string;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In a user namespace, a user without root privileges can run the scripts in a chroot. */
const asRoot = process.getuid?.() === 0 ? [] : ['unshare', '--map-root-user'];
const sudo = (program: string, ...args: string[]) => {
  const [first = program, ...others] = [...asRoot, program, ...args];
  return run(first, others);
};
const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version as string;

describe('The Debian package', () => {
  beforeAll(async () => {
    const { build, Platform } = await import('electron-builder');
    const options = await linuxBuild(folder);
    await build({ ...options, targets: Platform.LINUX.createTarget('dir') });
    unpackArchive();
    const fpm = join(folder, 'fpm');
    writeFileSync(fpm, `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'fpm.ts')}' "$@"\n`, {
      mode: 0o755,
    });
    process.env.CUSTOM_FPM_PATH = fpm;
    const files = await build({ ...options, targets: Platform.LINUX.createTarget('deb'), prepackaged: unpacked });
    deb = files.find((file) => file.endsWith('.deb')) ?? '';
    await install();
  }, 240_000);

  it('has the metadata that Debian requires', async () => {
    const { stdout } = await run('dpkg-deb', ['--field', deb]);
    expect(stdout).toMatch(/^Package: toolkeep$/m);
    expect(stdout).toMatch(new RegExp(`^Version: ${version}$`, 'm'));
    expect(stdout).toMatch(/^Maintainer: .+ <.+@.+>$/m);
    expect(stdout).toMatch(/^Homepage: https:/m);
    expect(stdout).toMatch(/^Depends: .*libsecret-1-0.*libasound2t64 \| libasound2, libgbm1/m);
  });

  it('contains the app, the command line, the desktop entry with its icons, and what updates need', async () => {
    const { stdout } = await run('dpkg-deb', ['--contents', deb]);
    for (const file of [
      'opt/Toolkeep/toolkeep-app',
      'opt/Toolkeep/resources/bin/toolkeep',
      'opt/Toolkeep/resources/bridge.cjs',
      'opt/Toolkeep/resources/app-update.yml',
      'opt/Toolkeep/resources/apparmor-profile',
      'usr/bin/toolkeep',
      'usr/share/applications/app.toolkeep.desktop',
      'usr/share/metainfo/app.toolkeep.desktop.metainfo.xml',
      ...[16, 32, 48, 128, 256, 512].map((size) => `usr/share/icons/hicolor/${size}x${size}/apps/toolkeep-app.png`),
    ])
      expect(stdout).toContain(`./${file}\n`);
    expect(readFileSync(join(installed, 'opt/Toolkeep/resources/package-type'), 'utf8')).toBe('deb');
  });

  it('installs `toolkeep` as the command line, and the app under its own name', async () => {
    const { stdout } = await sudo('chroot', installed, '/usr/bin/toolkeep', '--version');
    expect(stdout.trim()).toBe(version);
    const help = await sudo('chroot', installed, '/usr/bin/toolkeep', '--help');
    expect(help.stdout).toContain('install');
    expect((await sudo('chroot', installed, '/usr/bin/readlink', '-f', '/usr/bin/toolkeep-app')).stdout.trim()).toBe(
      '/opt/Toolkeep/toolkeep-app',
    );
  });

  it('has an AppArmor profile that lets the sandbox of exactly this binary start', () => {
    const profile = readFileSync(join(installed, 'opt/Toolkeep/resources/apparmor-profile'), 'utf8');
    expect(profile).toContain('"/opt/Toolkeep/toolkeep-app" flags=(unconfined)');
    expect(profile).toMatch(/^\s*userns,$/m);
  });

  it('is described for software centers as AppStream requires', async () => {
    const file = join(installed, 'usr/share/metainfo/app.toolkeep.desktop.metainfo.xml');
    const { stdout } = await run('appstreamcli', ['validate', '--no-net', '--no-color', file]);
    expect(stdout).toContain('Validation was successful');
    // The names that desktops use, and those in the package.
    const text = readFileSync(file, 'utf8');
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(text).toContain(`<launchable type="desktop-id">${manifest.desktopName}</launchable>`);
    for (const value of [manifest.license, manifest.homepage]) expect(text).toContain(`>${value}<`);
  });

  it('has a desktop entry that desktop-file-validate accepts', async () => {
    const entry = join(installed, 'usr/share/applications/app.toolkeep.desktop');
    const { stdout, stderr } = await run('desktop-file-validate', [entry]);
    expect(stdout + stderr).toBe('');
    const text = readFileSync(entry, 'utf8');
    expect(text).toMatch(/^Exec=\/opt\/Toolkeep\/toolkeep-app %U$/m);
    expect(text).toMatch(/^Icon=toolkeep-app$/m);
  });

  it('causes no lintian errors except those of every Electron app', { timeout: 180_000 }, async () => {
    const { stdout } = await run('lintian', ['--tag-display-limit', '0', '--allow-root', deb]).catch((error) => error);
    const errors = [...String(stdout).matchAll(/^E: toolkeep: (\S+)/gm)].map(([, tag]) => tag);
    const accepted = [
      // fpm writes neither of them.
      'no-changelog',
      'no-copyright-file',
      // Everything outside of /usr/bin is in /opt, as for all apps that do not come from Debian.
      'dir-or-file-in-opt',
      // electron-builder names the libraries that Electron loads, and these need the C library.
      'missing-dependency-on-libc',
      // The interpreter is in the archive, which is a folder in this test.
      'missing-dep-for-interpreter',
    ];
    expect([...new Set(errors)].filter((tag) => !accepted.includes(tag ?? ''))).toEqual([]);
  });

  it('keeps the entry in the file of a client through an upgrade and a removal, and names what is missing then', async () => {
    const home = join(installed, 'home/me');
    mkdirSync(join(home, '.cursor'), { recursive: true });
    const inRoot = (...command: string[]) =>
      sudo('chroot', installed, '/usr/bin/env', 'HOME=/home/me', 'TOOLKEEP_NO_SHELL_ENV=1', ...command);
    await inRoot('/usr/bin/toolkeep', 'install', 'cursor', '--yes');
    const file = join(home, '.cursor/mcp.json');
    const entry = readFileSync(file, 'utf8');
    const launcher = JSON.parse(entry).mcpServers.toolkeep.command;
    expect(launcher).toBe('/home/me/.toolkeep/bin/toolkeep-bridge');

    const { build, Platform } = await import('electron-builder');
    const { config, ...options } = await linuxBuild(join(folder, 'next'));
    const newer = { ...config, extraMetadata: { version: '99.0.0' } };
    const targets = Platform.LINUX.createTarget('deb');
    const files = await build({ ...options, config: newer, targets, prepackaged: unpacked });
    await sudo(...dpkg('--install', files.find((path) => path.endsWith('.deb')) ?? ''));
    const { stdout: status } = await run('dpkg-query', [`--admindir=${join(installed, 'var/lib/dpkg')}`, '--show']);
    expect(status.trim()).toBe('toolkeep\t99.0.0');
    expect(readFileSync(file, 'utf8')).toBe(entry);
    const text = readFileSync(join(installed, launcher), 'utf8');
    for (const program of ['/opt/Toolkeep/toolkeep-app', '/opt/Toolkeep/resources/bridge.cjs']) {
      expect(text).toContain(`'${program}'`);
      expect(existsSync(join(installed, program))).toBe(true);
    }

    const { stdout } = await sudo(...dpkg('--remove', 'toolkeep'));
    expect(stdout).toContain('toolkeep uninstall --all');
    expect(readFileSync(file, 'utf8')).toBe(entry);
    const gone = await inRoot('/bin/sh', '-c', `${launcher} < /dev/null`).catch((error) => error);
    expect(gone.stderr).toContain('Toolkeep is no longer at /opt/Toolkeep/toolkeep-app');
  });

  it('removes its links', () => {
    for (const file of ['usr/bin/toolkeep', 'usr/bin/toolkeep-app', 'opt/Toolkeep/toolkeep-app'])
      expect(existsSync(join(installed, file)), file).toBe(false);
  });
});

/** Node reads no archives, so the archive becomes a folder of the same name; the binary runs scripts with this Node. */
function unpackArchive(): void {
  extractArchive(join(unpacked, 'resources'), join(folder, 'app.asar'));
  const asNode = `Object.defineProperty(process.versions, 'electron', { value: '45.4.1' });
    process.resourcesPath = '/opt/Toolkeep/resources';
    process.execPath = '/opt/Toolkeep/toolkeep-app';`;
  writeFileSync(join(unpacked, 'as-node.cjs'), asNode);
  const node = '/usr/bin/node -r /opt/Toolkeep/as-node.cjs';
  const script = `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] || exit 9\nexec ${node} "$@"\n`;
  writeFileSync(join(unpacked, 'toolkeep-app'), script);
  chmodSync(join(unpacked, 'toolkeep-app'), 0o755);
}

/** The programs that the package's scripts and the command line need, with their libraries. */
async function install(): Promise<void> {
  const programs = ['/bin/sh', '/bin/bash', '/usr/bin/env'];
  for (const name of ['readlink', 'dirname', 'uname', 'chmod', 'ln', 'rm', 'cat']) programs.push(`/usr/bin/${name}`);
  for (const program of programs) copyProgram(program, program);
  copyProgram(process.execPath, '/usr/bin/node');
  for (const path of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'tmp', 'etc', 'dev'])
    mkdirSync(join(installed, path), { recursive: true });
  writeFileSync(join(installed, 'var/lib/dpkg/status'), '');
  writeFileSync(join(installed, 'var/lib/dpkg/available'), '');
  await sudo(...dpkg('--install', deb));
}

const dpkg = (...args: string[]): [string, ...string[]] => [
  'dpkg',
  `--root=${installed}`,
  '--force-depends',
  '--force-not-root',
  '--log=/dev/null',
  ...args,
];

function copyProgram(from: string, to: string): void {
  const libraries = execFileSync('ldd', [from], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g);
  for (const [source, target] of [[from, to], ...Array.from(libraries, ([, library = '']) => [library, library])]) {
    const file = join(installed, target ?? '');
    if (existsSync(file)) continue;
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(source ?? '', file);
  }
}
