/**
 * Runs the tests. Without arguments (`npm test`): setup, build and all tests but the exhaustive ones; a test that needs a
 * program that is missing is skipped. With `--all` (`npm run test:all`): installs the programs, and runs all tests; with `--rest`, only
 * those that `npm test` may leave out. With other arguments (`npm test -- test/unit/rules`): prepares what the tests need, then runs
 * only Vitest with these arguments.
 */
import { readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { findChromium } from './chromium.mjs';
import { cache, projectNode, root, say } from './paths.mjs';
import { run, setup } from './setup.mjs';
import { leftToRest, missingNeeds, needs } from './test-tools.mjs';

const given = process.argv.slice(2);
const args = given.filter((arg) => arg !== '--all' && arg !== '--rest');
const all = args.length === 0;
/** `rest` and `all` fail where a program is missing; without a part, selected tests are skipped there, as in `quick`. */
const part = given.includes('--rest') ? 'rest' : given.includes('--all') ? 'all' : all ? 'quick' : undefined;
const isStrict = part === 'rest' || part === 'all';
/** Unit tests read sources only. Some integration tests run dist/; end-to-end tests also open a browser. */
const onlyUnit = !all && selects('unit');
const noBrowser = onlyUnit || (!all && selects('integration'));

try {
  await setup({ browser: !noBrowser, systemTools: isStrict });
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
  if (part === 'rest') reporters.push(`--tags-filter=${leftToRest.join(' || ')}`);
  await vitest('run', ...reporters, ...args);
} catch (error) {
  failed = true;
  say(error.message);
}
// The last line has a fixed format, for programs that cannot read Vitest's own summary.
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const broken = numFailedTests === 0 && failed ? Math.max(1, numFailedTestSuites) : numFailedTests;
  const skipped = sayWhatIsSkipped(testResults);
  console.log(`${numPassedTests} passed, ${broken} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
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

/** Says which tests were skipped because this machine lacks what they need, one line for each need. Returns how many. */
function sayWhatIsSkipped(testResults) {
  const missing = missingNeeds();
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, tags }) => status === 'skipped' && tags.some((tag) => missing.includes(tag)))
      .map(({ tags }) => ({ file: relative(root, name), tags })),
  );
  for (const tag of missing) {
    const files = new Set(tests.flatMap(({ file, tags }) => (tags.includes(tag) ? [file] : [])));
    const count = tests.filter(({ tags }) => tags.includes(tag)).length;
    const { for: about, packages } = needs[tag];
    const how = packages ? '; `npm run test:all` installs it' : '';
    if (count > 0) say(`Skipped without ${tag} (${about}${how}): ${count} in ${[...files].join(', ')}`);
  }
  return tests.length;
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
    TOOLKEEP_TESTS: part ?? '',
  };
}
