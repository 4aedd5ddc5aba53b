/** The test projects: unit (sources only), integration (real processes and servers), e2e (the built product, browsers). */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Generous limits: on a busy two-core machine, processes and browsers start slowly, and a passing test never waits for them. */
const shared = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  env: { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
};

/**
 * Every mode of every scene, a kill at each step, every file of every client, packages, conformance, fuzzing. `npm test`
 * leaves these to `npm run test:all`.
 */
const exhaustive = [
  'test/e2e/{canary,client-matrix,client-tasks,core-restarts,hostile-files,install,killed*}.test.ts',
  'test/e2e/desktop/{lifecycle,manners,opened,prompt-window,updates}.test.ts',
  'test/e2e/{documents,package}/**/*.test.ts',
  'test/e2e/renderer/{accessib*,browse,bundle,care,folders,language,overflow,palette,question-keyboard}.test.ts',
  'test/e2e/renderer/{setup,tags,tasks,try-tool,update}.test.ts',
  'test/integration/calls/scale-images.test.ts',
  'test/integration/cli/{browse,bundle,registry}.test.ts',
  'test/integration/clients/{killed,races}.test.ts',
  'test/integration/config/hostile-folder.test.ts',
  'test/integration/elicitation/{abuse,matrix}.test.ts',
  'test/integration/fuzz.test.ts',
  'test/integration/gateway/{conformance,core-backend}.test.ts',
  'test/integration/registry/*.test.ts',
  'test/integration/servers/{health-checks,idle-stop,orphan-reaper,registry,task-only}.test.ts',
  'test/integration/tools/linear-time.test.ts',
  'test/unit/clients/real-files.test.ts',
];

/** Set by build/test.mjs: `quick` leaves out the exhaustive tests, and `rest` runs only these. */
const part = process.env.TOOLKEEP_TESTS;
const files = (name: string) =>
  part === 'rest'
    ? { include: exhaustive.filter((pattern) => pattern.startsWith(`test/${name}/`)) }
    : { include: [`test/${name}/**/*.test.ts`], exclude: part === 'quick' ? exhaustive : [] };

export default defineConfig({
  test: {
    // Tests mostly wait for processes and browsers.
    maxWorkers: availableParallelism() + 1,
    tags: [
      { name: 'stand-in', description: 'Needs abilities of the stand-in that real Electron lacks.' },
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
