/** The environment of the login shell, with a real shell and its startup file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { loginShellEnv } from '../../../electron/host/environment.ts';

const home = mkdtempSync(join(tmpdir(), 'toolkeep-shell-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

it("keeps the terminal's folders behind those of the login shell", { tags: ['posix'] }, async () => {
  writeFileSync(join(home, '.profile'), 'export PATH=/from/shell:/usr/bin:/bin FROM_SHELL=yes\n');
  vi.stubEnv('HOME', home);
  const given = { HOME: home, SHELL: '/bin/bash', PATH: '/from/terminal:/usr/bin', MINE: 'kept' };
  const env = await loginShellEnv(given, (_level, message) => expect.fail(message));
  expect(env).toMatchObject({ FROM_SHELL: 'yes', MINE: 'kept' });
  expect(env.PATH?.split(':')).toEqual(['/from/shell', '/usr/bin', '/bin', '/from/terminal']);
});
