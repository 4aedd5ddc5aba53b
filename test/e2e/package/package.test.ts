/**
 * The contents of the packages, built by electron-builder around fake Electron distributions.
 *
 * @module-tag exhaustive
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { asar, extractArchive, linuxBuild } from './fake-electron.ts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'toolkeep-package-'));
const app = join(folder, 'release/linux-unpacked');
const resources = join(app, 'resources');
/** The archive, extracted into a folder of the same name. */
const unpacked = join(resources, 'app.asar');
const archive = join(folder, 'app.asar');
const config = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));

beforeAll(async () => {
  const { build, Platform } = await import('electron-builder');
  await build({ ...(await linuxBuild(folder)), targets: Platform.LINUX.createTarget('dir') });
  extractArchive(resources, archive);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('The packed app', () => {
  it('contains only the build output that it needs', () => {
    const files = asar.listPackage(archive);
    for (const file of ['main.js', 'headless.js', 'cli.js', 'preload.cjs', 'renderer/index.html'])
      expect(files).toContain(`/dist/${file}`);
    const packages = new Set(files.map((file) => /^\/node_modules\/((?:@[^/]+\/)?[^/@]+)/.exec(file)?.[1]));
    packages.delete(undefined);
    expect([...packages].filter((name) => !/^(@napi-rs\/keyring.*|jiti)$/.test(name ?? ''))).toEqual([]);
    expect(
      files.filter(
        (file) => /^\/(electron|renderer|shared|test)\/|\.ts$|\/\.stamp/.test(file) && !file.includes('node_modules'),
      ),
    ).toEqual([]);
    expect(statSync(archive).size).toBeLessThan(25_000_000);
  });

  it('contains its license, and those of all packages that it bundles', () => {
    expect(readFileSync(join(unpacked, 'LICENSE'), 'utf8')).toMatch(/^MIT License/);
    const bundled = ['licenses-node.md', 'renderer/licenses.md'].flatMap((file) =>
      readFileSync(join(unpacked, 'dist', file), 'utf8')
        .split(/^## (?=\S+ - \d)/m)
        .slice(1),
    );
    const nameOf = (text: string) => text.split(' ', 1)[0];
    const names = bundled.map(nameOf);
    for (const name of ['@opentelemetry/api', 'electron-updater', 'yauzl', 'react']) expect(names).toContain(name);
    expect(bundled.find((text) => nameOf(text) === '@fontsource-variable/inter')).toContain('SIL OPEN FONT LICENSE');
    // These publish no license text, only the name of the license.
    const withoutText = ['ibantools', 'lazy-val', '@lobehub/icons-static-svg', 'react-remove-scroll-bar'];
    expect(bundled.filter((text) => text.length < 250).map(nameOf)).toEqual(withoutText);
  });

  it('contains the address of its feed, a placeholder until the releases have one', () => {
    const feed = parse(readFileSync(join(resources, 'app-update.yml'), 'utf8'));
    expect(feed).toEqual({ ...config.publish, updaterCacheDirName: 'toolkeep-updater' });
    expect(new URL(feed.url).protocol).toBe('https:');
  });

  it('runs outside of the checkout: a search, a TypeScript config and a call', async () => {
    mkdirSync(join(folder, 'home/.toolkeep'), { recursive: true });
    const server = { type: 'stdio', command: process.execPath, args: [join(root, 'test/fixtures/github.ts')] };
    writeFileSync(
      join(folder, 'home/.toolkeep/config.ts'),
      `interface Any { [key: string]: unknown }\nexport default { servers: [{ name: 'github', connection: ${JSON.stringify(server)} }] } satisfies Any;\n`,
    );
    const env = { PATH: process.env.PATH ?? '', HOME: join(folder, 'home'), TOOLKEEP_NO_SHELL_ENV: '1' };
    const cli = (...args: string[]) =>
      run(process.execPath, [join(unpacked, 'dist/cli.js'), ...args], { cwd: folder, env }).catch((error) => {
        throw new Error(`${error.message} ${error.stdout}`, { cause: error });
      });
    const found = JSON.parse((await cli('search', 'create issue', '--json')).stdout);
    expect(found.results[0]).toMatchObject({ server: 'github', tool: 'create_issue' });
    const args = '{"repo":"o/r","title":"T"}';
    const done = JSON.parse((await cli('execute', 'github', 'create_issue', '--args', args, '--json')).stdout);
    expect(done.success).toBe(true);
  });

  it('contains the bridge and the command line as files that other programs can start', async () => {
    const launcher = join(resources, 'bin/toolkeep');
    expect(statSync(launcher).mode & 0o111).not.toBe(0);
    expect(existsSync(join(resources, 'bin/toolkeep.cmd'))).toBe(true);
    expect(readFileSync(join(resources, 'bridge.cjs'), 'utf8')).toBe(
      readFileSync(join(root, 'dist/bridge.cjs'), 'utf8'),
    );
    // The app's binary as it behaves with ELECTRON_RUN_AS_NODE.
    const binary = join(app, 'toolkeep-app');
    writeFileSync(binary, `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] || exit 9\nexec "${process.execPath}" "$@"\n`);
    chmodSync(binary, 0o755);
    const { stdout } = await run(launcher, ['--version'], { env: { PATH: process.env.PATH ?? '', HOME: folder } });
    expect(stdout.trim()).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  });
});

describe('The packaging configuration', () => {
  it('has packages for macOS, Windows and Linux, each with its icon', () => {
    const targets = (platform: string) => config[platform].target.map(({ target }: { target: string }) => target);
    expect(targets('mac')).toEqual(['dmg', 'zip']);
    expect(targets('win')).toEqual(['nsis']);
    expect(targets('linux')).toEqual(['AppImage', 'deb', 'rpm']);
    for (const platform of ['mac', 'win', 'linux']) expect(existsSync(join(root, config[platform].icon))).toBe(true);
  });

  it('disables every fuse that the app does not need', () => {
    expect(config.mac.hardenedRuntime).toBe(true);
    expect(existsSync(join(root, config.mac.entitlements))).toBe(true);
    const enabled = Object.entries(config.electronFuses).flatMap(([name, value]) => (value ? [name] : []));
    expect(enabled).toEqual([
      'runAsNode',
      'enableEmbeddedAsarIntegrityValidation',
      'onlyLoadAppFromAsar',
      'resetAdHocDarwinSignature',
    ]);
  });

  it('has the fields of package.json that deb and rpm packages require', async () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      productName: 'Toolkeep',
      desktopName: 'app.toolkeep.desktop',
      homepage: expect.stringMatching(/^https:/),
      author: expect.stringContaining('<'),
    });
  });

  it('installs the command line as /usr/bin/toolkeep, in addition to the app', () => {
    expect(config.linux.executableName).toBe('toolkeep-app');
    for (const format of ['deb', 'rpm']) {
      const mapping = config[format].fpm.find((option: string) => !option.startsWith('--'));
      const [source, target] = mapping.split('=');
      expect(target).toBe('/usr/bin/toolkeep');
      expect(statSync(join(root, source)).mode & 0o111).not.toBe(0);
      expect(readFileSync(join(root, source), 'utf8')).toContain('exec /opt/Toolkeep/resources/bin/toolkeep "$@"');
    }
  });

  it("warns before a removal, but not before an update, that clients' config files still name the app", async () => {
    for (const format of ['deb', 'rpm']) {
      const option = config[format].fpm.find((one: string) => one.startsWith('--before-remove='));
      const script = join(root, option.replace('--before-remove=', ''));
      expect(statSync(script).mode & 0o111).not.toBe(0);
      for (const removal of ['remove', '0'])
        expect((await run(script, [removal])).stdout).toContain('toolkeep uninstall --all');
      for (const update of ['upgrade', '1']) expect((await run(script, [update])).stdout).toBe('');
    }
  });

  it('asks on Windows whether to remove Toolkeep from clients, but only if the user uninstalls it', () => {
    const script = readFileSync(join(root, config.nsis.include), 'utf8');
    expect(script).toMatch(/!macro customUnInstall\s+\$\{ifNot\} \$\{isUpdated\}/);
    expect(script).toContain('resources\\bin\\toolkeep.cmd" uninstall --all --yes');
    expect(script.indexOf('MessageBox MB_YESNO')).toBeLessThan(script.indexOf('uninstall --all'));
  });

  it('passes every argument to the command line on Windows, even one with a parenthesis, which could end a block', () => {
    const script = readFileSync(join(root, 'build/bin/toolkeep.cmd'), 'utf8');
    const lines = script.split(/\r?\n/).filter((line) => !line.startsWith('rem'));
    expect(lines.filter((line) => /[()]/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes('%*'))).toHaveLength(2);
  });

  it('lets servers request access on macOS: each entitlement has a usage description', () => {
    const entitlements = readFileSync(join(root, config.mac.entitlements), 'utf8');
    const granted = [...entitlements.matchAll(/<key>([^<]+)<\/key>\s*<true\/>/g)].map(([, name]) => name);
    const usage: Record<string, string> = {
      'com.apple.security.automation.apple-events': 'NSAppleEventsUsageDescription',
      'com.apple.security.device.audio-input': 'NSMicrophoneUsageDescription',
      'com.apple.security.device.camera': 'NSCameraUsageDescription',
      'com.apple.security.personal-information.addressbook': 'NSContactsUsageDescription',
      'com.apple.security.personal-information.calendars': 'NSCalendarsFullAccessUsageDescription',
      'com.apple.security.personal-information.location': 'NSLocationUsageDescription',
      'com.apple.security.personal-information.photos-library': 'NSPhotoLibraryUsageDescription',
    };
    expect(granted).toEqual(['com.apple.security.cs.allow-jit', ...Object.keys(usage)]);
    for (const name of Object.values(usage)) expect(config.mac.extendInfo[name]).toContain('MCP server');
    expect(config.mac.extendInfo.LSUIElement).toBe(true);
  });
});

describe('npm run package', () => {
  it('reports in one line that the Electron binary is unavailable', async () => {
    const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' };
    const failed = await run(process.execPath, [join(root, 'build/package.mjs')], { env }).catch((error) => error);
    expect(failed.code).toBe(1);
    expect(failed.stderr.trim().split('\n')).toEqual([expect.stringContaining("Electron's binary is unavailable")]);
  });
});
