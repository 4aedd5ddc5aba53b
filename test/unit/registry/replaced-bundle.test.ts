/** Exactly the bundle that the user reviewed is installed. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installBundle, type PlannedBundle, planBundle } from '../../../electron/core/registry/bundle/bundle.ts';
import { hashOf, openBundle } from '../../../electron/core/registry/bundle/zip.ts';
import { zipOf } from '../../fixtures/bundle.ts';

const contentOf = (text: string) =>
  zipOf([
    { name: 'manifest.json', content: '{}', method: 0 },
    { name: 'index.mjs', content: text, method: 0, crc: 7 },
  ]);
// The checksum of the entry is the same, as an attacker could make it.
const reviewed = contentOf('console.log("honest");');
const other = contentOf('console.log("evil!!");');

it('A bundle that is replaced while it is unpacked is refused, or installed as it was reviewed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-replaced-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'notes.mcpb');
  for (let round = 0; round < 40; round += 1) {
    writeFileSync(file, reviewed);
    const target = join(folder, 'bundles', `v${round}`);
    const handle = await openBundle(file);
    const origin = { integrity: `sha256-${await hashOf(handle)}` };
    await handle.close();
    const planned = { file, folder: target, origin } as PlannedBundle;
    let isDone = false;
    const installed = installBundle(planned)
      .catch((error: unknown) => expect(error).toMatchObject({ failure: { code: 'INSTALL_REFUSED' } }))
      .finally(() => {
        isDone = true;
      });
    for (let turn = 0; !isDone; turn += 1) {
      writeFileSync(file, turn % 3 === round % 3 ? other : reviewed);
      await new Promise(setImmediate);
    }
    await installed;
    if (existsSync(target)) expect(readFileSync(join(target, 'index.mjs'), 'utf8')).toContain('honest');
    expect(readdirSync(join(folder, 'bundles')).filter((name) => name.startsWith('.tmp-'))).toEqual([]);
  }
});

const kinds: [string, (path: string) => void][] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
  ['a folder', (path) => mkdirSync(path)],
];
it.each(process.platform === 'win32' ? kinds.slice(2) : kinds)(
  'For %s in place of a bundle, the plan and the installation are refused without waiting for it',
  async (_what, make) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-replaced-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'notes.mcpb');
    make(file);
    const refused = { failure: { code: 'INSTALL_REFUSED', message: `${file} is not a regular file.` } };
    const own = {
      servers: [],
      taken: new Set<string>(),
      hasSecret: () => false,
      confinement: async () => undefined,
    };
    const host = { homeDir: folder, dataDir: folder, platform: process.platform, env: {} };
    await expect(planBundle({ file, inputs: {}, ...own }, host)).rejects.toMatchObject(refused);
    const planned = { file, folder: join(folder, 'v1'), origin: {} } as PlannedBundle;
    await expect(installBundle(planned)).rejects.toMatchObject(refused);
  },
);
