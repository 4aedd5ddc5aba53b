/** How the user updates an installation that does not update itself. */
import { expect, it } from 'vitest';
import { howToUpdate } from '../../../electron/host/how-to-update.ts';

const only = (file: string) => (found: string) => found === file;

it.each([
  ['a global npm package', '/usr/lib/node_modules/gatehouse/dist', '', 'Run npm install --global gatehouse@latest.'],
  ['an npx run', '/home/me/.npm/_npx/1f/node_modules/gatehouse/dist', '', 'Start gatehouse@latest with npx.'],
  ['a Windows npm package', 'C:\\npm\\node_modules\\gatehouse\\dist', '', 'Run npm install --global gatehouse@latest.'],
  ['a checkout', '/src/gatehouse/dist', '/src/gatehouse/.git', 'Run git pull in the checkout.'],
  ['a container', '/app/dist', '/run/.containerenv', 'Pull the newest container image.'],
  ['an unknown place', '/srv/dist', '', undefined],
])('The user of %s learns what to do', (_place, folder, file, how) => {
  expect(howToUpdate({ folder, exists: only(file) })).toBe(how);
});

it('The packaged app recognizes its own kind of installation', () => {
  const place = { folder: '/src/gatehouse/dist', resourcesPath: '/opt/Gatehouse/resources' };
  expect(howToUpdate({ ...place, exists: () => true })).toBeUndefined();
});
