/**
 * Runs the tests. Without arguments (`npm test`): setup, checks, build and all tests but the exhaustive ones. With
 * `--all` (`npm run test:all`), the exhaustive ones, too; with `--rest`, only these. With other arguments
 * (`npm test -- test/unit/rules`): prepares what the tests need, then runs only Vitest with these arguments.
 */
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { cache, projectNode, root, say } from './paths.mjs';
import { run, setup } from './setup.mjs';

const given = process.argv.slice(2);
const args = given.filter((arg) => arg !== '--all' && arg !== '--rest');
const all = args.length === 0;
const part = given.includes('--rest') ? 'rest' : given.includes('--all') || !all ? 'all' : 'quick';
/** Unit tests read sources only. Some integration tests run dist/; end-to-end tests also open a browser. */
const onlyUnit = !all && selects('unit');
const noBrowser = onlyUnit || (!all && selects('integration'));

try {
  await setup({ browser: !noBrowser, systemTools: part !== 'quick' && !noBrowser });
  if (all && part !== 'rest') await run(projectNode(), [join(root, 'build', 'check.mjs')]);
  if (!onlyUnit) await run(projectNode(), [join(root, 'build', 'build.mjs')]);
} catch (error) {
  say(error.message);
  process.exit(1);
}

const report = join(cache, 'test-report.json');
let failed = false;
try {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  if (all) reporters.push('--reporter=./build/retry-reporter.mjs');
  await vitest('run', ...reporters, ...args);
} catch (error) {
  failed = true;
  say(error.message);
}
// One line in a fixed format, for programs that cannot read Vitest's own summary.
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  const broken = numFailedTests === 0 && failed ? Math.max(1, numFailedTestSuites) : numFailedTests;
  console.log(`${numPassedTests} passed, ${broken} failed`);
} catch (error) {
  console.log(`0 passed, 1 failed (no report: ${error.message})`);
  failed = true;
}
process.exit(failed ? 1 : 0);

/** True when the arguments select tests of one project only, by name (`--project unit`) or by folder. */
function selects(project) {
  const named = args.flatMap((arg, index) => (arg === '--project' ? [args[index + 1]] : []));
  const paths = args.filter((arg) => /^(?:\.\/)?test\//.test(arg));
  if (named.length > 0) return named.every((name) => name === project);
  return paths.length > 0 && paths.every((path) => path.replace(/^\.\//, '').startsWith(`test/${project}/`));
}

function vitest(...vitestArgs) {
  return run(projectNode(), [join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...vitestArgs], {
    env: environment(),
  });
}

/**
 * Tests never download Electron, never read the login shell's environment, and use the browser that the setup found. Their
 * processes share what V8 has compiled: hundreds of them load the same modules.
 */
function environment() {
  const chromium = findChromium();
  return {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
    ...(chromium && { TOOLKEEP_CHROMIUM: chromium }),
    TOOLKEEP_NO_SHELL_ENV: '1',
    NODE_COMPILE_CACHE: join(cache, 'compiled'),
    TOOLKEEP_TESTS: part,
  };
}
