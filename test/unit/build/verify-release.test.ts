/** A downloaded release is complete, unchanged, and what its update feeds promise. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problemsOf, writeSums } from '../../../build/verify-release.mjs';

const zip = 'Toolkeep-1.0.0-mac-arm64.zip';
let folder: string;

const save = (name: string, content: string) => writeFileSync(join(folder, name), content);
const feedOf = (name: string, content: string) => {
  const sha512 = createHash('sha512').update(content).digest('base64');
  return `version: 1.0.0\nfiles:\n  - url: ${name}\n    sha512: ${sha512}\n    size: ${content.length}\npath: ${name}\n`;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolkeep-release-'));
  save(zip, 'app');
  save('latest-mac.yml', feedOf(zip, 'app'));
  writeSums(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('A release', () => {
  it('has no problems as it was built', () => {
    expect(problemsOf(folder)).toEqual([]);
    save('SHA256SUMS.asc', 'signature');
    expect(problemsOf(folder)).toEqual([]);
  });

  it('is refused with a changed, added or missing file', () => {
    save(zip, 'apq');
    save('extra.exe', 'x');
    expect(problemsOf(folder)).toEqual([
      'extra.exe has no checksum.',
      `${zip} was changed.`,
      'No update feed names extra.exe.',
      `latest-mac.yml has a wrong checksum or size for ${zip}.`,
    ]);
    rmSync(join(folder, zip));
    rmSync(join(folder, 'extra.exe'));
    expect(problemsOf(folder)).toEqual([`${zip} is missing.`, `latest-mac.yml names ${zip}, which is missing.`]);
  });

  it('is refused if a feed describes a file that it does not contain', () => {
    save('latest-mac.yml', `${feedOf(zip, 'an older build')}`.replace(`path: ${zip}`, 'path: other.zip'));
    writeSums(folder);
    expect(problemsOf(folder)).toEqual([
      `latest-mac.yml has a wrong checksum or size for ${zip}.`,
      'latest-mac.yml installs other.zip, which it does not list.',
    ]);
  });

  it('is refused without checksums or feeds', () => {
    rmSync(join(folder, 'SHA256SUMS'));
    expect(problemsOf(folder)).toEqual(['SHA256SUMS is missing.']);
    rmSync(join(folder, 'latest-mac.yml'));
    writeSums(folder);
    expect(problemsOf(folder)).toEqual(['There is no update feed.', `No update feed names ${zip}.`]);
  });

  it('is refused if a package that updates itself is in no feed', () => {
    const packages = ['x64.exe', 'mac-x64.zip', 'x86_64.AppImage', 'amd64.deb', 'x86_64.rpm'];
    for (const name of [...packages, 'mac-x64.dmg', 'x64.exe.blockmap']) save(name, 'app');
    save('latest-linux.yml', feedOf('x86_64.AppImage', 'app'));
    writeSums(folder);
    const missing = packages.filter((name) => !name.endsWith('.AppImage'));
    expect(problemsOf(folder).sort()).toEqual(missing.map((name) => `No update feed names ${name}.`).sort());
  });
});
