/** How the user updates an installation that does not update itself. */
import { expect, it } from 'vitest';
import { howToUpdate } from '../../../electron/host/how-to-update.ts';

const only = (file: string) => (found: string) => found === file;

it.each([
  ['a global npm package', '/usr/lib/node_modules/toolkeep/dist', '', 'Run npm install --global toolkeep@latest.'],
  ['an npx run', '/home/me/.npm/_npx/1f/node_modules/toolkeep/dist', '', 'Start toolkeep@latest with npx.'],
  ['a Windows npm package', 'C:\\npm\\node_modules\\toolkeep\\dist', '', 'Run npm install --global toolkeep@latest.'],
  ['a checkout', '/src/toolkeep/dist', '/src/toolkeep/.git', 'Run git pull in the checkout.'],
  ['a container', '/app/dist', '/run/.containerenv', 'Pull the newest container image.'],
  ['an unknown place', '/srv/dist', '', undefined],
])('The user of %s learns what to do', (_place, folder, file, how) => {
  expect(howToUpdate({ folder, exists: only(file) })).toBe(how);
});

it('The packaged app recognizes its own kind of installation', () => {
  const place = { folder: '/src/toolkeep/dist', resourcesPath: '/opt/Toolkeep/resources' };
  expect(howToUpdate({ ...place, exists: () => true })).toBeUndefined();
});
