import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores are shared by browsers and servers: waiting long costs nothing where nothing is wrong.
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
    // Hundreds of real processes and windows share two cores: one that comes late is tried once more, and reported.
    retry: 1,
    env: { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
  },
});
