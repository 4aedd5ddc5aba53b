/**
 * `npm run smoke [-- --app PATH [--signed] [--keyring] [--rest] [--report FILE]]`: runs the checks that need a real
 * Electron, on the checkout or on the packaged app with the binary PATH. Prints and writes a report
 * (release/smoke-report.json), which
 * also lists what this run cannot check. Exits with 1 if a check failed.
 */
import { cpSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectNode, root, say } from './paths.mjs';
import { run, setup } from './setup.mjs';
import { checkCheckout } from './smoke/checkout.mjs';
import { skipTheRest } from './smoke/not-run.mjs';
import { checkPackaged } from './smoke/packaged.mjs';
import { createReport } from './smoke/report.mjs';

const flag = { type: 'boolean', default: false };
const options = { app: { type: 'string' }, signed: flag, keyring: flag, rest: flag, report: { type: 'string' } };
const { app, signed, keyring, rest, report: file } = parseArgs({ options }).values;
const reportFile = file ?? join(root, 'release', 'smoke-report.json');
const report = createReport(reportFile);
/** Logs and screenshots. */
const artifacts = join(root, 'release', 'smoke');
try {
  if (app === undefined) {
    await setup();
    await run(projectNode(), [join(root, 'build', 'build.mjs')]);
    await checkCheckout(report, { artifacts });
  } else {
    await checkPackaged(app, report, { isSigned: signed, usesKeyring: keyring, rests: rest, artifacts });
  }
} catch (error) {
  say(error.message);
  await report.check('The checks start', () => Promise.reject(error));
}
skipTheRest(report, { isPackaged: app !== undefined, isSigned: signed, usesKeyring: keyring, rests: rest });
const hasPassed = report.write(app ?? 'checkout');
// Here, `toolkeep doctor` and *Settings › General* find it.
const dataFolder = process.env.TOOLKEEP_HOME || join(homedir(), '.toolkeep');
if (app !== undefined && existsSync(dataFolder)) cpSync(reportFile, join(dataFolder, 'smoke-report.json'));
process.exit(hasPassed ? 0 : 1);
