/** Electron distributions with the files that packing needs; those for macOS and Windows have a fuse wire to flip. */
import { appendFileSync, copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const fromHere = createRequire(import.meta.url);
const fromBuilder = createRequire(fromHere.resolve('electron-builder'));
const builderLib = createRequire(fromBuilder.resolve('app-builder-lib'));

interface Executable {
  generate(): ArrayBuffer;
}
interface Entries {
  entries: unknown[];
  outputResource(executable: Executable): void;
}
const resedit = builderLib('resedit') as {
  NtExecutable: { createEmpty(is32Bit: boolean, isDll: boolean): Executable };
  NtExecutableResource: { from(executable: Executable): Entries };
  Resource: {
    VersionInfo: {
      createEmpty(): {
        setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void;
        outputToResourceEntries(entries: unknown[]): void;
      };
    };
  };
};

/** electron-builder's own copy. */
export const asar = builderLib('@electron/asar') as {
  createPackage(from: string, to: string): Promise<void>;
  listPackage(file: string): string[];
  extractAll(file: string, to: string): void;
};

/** Options of electron-builder for a package of this project for Linux, around a fake Electron, in `folder`/release. */
export async function linuxBuild(folder: string) {
  return {
    projectDir: join(import.meta.dirname, '../../..'),
    publish: 'never' as const,
    config: {
      electronDist: await fakeLinuxElectron(join(folder, 'electron')),
      // Fuses are bits in the real binary.
      electronFuses: null,
      directories: { output: join(folder, 'release') },
    },
  };
}

/**
 * Electron reads from archives and Node does not, so this moves the archive to `archive` and extracts it into a folder of the same
 * name.
 */
export function extractArchive(resources: string, archive: string): void {
  const inPlace = join(resources, 'app.asar');
  renameSync(inPlace, archive);
  renameSync(`${inPlace}.unpacked`, `${archive}.unpacked`);
  asar.extractAll(archive, inPlace);
}

/** Where Electron's binary keeps its fuses: a marker, the version, the number of fuses, and their states. */
export const fuseWire = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('101100110'),
]);

const helpers = ['', ' (Renderer)', ' (GPU)', ' (Plugin)'];

/** `Electron.app` with its framework and helpers. */
export function fakeMacElectron(folder: string): string {
  const contents = join(folder, 'Electron.app/Contents');
  bundle(contents, 'Electron', 'com.github.Electron');
  fakeLanguages(join(contents, 'Resources'), ['en.lproj', 'de.lproj']);
  for (const helper of helpers) {
    const name = `Electron Helper${helper}`;
    bundle(join(contents, 'Frameworks', `${name}.app/Contents`), name, 'com.github.Electron.helper');
  }
  const framework = join(contents, 'Frameworks/Electron Framework.framework');
  mkdirSync(join(framework, 'Resources'), { recursive: true });
  fakeLanguages(join(framework, 'Versions/A/Resources'), ['en.lproj', 'de.lproj']);
  writeFileSync(join(framework, 'Electron Framework'), fuseWire);
  return folder;
}

/** Chromium's own strings, which are large. */
function fakeLanguages(folder: string, names: string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), '');
}

function bundle(contents: string, name: string, id: string): void {
  mkdirSync(join(contents, 'MacOS'), { recursive: true });
  writeFileSync(join(contents, 'MacOS', name), '', { mode: 0o755 });
  const values = { CFBundleExecutable: name, CFBundleIdentifier: id, CFBundleName: name, CFBundlePackageType: 'APPL' };
  const keys = Object.entries(values).map(([key, value]) => `<key>${key}</key><string>${value}</string>`);
  writeFileSync(
    join(contents, 'Info.plist'),
    `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>${keys.join('')}</dict></plist>`,
  );
}

/** `electron` as a program that does nothing. */
export async function fakeLinuxElectron(folder: string): Promise<string> {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(`${folder}-default-app`);
  writeFileSync(join(`${folder}-default-app`, 'index.js'), '');
  await asar.createPackage(`${folder}-default-app`, join(folder, 'resources/default_app.asar'));
  writeFileSync(join(folder, 'electron'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  // A binary with a build ID, as Electron's.
  copyFileSync('/bin/true', join(folder, 'chrome-sandbox'));
  fakeLanguages(join(folder, 'locales'), ['en-US.pak', 'de.pak']);
  return folder;
}

/** `electron.exe` as a program without code; the builder writes the archive's hash into its resources. */
export function fakeWindowsElectron(folder: string): string {
  const executable = resedit.NtExecutable.createEmpty(false, false);
  const resources = resedit.NtExecutableResource.from(executable);
  const version = resedit.Resource.VersionInfo.createEmpty();
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(executable);
  mkdirSync(join(folder, 'resources'), { recursive: true });
  fakeLanguages(join(folder, 'locales'), ['en-US.pak', 'de.pak']);
  const file = join(folder, 'electron.exe');
  writeFileSync(file, Buffer.from(executable.generate()));
  appendFileSync(file, fuseWire);
  return folder;
}

/** The native part of the keyring for another system, which npm does not install here. */
export function fakeKeyring(folder: string, target: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: `@napi-rs/keyring-${target}`, version: '0.0.0' }));
  writeFileSync(join(folder, `keyring.${target}.node`), target);
  return folder;
}
