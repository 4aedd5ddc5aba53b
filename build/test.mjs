/** `npm test`: everything that CI runs, on a machine with only Node 20 and npm: set-up, checks, build, tests. Extra arguments go to vitest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { cache, projectNode, root, say } from './paths.mjs';
import { run, setup } from './setup.mjs';

const node = projectNode;
const tool = (name, file, ...args) =>
  run(node(), [join(root, 'node_modules', name, file), ...args], { env: environment() });

/** Tests never download Electron, never ask a login shell, and find the browser that the set-up found. */
function environment() {
  const chromium = findChromium();
  return {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    ...(chromium && { GATEHOUSE_CHROMIUM: chromium }),
    GATEHOUSE_NO_SHELL_ENV: '1',
  };
}

try {
  await setup({ tests: true });
  await run(node(), [join(root, 'build', 'check.mjs')]);
  await run(node(), [join(root, 'build', 'build.mjs')]);
} catch (error) {
  say(error.message);
  process.exit(1);
}

const report = join(cache, 'test-report.json');
let failed = false;
try {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  await tool('vitest', 'vitest.mjs', 'run', ...reporters, ...process.argv.slice(2));
} catch (error) {
  failed = true;
  say(error.message);
}
// One line of a fixed form for readers that do not know vitest's own summary.
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  const broken = numFailedTests === 0 && failed ? Math.max(1, numFailedTestSuites) : numFailedTests;
  console.log(`${numPassedTests} passed, ${broken} failed`);
} catch (error) {
  console.log(`0 passed, 1 failed (no report: ${error.message})`);
  failed = true;
}
process.exit(failed ? 1 : 0);
