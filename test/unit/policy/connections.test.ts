/** Questions about the hosts that a confined server tries to reach. */
import { afterEach, expect, it } from 'vitest';
import { createElicitation, type Elicitation } from '../../../electron/core/elicitation/elicitation.ts';
import { createEvents } from '../../../electron/core/events.ts';
import { createConnections } from '../../../electron/core/policy/connections.ts';
import { destinationsOf } from '../../../electron/core/policy/destinations.ts';
import { createKnownDestinations } from '../../../electron/core/policy/known-destinations.ts';
import { annotate } from '../../../electron/core/tools/assessment/annotate.ts';
import type { Answer } from '../../../shared/model/question.ts';
import { memoryStore } from '../../fixtures/host.ts';

let elicitation: Elicitation;
afterEach(() => elicitation.close());

function setUp({ isAttached = true } = {}) {
  elicitation = createElicitation({ host: { log: () => undefined }, onChange: () => undefined });
  if (isAttached) elicitation.uiAttached();
  const known = createKnownDestinations(memoryStore(), () => []);
  const events = createEvents();
  const { mayReach, folders } = createConnections({ events, known, elicitation, timeoutMs: () => 60_000 });
  const reach = (host: string, server = 'api') => mayReach(server, { host, port: 443 });
  const use = (folder: string) => folders.mayUse('api', folder);
  const answer = (given: Answer) => elicitation.answer(elicitation.pending()[0]?.id ?? '', given);
  return { known, reach, use, folders, answer, events };
}
const hosts = () =>
  elicitation.pending().map(({ connection }) => connection && 'host' in connection && connection.host);

it('Connections to one host share a question, whose answer lasts until Toolkeep ends', async () => {
  const { known, reach, answer } = setUp();
  const all = [reach('a.example'), reach('a.example')];
  expect(hosts()).toEqual(['a.example']);
  await answer({ action: 'accept', scope: 'session' });
  expect(await Promise.all([...all, reach('a.example')])).toEqual([true, true, true]);
  expect(known.list()).toEqual([]);
  const other = reach('a.example', 'other');
  await answer({ action: 'decline' });
  expect([await other, await reach('a.example', 'other')]).toEqual([false, false]);
});

it('A host that is always allowed becomes a known destination, and can be forgotten', async () => {
  const { known, reach, answer } = setUp();
  const first = reach('a.example');
  await answer({ action: 'accept', scope: 'always' });
  expect(await first).toBe(true);
  expect(known.list()).toMatchObject([{ server: 'api', kind: 'network', value: 'a.example:443', client: '' }]);
});

it('A flood of hosts raises three questions', async () => {
  const { reach, answer } = setUp();
  const all = Array.from({ length: 1_000 }, (_, index) => reach(`${index}.example`));
  expect(hosts()).toEqual(['0.example', '1.example', '2.example']);
  for (let count = 0; count < 3; count += 1) await answer({ action: 'decline' });
  expect(new Set(await Promise.all(all))).toEqual(new Set([false]));
  expect(await reach('later.example')).toBe(false);
  expect(hosts()).toEqual([]);
});

it('A host is refused while no window is open, and asked about later', async () => {
  const { reach, answer } = setUp({ isAttached: false });
  expect(await reach('a.example')).toBe(false);
  elicitation.uiAttached();
  const later = reach('a.example');
  await answer({ action: 'accept', scope: 'session' });
  expect(await later).toBe(true);
});

it('No argument of a call makes a host known', () => {
  for (const name of ['network', 'networks', 'network_id', 'delete_network']) {
    const inputSchema = { type: 'object', properties: { [name]: { type: 'string' } } };
    const { annotations } = annotate({ name: 'delete_network', description: '', inputSchema });
    const { all } = destinationsOf(
      { name: 'delete_network', annotations, inputSchema },
      { [name]: 'evil.example:443' },
      undefined,
    );
    expect(all.map(({ kind }) => kind)).not.toContain('network');
  }
});

it('An allowed folder covers those below it, and shares the limit of questions with hosts', async () => {
  const { known, reach, use, folders, answer } = setUp();
  const first = use('/home/ann/Pictures');
  expect(elicitation.pending().map(({ connection }) => connection)).toEqual([{ folder: '/home/ann/Pictures' }]);
  await answer({ action: 'accept', scope: 'always' });
  expect([await first, await use('/home/ann/Pictures/2026')]).toEqual([true, true]);
  expect(folders.allowed('api')).toEqual(['/home/ann/Pictures']);
  expect(known.list()).toMatchObject([{ server: 'api', kind: 'files', value: '/home/ann/Pictures' }]);
  for (const folder of ['/home/ann/A', '/home/ann/B', '/home/ann/C']) {
    const refused = use(folder);
    await answer({ action: 'decline' });
    expect(await refused).toBe(false);
  }
  expect([await use('/home/ann/D'), await reach('a.example')]).toEqual([false, false]);
  expect(elicitation.pending()).toEqual([]);
});

it('An answer that lasts until Toolkeep ends does not pass to another server of the same name', async () => {
  const { reach, answer, events } = setUp();
  const first = reach('a.example');
  await answer({ action: 'accept', scope: 'session' });
  expect(await first).toBe(true);
  events.emit('server.forgotten', { server: 'api' });
  const second = reach('a.example');
  expect(hosts()).toEqual(['a.example']);
  await answer({ action: 'decline' });
  expect(await second).toBe(false);
});
