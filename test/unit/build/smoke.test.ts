/** The smoke checks run the tests of the desktop app on Electron's binary. */
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['find', '1', undefined],
  ['do not find', '', '/nonexistent'],
])('Tests %s the binary with TOOLKEEP_REAL=%j', async (_what, isReal, folder) => {
  vi.stubEnv('TOOLKEEP_REAL', isReal);
  vi.resetModules();
  const { default: config } = await import('../../../vitest.config.ts');
  const environments = config.test?.projects?.map((project) => (project as { test: { env: object } }).test.env);
  expect(environments).toEqual(Array(3).fill(folder === undefined ? {} : { ELECTRON_OVERRIDE_DIST_PATH: folder }));
});
