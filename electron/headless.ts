/** Plain-Node entry: the Core with its page, without Electron. `--on-demand` for one that a bridge started, `--open` to show the page. */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { port: { type: 'string' }, 'on-demand': { type: 'boolean' }, open: { type: 'boolean' } },
});

// What was compiled is kept for the next start: beside the socket, in a folder that is the person's own.
enableCompileCache(join(process.env.GATEHOUSE_HOME || join(homedir(), '.gatehouse'), 'run', 'compiled'));
setTimeout(flushCompileCache, 3_000).unref();
const { runHeadless } = await import('./serve/serve.ts');

process.exitCode = await runHeadless({
  port: values.port === undefined ? undefined : Number(values.port),
  untilIdle: values['on-demand'],
  open: values.open,
});
// Nothing is left to do; a handle that a library forgot must not keep the process.
process.exit();
