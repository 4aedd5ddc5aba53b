/** The test projects: unit (sources only), integration (real processes and servers), e2e (the built product, browsers). */
import { defineConfig } from 'vitest/config';

/** Generous limits: on a busy two-core machine, processes and browsers start slowly, and a passing test never waits for them. */
const shared = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  env: { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      { test: { ...shared, name: 'integration', include: ['test/integration/**/*.test.ts'] } },
      // A browser on a busy machine can drop a frame. build/retry-reporter.mjs fails the run for a retried test that is not listed.
      { test: { ...shared, name: 'e2e', include: ['test/e2e/**/*.test.ts'], retry: 2 } },
    ],
  },
});
