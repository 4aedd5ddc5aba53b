/** When a UI edits a server config, its secrets never leave Core and are kept. */
import { expect, it } from 'vitest';
import { hideSecrets, restoreSecrets } from '../../../electron/core/secrets/hidden-secrets.ts';
import type { Connection } from '../../../shared/model/server.ts';

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const stored: Connection = {
  type: 'stdio',
  command: 'npx',
  args: ['-y', 'server', '--api-key', 'sk-live-0123456789abcdef0123456789abcdef'],
  env: { GITHUB_TOKEN: token, MODE: 'fast' },
};

it('A config for a UI has every secret hidden and everything else unchanged', () => {
  const hidden = hideSecrets(stored);
  expect(JSON.stringify(hidden)).not.toContain(token);
  expect(JSON.stringify(hidden)).not.toContain('sk-live');
  expect(hidden).toMatchObject({ command: 'npx', env: { MODE: 'fast' } });
});

it('An edited config gets its secrets back', () => {
  const hidden = hideSecrets(stored);
  if (hidden.type !== 'stdio') throw new Error('The type changed.');
  const edited = { ...hidden, args: ['--verbose', ...hidden.args] };
  expect(restoreSecrets(edited, stored)).toEqual({ ...stored, args: ['--verbose', ...stored.args] });
});

it('An unknown placeholder stays unchanged', () => {
  const edited: Connection = { ...stored, env: { X: '«hidden-9»' } };
  expect(restoreSecrets(edited, stored)).toEqual(edited);
});
