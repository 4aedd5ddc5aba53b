/**
 * The entry point of the headless Core: plain Node with a browser page. `--on-demand`: a bridge started it. `--open`:
 * open the page.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { port: { type: 'string' }, 'on-demand': { type: 'boolean' }, open: { type: 'boolean' } },
});

// Keep the compile cache in the data folder, which only the user can write to.
enableCompileCache(join(process.env.TOOLKEEP_HOME || join(homedir(), '.toolkeep'), 'run', 'compiled'));
setTimeout(flushCompileCache, 3_000).unref();
const { runHeadless } = await import('./cli/serve/serve.ts');

process.exitCode = await runHeadless({
  port: values.port === undefined ? undefined : Number(values.port),
  untilIdle: values['on-demand'],
  open: values.open,
});
// Exit even if a library left a handle open.
process.exit();
