/**
 * A process that edits one client's file without end, to be killed or raced by tests: `node editor.ts gatehouse|client ROOT`.
 * `gatehouse` enters and takes out our entry; `client` counts up in the file as an app would, and says when its own last
 * count is not there any more. Prints a line per round.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { applyInstall, planInstall, planUninstall } from '../../electron/core/install/install.ts';
import { GatehouseError } from '../../shared/failure.ts';
import { clientFile, editorHost } from './places.ts';

const [role, root = ''] = process.argv.slice(2);
const host = editorHost(root);
mkdirSync(host.dataDir, { recursive: true });
const work = role === 'client' ? countUp() : enterAndLeave();
await work;

async function enterAndLeave(): Promise<void> {
  for (;;) {
    for (const plan of [planInstall(host, 'claude-desktop', {}), planUninstall(host, 'claude-desktop')]) {
      try {
        await applyInstall(host, await plan);
        console.log('written');
      } catch (error) {
        // The other one was quicker: what it wrote stands, and we look again.
        if (!(error instanceof GatehouseError) || error.failure.code !== 'CLIENT_FILE_CHANGED') throw error;
        console.log('refused');
      }
    }
  }
}

async function countUp(): Promise<void> {
  const file = join(root, clientFile);
  for (let count = 1; ; count += 1) {
    const document = JSON.parse(readFileSync(file, 'utf8')) as { count?: number };
    if (count > 1 && document.count !== count - 1) console.log(`lost ${count - 1}, found ${document.count}`);
    const temp = `${file}.client`;
    writeFileSync(temp, `${JSON.stringify({ ...document, count }, null, 2)}\n`);
    renameSync(temp, file);
    console.log(`counted ${count}`);
    await delay(Math.random() * 12);
  }
}
