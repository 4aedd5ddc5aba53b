/** A rehearsal never starts a server with access to the user's files or folders. */
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRehearsals } from '../../../electron/core/commands/rehearsals.ts';
import type { CommandServices } from '../../../electron/core/commands/services.ts';
import type { Planned } from '../../../electron/core/registry/plan.ts';

it.each([
  ['a fixed folder that the entry mounts', () => '/home'],
  ['the home folder', () => homedir()],
  ['a neighbor of the stand-ins', (folder: string) => `${folder}-other`],
])('A new version that would get %s does not start', async (_name, fileOf) => {
  let isStarted = false;
  const rehearse = async () => {
    isStarted = true;
  };
  const services = { host: { homeDir: homedir() }, servers: { rehearse }, stores: {}, events: {} };
  const planned = {
    plan: { server: 'notes', replaces: '1.0.0', hash: 'h' },
    derived: { files: [], fields: [] },
    origin: { inputs: {} },
  } as unknown as Planned;
  const file = fileOf(join(tmpdir(), 'toolkeep-stand-in-'));
  const replanned = { ...planned, derived: { ...planned.derived, files: [file] } };
  const result = await createRehearsals(services as unknown as CommandServices).run(planned, async () => replanned);
  expect(result.failure).toMatchObject({
    code: 'INSTALL_REFUSED',
    message: `${file} cannot be replaced with a temporary path, so the new version cannot be tried safely.`,
  });
  expect(isStarted).toBe(false);
});
