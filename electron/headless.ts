/** The entry of the headless Core: plain Node, with a page. `--on-demand`: a bridge started it. `--open`: open the page. */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { port: { type: 'string' }, 'on-demand': { type: 'boolean' }, open: { type: 'boolean' } },
});

// The compile cache is in the data folder, which only the user can write to.
enableCompileCache(join(process.env.GATEHOUSE_HOME || join(homedir(), '.gatehouse'), 'run', 'compiled'));
setTimeout(flushCompileCache, 3_000).unref();
const { runHeadless } = await import('./cli/serve/serve.ts');

process.exitCode = await runHeadless({
  port: values.port === undefined ? undefined : Number(values.port),
  untilIdle: values['on-demand'],
  open: values.open,
});
// A handle that a library left open must not keep the process alive.
process.exit();
