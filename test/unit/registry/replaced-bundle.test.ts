/** Exactly the bundle that the user reviewed is installed. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installBundle, type PlannedBundle } from '../../../electron/core/registry/bundle/bundle.ts';
import { hashFile, openZip } from '../../../electron/core/registry/bundle/zip.ts';
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
    const origin = { integrity: `sha256-${await hashFile(file)}` };
    const planned = { zip: await openZip(file), folder: target, origin } as PlannedBundle;
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
