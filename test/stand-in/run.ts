/**
 * Runs a built main module on the stand-in instead of Electron: `node test/stand-in/run.ts dist/main.js`. With
 * `TOOLKEEP_CONTROL`, tests control it as they control real Electron.
 */
import { createRequire, registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { wholeApp } from './app.ts';
import { listenToTest } from './control.ts';
import { electron } from './electron.ts';
import { enterElectron } from './platform.ts';

const virtual = 'stand-in:electron';
const source = [
  `import { electron } from ${JSON.stringify(new URL('./electron.ts', import.meta.url).href)};`,
  `export const { ${Object.keys(electron).join(', ')} } = electron;`,
  'export default electron;',
].join('\n');

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: virtual, format: 'module', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === virtual ? { format: 'module', source, shortCircuit: true } : next(url, context),
});

if (process.env.TOOLKEEP_CONTROL) createRequire(import.meta.url)('../e2e/desktop/real-control.cjs');
else listenToTest();
enterElectron();
// An unhandled rejection does not end Electron (electron_browser_main_parts.cc), nor does an empty event loop.
process.on('unhandledRejection', (error) => console.error(error));
setInterval(() => undefined, 60_000);
const main = process.argv[2];
if (!main) throw new Error('Usage: node test/stand-in/run.ts dist/main.js');
await import(pathToFileURL(resolve(main)).href);
wholeApp.becomeReady();
