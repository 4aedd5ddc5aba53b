/**
 * `npm run smoke -- --app`: the checks of a packaged app, run on an app whose binary is a script.
 *
 * @module-tag exhaustive
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { installBinary } from '../desktop/installed-app.ts';
import { fuseWire } from './fake-electron.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'toolkeep-smoke-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

async function smoke(app: string) {
  const report = join(folder, 'report.json');
  const args = [join(root, 'build/smoke.mjs'), '--app', app, '--report', report];
  const env = { ...process.env, DISPLAY: ':99', TOOLKEEP_NO_SHELL_ENV: '1' };
  const { code = 0 } = await promisify(execFile)(process.execPath, args, { env }).catch((error) => error);
  const { results, notRun } = JSON.parse(readFileSync(report, 'utf8')) as {
    results: { name: string; result: string; detail: unknown }[];
    notRun: { name: string; needs: string }[];
  };
  return { code, failed: results.filter(({ result }) => result !== 'passed'), passed: results.length, notRun };
}

it('A sound package passes every check that this machine can run', { timeout: 240_000 }, async () => {
  // The fuses are those of a binary that electron-builder has packaged.
  const wire = Buffer.from(fuseWire.toString('latin1').replace(/\d{9}$/, '100011000'), 'latin1');
  const { binary } = await installBinary(folder, wire);
  expect(await smoke(binary)).toMatchObject({
    code: 0,
    failed: [],
    passed: 15,
    // The report names each check that needs another run, another machine or a user.
    notRun: expect.arrayContaining([
      { name: 'Everything on macOS', needs: 'macOS' },
      { name: 'Secrets are sealed with the keyring', needs: 'an unlocked keyring (--keyring)' },
    ]),
  });
});

it('A package without its command line, bridge and fuses fails', { timeout: 120_000 }, async () => {
  const { code, failed } = await smoke(process.execPath);
  expect(code).toBe(1);
  expect(failed.map(({ name }) => name)).toContain('The command line prints its version');
});
