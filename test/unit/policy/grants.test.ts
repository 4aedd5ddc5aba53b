/** A grant covers the approved argument names, and never keys that differ only in case. */
import { expect, it } from 'vitest';
import { holds } from '../../../electron/core/policy/conditions.ts';
import { fittingGrants } from '../../../electron/core/policy/decide/permit.ts';
import { createGrants, everyValue, type Grantable, type Grants } from '../../../electron/core/policy/grants.ts';
import type { Condition } from '../../../shared/model/question.ts';
import { memoryStore } from '../../fixtures/host.ts';

const call = (args: Record<string, unknown>) => ({
  server: 'web',
  tool: 'fetch',
  fingerprint: 'f',
  caller: { id: '1', name: 'Claude', identity: 'entry-1' },
  arguments: args,
  covers: 'tool' as const,
  choices: [],
});

async function cover(grants: Grants, about: Grantable): Promise<'any' | undefined> {
  for (const { conditions } of fittingGrants(grants.all(), about, Date.now()))
    if (await holds(conditions, everyValue(about))) return 'any';
  return undefined;
}

const host: Condition = { kind: 'host', argument: 'url', value: 'https://good.example' };

it('A limited grant does not cover a call with a new argument at any depth', async () => {
  const grants = createGrants(memoryStore());
  grants.add(call({ url: 'https://good.example/1', options: { depth: 1 } }), 'always', [host], 'any');
  expect(await cover(grants, call({ url: 'https://good.example/2', options: { depth: 2 } }))).toBe('any');
  expect(await cover(grants, call({ url: 'https://good.example/2' }))).toBe('any');
  for (const more of [{ method: 'DELETE' }, { recursive: true }, { options: { force: true } }, { Options: {} }])
    expect(await cover(grants, call({ url: 'https://good.example/2', ...more }))).toBeUndefined();
});

it('A limited grant covers no other value of a switch at any depth', async () => {
  const grants = createGrants(memoryStore());
  const approved = { url: 'https://good.example/1', recursive: 'no', options: { force: false, depth: 1 } };
  grants.add(call(approved), 'always', [host], 'any');
  expect(await cover(grants, call({ ...approved, options: { force: false, depth: 2 } }))).toBe('any');
  expect(await cover(grants, call({ ...approved, recursive: 'NO' }))).toBe('any');
  for (const other of [{ options: { force: true } }, { options: { force: 'true' } }, { recursive: 'Yes' }])
    expect(await cover(grants, call({ ...approved, ...other }))).toBeUndefined();
});

it.each(['https://good.example?@evil.example/', 'https://good.example#@evil.example', 'https://good.example/\0.evil'])(
  'A grant for a host does not cover an address that a server may read differently: %j',
  async (url) => {
    const grants = createGrants(memoryStore());
    grants.add(call({ url: 'https://good.example/1' }), 'always', [host], 'any');
    expect(await cover(grants, call({ url: 'https://good.example/@user?mail=a@b.example' }))).toBe('any');
    expect(await cover(grants, call({ url: 'https://good.example?q=1' }))).toBe('any');
    expect(await cover(grants, call({ url }))).toBeUndefined();
  },
);

it('A limited grant covers neither new metadata nor metadata with another target', async () => {
  const grants = createGrants(memoryStore());
  const withMeta = (meta: Record<string, unknown>) => ({ ...call({ url: 'https://good.example/1' }), meta });
  grants.add(withMeta({ 'vendor/id': '1' }), 'always', [host], 'any');
  expect(await cover(grants, withMeta({ 'vendor/id': '2' }))).toBe('any');
  expect(await cover(grants, call({ url: 'https://good.example/2' }))).toBe('any');
  for (const meta of [{ 'vendor/id': 'https://evil.example' }, { 'vendor/id': '1', force: true }])
    expect(await cover(grants, withMeta(meta))).toBeUndefined();
});

it('No grant covers a call that has two keys that differ only in case', async () => {
  const grants = createGrants(memoryStore());
  grants.add(call({ url: 'https://good.example/1' }), 'always', [], 'any');
  expect(await cover(grants, call({ url: 'x', any: 'thing' }))).toBe('any');
  expect(await cover(grants, call({ url: 'https://good.example', URL: 'https://evil.example' }))).toBeUndefined();
  expect(await cover(grants, call({ url: 'x', nested: [{ a: 1, A: 2 }] }))).toBeUndefined();
});

it('A limited grant of an older version, without the approved argument names, covers nothing', async () => {
  const store = memoryStore();
  const grant = {
    id: 'g',
    client: 'Claude',
    identity: 'entry-1',
    conditions: [host],
    scope: 'always' as const,
    grantedAt: 0,
  };
  store.set('grants', [{ ...grant, server: 'web', tool: 'fetch', fingerprint: 'f' }]);
  expect(await cover(createGrants(store), call({ url: 'https://good.example/1' }))).toBeUndefined();
});

it('A grant of an older version, which knows its client only by name, is not listed and covers nothing', async () => {
  const store = memoryStore();
  const grant = { id: 'g', client: 'Claude', conditions: [], scope: 'always' as const, grantedAt: 0 };
  store.set('grants', [{ ...grant, server: 'web', tool: 'fetch', fingerprint: 'f' }]);
  const grants = createGrants(store);
  expect(grants.list()).toEqual([]);
  expect(await cover(grants, call({}))).toBeUndefined();
});

it('A grant for moderate tools covers other moderate tools of the server, but no dangerous tool and no other client', async () => {
  const grants = createGrants(memoryStore());
  const acting = (more: object = {}) => ({ ...call({ a: 1 }), covers: 'acts' as const, ...more });
  grants.add(acting(), 'always', [], 'any');
  expect(await cover(grants, acting({ tool: 'other', fingerprint: 'g', arguments: { b: 2 } }))).toBe('any');
  expect(await cover(grants, acting({ server: 'mail' }))).toBeUndefined();
  expect(await cover(grants, acting({ caller: { id: '1', name: 'Claude', identity: 'entry-2' } }))).toBeUndefined();
  expect(await cover(grants, call({ a: 1 }))).toBeUndefined();
});
