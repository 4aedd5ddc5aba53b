/** Plain-Node entry: the Core with its page, without Electron. `--until-idle` for one that a bridge started. */
import { parseArgs } from 'node:util';
import { runHeadless } from './serve/serve.ts';

const { values } = parseArgs({
  options: { port: { type: 'string' }, 'until-idle': { type: 'boolean' } },
});

process.exitCode = await runHeadless({
  port: values.port === undefined ? undefined : Number(values.port),
  untilIdle: values['until-idle'],
});
// Nothing is left to do; a handle that a library forgot must not keep the process.
process.exit();
