/** The test projects: unit (sources only), integration (real processes and servers), e2e (the built product, browsers). */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { installable, leftToRest, missingNeeds, needs } from './build/test-tools.mjs';

/** Generous limits: on a busy two-core machine, processes and browsers start slowly, and a passing test never waits for them. */
const shared = {
  // A test file leaves nothing behind, so a worker loads the product's modules, and starts a browser, once.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
  // The smoke checks run the tests of the app on Electron's binary.
  env: process.env.TOOLKEEP_REAL === '1' ? {} : { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
};

/**
 * Set by build/test.mjs. `quick` leaves out the tests with the tag `exhaustive`: every mode of every scene, a kill at each step, every
 * file of every client, packages, load. `all` and `rest` run them, and fail where a program is missing that build/test.mjs installs.
 */
const part = process.env.TOOLKEEP_TESTS;
const isStrict = part === 'all' || part === 'rest';
const skipped = missingNeeds().filter((tag) => !(isStrict && installable().includes(tag)));

/** Is no test of this file part of this run? Then it is not even imported. */
function isLeftOut(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  const ofFile = [...text.matchAll(/@module-tag (\S+)/g)].map(([, tag]) => tag ?? '');
  if (part === 'quick') return ofFile.includes('exhaustive');
  const ofTests = [...text.matchAll(/\btags: \[([^\]]*)\]/g)].flatMap(([, tags = '']) => tags.match(/[a-z-]+/g) ?? []);
  return part === 'rest' && ![...ofFile, ...ofTests].some((tag) => leftToRest.includes(tag));
}
const files = (name: string) => ({
  include: [`test/${name}/**/*.test.ts`],
  exclude: globSync(`test/${name}/**/*.test.ts`).filter(isLeftOut),
});

const projects = ['e2e', 'integration', 'unit'];

/**
 * The files of a project follow each other, because only they can use a worker again; those of the slowest project come first, so
 * that the end, when some workers have nothing to do, is short.
 */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => projects.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // Tests mostly wait for processes and browsers.
    maxWorkers: availableParallelism() + 1,
    globalSetup: './build/fixture-servers.mjs',
    sequence: { sequencer: ByProject },
    tags: [
      { name: 'exhaustive', description: 'Only `npm run test:all` runs it.', skip: part === 'quick' },
      ...Object.entries(needs).map(([name, need]) => ({
        name,
        description: `Needs ${name}: ${need.for}.`,
        skip: skipped.includes(name),
      })),
      { name: 'stand-in', description: 'Needs abilities of the stand-in that real Electron lacks.' },
      { name: 'macos', description: 'Needs macOS.' },
      { name: 'signals', description: 'Needs signals, which Windows lacks.' },
      { name: 'compositor', description: 'Needs focus and hidden painting, which Wayland decides.' },
    ],
    projects: [
      { test: { ...shared, name: 'unit', ...files('unit') } },
      { test: { ...shared, name: 'integration', ...files('integration') } },
      // A browser on a busy machine can drop a frame. build/retry-reporter.mjs fails the run for a retried test that is not listed.
      { test: { ...shared, name: 'e2e', ...files('e2e'), retry: 2 } },
    ],
  },
});
