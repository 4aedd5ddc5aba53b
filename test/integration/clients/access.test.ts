/** A client's access (mode, profile, read tool) is read from its entry, and a change that widens it says so. */
import { type Duplex, duplexPair } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type InstallChoice, type InstallStatus, installChoiceSchema } from '../../../shared/model/install.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { initialize, rawPeer } from '../gateway/raw-peer.ts';

const cursor = (choice: Partial<InstallChoice>) => installChoiceSchema.parse({ client: 'cursor', ...choice });
const plan = async ({ core }: CoreTrial, choice: Partial<InstallChoice>) =>
  await core.handlers['install.plan'](cursor(choice));
async function connect(trial: CoreTrial, choice: Partial<InstallChoice>): Promise<void> {
  const { token } = await plan(trial, choice);
  await trial.core.handlers['install.apply']({ ...cursor(choice), token });
}
async function statusOf({ core }: CoreTrial): Promise<InstallStatus | undefined> {
  const statuses = await core.handlers['install.status'](undefined);
  return statuses.find(({ client }) => client === 'cursor');
}

test("The status has the access of a client's entry, and planning with it changes nothing", async () => {
  const trial = await startCore([]);
  expect(await statusOf(trial)).not.toHaveProperty('access');
  const access = { mode: 'hybrid', readTool: true, profile: 'no-delete' } as const;
  await connect(trial, access);
  expect(await statusOf(trial)).toMatchObject({ state: 'installed', access });
  expect(await plan(trial, access)).toMatchObject({ unchanged: true, warnings: [] });
});

test('The status says that the profile of a client does not exist', async () => {
  const trial = await startCore([]);
  await trial.core.handlers['profiles.save']({ profile: { name: 'work', servers: [], tags: [] } });
  await connect(trial, { profile: 'work' });
  expect(await statusOf(trial)).not.toHaveProperty('isProfileMissing');
  await trial.core.handlers['profiles.remove']({ name: 'work' });
  expect(await statusOf(trial)).toMatchObject({ isProfileMissing: true, access: { profile: 'work' } });
});

test('A change that removes or replaces the profile of a client says what the client sees then', async () => {
  const trial = await startCore([]);
  await connect(trial, { profile: 'no-delete' });
  expect((await plan(trial, { mode: 'hybrid' })).warnings).toEqual([
    'Removes a limit: Cursor sees all servers instead of only the profile "no-delete".',
  ]);
  expect((await plan(trial, { profile: 'work' })).warnings).toEqual([
    'Removes a limit: Cursor sees the profile "work" instead of only the profile "no-delete".',
  ]);
  expect((await plan(trial, { profile: 'no-delete', mode: 'hybrid' })).warnings).toEqual([]);
});

test('A client whose session has the access from before a change counts as connected only once it connects again', async () => {
  const trial = await startCore([]);
  const session = async () => {
    const [near, far] = duplexPair() as [Duplex, Duplex];
    trial.core.gateway.serveStream(far, { client: 'cursor' });
    const peer = rawPeer(near, near);
    onTestFinished(() => peer.close());
    await initialize(peer, { name: 'Cursor' });
  };
  await connect(trial, {});
  await session();
  expect(await statusOf(trial)).toHaveProperty('connectedAt');
  await connect(trial, { profile: 'work' });
  expect(await statusOf(trial)).not.toHaveProperty('connectedAt');
  await session();
  expect(await statusOf(trial)).toHaveProperty('connectedAt');
});
