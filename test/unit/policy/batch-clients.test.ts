/** A client is offered to send many calls at once if it asks often, and the user's choice counts before the config file's. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createEvents } from '../../../electron/core/events.ts';
import { createBatchClients } from '../../../electron/core/policy/batch-clients.ts';
import { emptySettings, storeOf } from '../../../electron/core/settings.ts';
import type { Client } from '../../../electron/core/types.ts';

const client: Client = { id: 'c1', name: 'Cursor', scope: {}, capabilities: {} };
const tool = { server: 'github', name: 'add_label' };
const inConfig = { clients: ['Zed'], maxCalls: 20 };

function create() {
  const store = storeOf(structuredClone(emptySettings), () => undefined);
  const events = createEvents();
  return { events, batch: createBatchClients({ store, events, configured: () => inConfig }) };
}
const offers = (batch: ReturnType<typeof create>['batch'], count: number, from = client) =>
  Array.from({ length: count }, () => batch.isOffered(from, tool));

beforeEach(() => vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is offered at the sixth question about a tool within five minutes', () => {
  const { batch } = create();
  expect(offers(batch, 6)).toEqual([...Array(5).fill(false), true]);
  expect(batch.isOffered(client, { ...tool, name: 'add_comment' })).toBe(false);
  expect(batch.isOffered({ ...client, id: 'c2' }, tool)).toBe(false);
  vi.advanceTimersByTime(5 * 60_000);
  expect(offers(batch, 1)).toEqual([false]);
});

it('counts from zero after the client disconnected', () => {
  const { batch, events } = create();
  offers(batch, 5);
  events.emit('client.disconnected', { id: client.id });
  expect(offers(batch, 1)).toEqual([false]);
});

it.each([
  ['the user', { ...client, isUser: true as const }],
  ['a client in full mode, which has no meta-tools', { ...client, mode: 'full' as const }],
  ['a client that has it', { ...client, name: 'Zed' }],
])('is never offered to %s', (_who, other) => {
  expect(offers(create().batch, 8, other)).toEqual(Array(8).fill(false));
});

it("follows the user's choice, otherwise the config file", () => {
  const { batch } = create();
  batch.choose('Cursor', true);
  batch.choose('Zed', false);
  expect([batch.isEnabledFor(client), batch.isEnabledFor({ name: 'Zed' })]).toEqual([true, false]);
  expect([...batch.untold]).toEqual(['Cursor']);
  batch.choose('Zed', null);
  batch.choose('Cursor', null);
  expect([batch.isEnabledFor(client), batch.isEnabledFor({ name: 'Zed' })]).toEqual([false, true]);
  expect(batch.isEnabledFor({ name: 'constructor' })).toBe(false);
});
