/** The test projects: unit (sources only), integration (real processes and servers), e2e (the built product, browsers). */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

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
 * Every mode of every scene, a kill at each step, every file of every client, packages, conformance, fuzzing. `npm test`
 * leaves these to `npm run test:all`.
 */
const exhaustive = [
  'test/e2e/{canary,client-matrix,client-tasks,core-restarts,doors,hostile-files,install,killed*,walks}.test.ts',
  'test/e2e/desktop/{display,lifecycle,macos,manners,opened,prompt-window,screen-lock,started-by-client,updates}.test.ts',
  'test/e2e/{documents,package}/**/*.test.ts',
  'test/e2e/renderer/{accessib*,browse,bundle,care,first-run,folders,language,overflow,palette,question-keyboard}.test.ts',
  'test/e2e/renderer/{setup,tags,tasks,try-tool,update}.test.ts',
  'test/integration/calls/scale-images.test.ts',
  'test/integration/cli/{alone,browse,bundle,registry}.test.ts',
  'test/integration/clients/{disabled-tools,killed,races}.test.ts',
  'test/integration/commands/same-facts.test.ts',
  'test/integration/config/hostile-folder.test.ts',
  'test/integration/elicitation/{abuse,matrix}.test.ts',
  'test/integration/fuzz.test.ts',
  'test/integration/gateway/{conformance,core-backend}.test.ts',
  'test/integration/registry/*.test.ts',
  'test/integration/servers/{confined*,health-checks,idle-stop,orphan-reaper,registry,sandbox-escapes,task-only}.test.ts',
  'test/integration/tools/linear-time.test.ts',
  'test/unit/clients/{disabled-corpus,real-files,watch-sources}.test.ts',
];

/** Set by build/test.mjs: `quick` leaves out the exhaustive tests, and `rest` runs only these. */
const part = process.env.TOOLKEEP_TESTS;
const files = (name: string) =>
  part === 'rest'
    ? { include: exhaustive.filter((pattern) => pattern.startsWith(`test/${name}/`)) }
    : { include: [`test/${name}/**/*.test.ts`], exclude: part === 'quick' ? exhaustive : [] };

/** The files that take longest, slowest first. */
const slow = [
  'e2e/renderer/accessibility-states',
  'e2e/desktop/updates',
  'e2e/renderer/accessibility.',
  'e2e/killed-bundle',
  'integration/cli/registry',
  'integration/config/hostile-folder',
  'e2e/renderer/tasks',
  'e2e/desktop/lifecycle',
  'integration/registry/update',
  'e2e/renderer/language',
  'e2e/killed-batch',
  'integration/servers/sandbox-escapes',
  'e2e/desktop/manners',
  'e2e/renderer/questions',
  'e2e/renderer/first-run',
  'e2e/renderer/views',
  'e2e/renderer/servers',
  'e2e/renderer/add-server',
];

const projects = ['e2e', 'integration', 'unit'];

/**
 * Starts the slowest files of each project first, so that none of them is left for the end, when the other workers have
 * nothing to do. The files of a project follow each other, because only they can use a worker again.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const index = slow.findIndex((name) => moduleId.includes(`/test/${name}`));
      return projects.indexOf(project.name) * (slow.length + 1) + (index === -1 ? slow.length : index);
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // Tests mostly wait for processes and browsers.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    tags: [
      { name: 'stand-in', description: 'Needs abilities of the stand-in that real Electron lacks.' },
      { name: 'macos', description: 'Needs macOS.' },
      { name: 'linux', description: 'Needs Linux.' },
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
