/** Plain-Node entry: the Core with its page, without Electron. `--on-demand` for one that a bridge started, `--open` to show the page. */
import { parseArgs } from 'node:util';
import { runHeadless } from './serve/serve.ts';

const { values } = parseArgs({
  options: { port: { type: 'string' }, 'on-demand': { type: 'boolean' }, open: { type: 'boolean' } },
});

process.exitCode = await runHeadless({
  port: values.port === undefined ? undefined : Number(values.port),
  untilIdle: values['on-demand'],
  open: values.open,
});
// Nothing is left to do; a handle that a library forgot must not keep the process.
process.exit();
