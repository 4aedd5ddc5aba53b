/** The feed and the format that a package records for its updates. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { feedOf, packageIn } from '../../../electron/desktop/update-package.ts';

let resources: string;
const logged: string[] = [];
const log = (_level: string, message: string) => void logged.push(message);
beforeEach(() => {
  resources = mkdtempSync(join(tmpdir(), 'toolkeep-package-'));
  logged.length = 0;
});
afterEach(() => rmSync(resources, { recursive: true, force: true }));
const write = (name: string, text: string) => writeFileSync(join(resources, name), text);

describe('The feed of a package', () => {
  it('is used if it is on GitHub, encrypted, or on this machine', () => {
    for (const feed of [
      'provider: github\nowner: o\nrepo: r\n',
      'provider: generic\nurl: https://example.com/releases\n',
      'provider: generic\nurl: http://127.0.0.1:8080\n',
    ]) {
      write('app-update.yml', feed);
      expect(feedOf(resources, log), feed).toBeDefined();
    }
  });

  it('is ignored if it is missing or a placeholder, without a message', () => {
    expect(feedOf(resources, log)).toBeUndefined();
    write('app-update.yml', 'provider: generic\nurl: https://updates.toolkeep.invalid\n');
    expect(feedOf(resources, log)).toBeUndefined();
    expect(logged).toEqual([]);
  });

  it('is ignored if it is not encrypted, with a message', () => {
    write('app-update.yml', 'provider: generic\nurl: http://example.com/releases\n');
    expect(feedOf(resources, log)).toBeUndefined();
    expect(logged).toEqual([expect.stringContaining('not encrypted')]);
  });

  it('is ignored if it cannot be read, with a message', () => {
    for (const feed of ['provider: generic\nurl: releases\n', 'provider: [', '']) {
      write('app-update.yml', feed);
      expect(feedOf(resources, log), feed).toBeUndefined();
    }
    expect(logged).toHaveLength(3);
  });
});

describe('The format of a package', () => {
  it('on Linux is the one that electron-builder recorded, and unknown for an archive', () => {
    expect(packageIn(resources, 'linux')).toBe('unknown');
    write('package-type', 'deb\n');
    expect(packageIn(resources, 'linux')).toBe('deb');
    write('package-type', 'rpm');
    expect(packageIn(resources, 'linux')).toBe('rpm');
    write('package-type', 'flatpak');
    expect(packageIn(resources, 'linux')).toBe('unknown');
  });

  it('is the same for all apps on macOS and Windows', () => {
    expect(packageIn(resources, 'darwin')).toBe('zip');
    expect(packageIn(resources, 'win32')).toBe('exe');
  });
});
