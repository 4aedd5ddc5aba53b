/**
 * The rpm package, built by electron-builder with its templates and by rpmbuild.
 *
 * @module-tag exhaustive
 * @module-tag rpm
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { linuxBuild } from './fake-electron.ts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

it('The rpm package contains the app, the command line and what updates need, and its scripts are those of the deb package', {
  timeout: 240_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-rpm-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { build, Platform } = await import('electron-builder');
  const options = await linuxBuild(folder);
  const fpm = join(folder, 'fpm');
  writeFileSync(fpm, `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'fpm.ts')}' "$@"\n`, {
    mode: 0o755,
  });
  process.env.CUSTOM_FPM_PATH = fpm;
  const files = await build({ ...options, targets: Platform.LINUX.createTarget('rpm') });
  const rpm = files.find((file) => file.endsWith('.rpm')) ?? '';
  const query = async (...what: string[]) => (await run('rpm', ['--query', '--package', ...what, rpm])).stdout;

  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(await query('--queryformat', '%{NAME} %{VERSION} %{LICENSE}')).toBe(`toolkeep ${version} ${license}`);
  const contents = (await query('--list')).split('\n');
  for (const file of [
    '/opt/Toolkeep/toolkeep-app',
    '/opt/Toolkeep/resources/app.asar',
    '/opt/Toolkeep/resources/app-update.yml',
    '/opt/Toolkeep/resources/bin/toolkeep',
    '/opt/Toolkeep/resources/package-type',
    '/usr/bin/toolkeep',
    '/usr/share/applications/app.toolkeep.desktop',
    '/usr/share/metainfo/app.toolkeep.desktop.metainfo.xml',
  ])
    expect(contents).toContain(file);
  // Other Electron apps own the same links, so the package would not install beside them.
  expect(contents.filter((file) => file.includes('.build-id'))).toEqual([]);
  expect(await query('--requires')).toContain('(mesa-libgbm or libgbm1)');
  const scripts = await query('--scripts');
  expect(scripts).toContain("ln -sf '/opt/Toolkeep/toolkeep-app' '/usr/bin/toolkeep-app'");
  expect(scripts).toContain('toolkeep uninstall --all');
});
