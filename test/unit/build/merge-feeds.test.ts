/** The files of a release, collected from the machines that built them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mergeFeeds } from '../../../build/merge-feeds.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolkeep-feeds-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function built(machine: string, feed: string, file: string, version = '1.0.0'): void {
  mkdirSync(join(folder, 'from', machine), { recursive: true });
  writeFileSync(join(folder, 'from', machine, file), file);
  writeFileSync(join(folder, 'from', machine, 'builder-debug.yml'), '');
  writeFileSync(
    join(folder, 'from', machine, feed),
    `version: ${version}\nfiles:\n  - url: ${file}\n    sha512: abc\npath: ${file}\nsha512: abc\n`,
  );
}

it('Both architectures of macOS are in one feed; the feeds of other systems are unchanged', () => {
  built('packages-macos-15-intel', 'latest-mac.yml', 'Toolkeep-1.0.0-mac-x64.zip');
  built('packages-macos-latest', 'latest-mac.yml', 'Toolkeep-1.0.0-mac-arm64.zip');
  built('packages-ubuntu-latest', 'latest-linux.yml', 'Toolkeep-1.0.0-linux-x64.AppImage');
  mergeFeeds(join(folder, 'from'), join(folder, 'to'));
  expect(readdirSync(join(folder, 'to')).sort()).toEqual([
    'Toolkeep-1.0.0-linux-x64.AppImage',
    'Toolkeep-1.0.0-mac-arm64.zip',
    'Toolkeep-1.0.0-mac-x64.zip',
    'latest-linux.yml',
    'latest-mac.yml',
  ]);
  const { files } = parse(readFileSync(join(folder, 'to', 'latest-mac.yml'), 'utf8'));
  expect(files.map(({ url }: { url: string }) => url)).toEqual([
    'Toolkeep-1.0.0-mac-x64.zip',
    'Toolkeep-1.0.0-mac-arm64.zip',
  ]);
});

it('Two versions are not merged', () => {
  built('packages-windows-latest', 'latest.yml', 'a.exe');
  built('packages-windows-11-arm', 'latest.yml', 'b.exe', '1.0.1');
  expect(() => mergeFeeds(join(folder, 'from'), join(folder, 'to'))).toThrow('latest.yml has the versions');
});
