/** Signing in with a client that the user registered, for servers without dynamic registration; and over SSE. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { OAuthClient } from '../../../shared/model/server.ts';
import { type AuthBehaviour, startAuthFixture } from '../../fixtures/auth-server.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { memorySealer, testHost } from '../../fixtures/host.ts';
import { failureOf, textOf } from './server-harness.ts';

const secret = 'Zk3-by-hand-9aQw71pLmX';

/** A Core with one server behind a sign-in, and a browser that follows redirects. */
async function trial(
  behaviour: Partial<AuthBehaviour>,
  { oauth, persistent = true }: { oauth?: OAuthClient; persistent?: boolean } = {},
) {
  const auth = await startAuthFixture(behaviour);
  onTestFinished(() => auth.close());
  const host = testHost({
    env: { BY_HAND: secret },
    sealer: { ...memorySealer(), persistent },
    openUrl: async (url) => {
      host.openedUrls.push(url);
      void fetch(url);
    },
  });
  onTestFinished(host.dispose);
  const connection = { type: behaviour.sse ? ('sse' as const) : ('http' as const), url: auth.url, headers: {} };
  const server = { name: 'guarded', enabled: true, connection: { ...connection, ...(oauth && { oauth }) } };
  const core = await startCore([server], { host });
  const call = async () => textOf(await core.call('guarded', 'text'));
  const signIn = async () => core.core.handlers['servers.signIn']({ server: 'guarded' });
  return { auth, host, server, call, signIn, view: () => core.view('guarded'), handlers: core.core.handlers };
}

async function withClient(given: Partial<OAuthClient> = {}, behaviour: Partial<AuthBehaviour> = {}) {
  const redirect = `http://localhost:${await freePort()}/oauth/back`;
  const client = { id: 'by-hand', secret, redirect };
  const oauth = { clientId: 'by-hand', clientSecret: '${BY_HAND}', redirectUrl: redirect, ...given };
  return { ...(await trial({ registration: false, client, ...behaviour }, { oauth })), redirect };
}

test('A manually registered client signs in with its exact redirect URL and secret, without a new registration', async () => {
  const t = await withClient({ scopes: ['read', 'extra'] });
  expect(await t.signIn()).toMatchObject({ status: 'ready', signIn: 'signedIn' });
  expect(await t.call()).toContain('plain');
  expect(t.auth.count).toMatchObject({ registered: 0, exchanged: 1 });
  const [asked] = t.auth.asked;
  expect([asked?.get('client_id'), asked?.get('redirect_uri'), asked?.get('scope')]).toEqual([
    'by-hand',
    t.redirect,
    'read extra',
  ]);
  t.auth.expireAccess();
  expect(await t.call()).toContain('plain');
  expect(t.auth.count.refreshed).toBe(1);
  const kept = readFileSync(join(t.host.dataDir, 'sign-ins.json'), 'utf8');
  expect(kept + JSON.stringify([t.host.logged, t.view(), t.host.openedUrls])).not.toContain(secret);
});

test('A wrong secret is reported without its value', async () => {
  const t = await withClient({ clientSecret: 'qW7-not-the-one-44xYz0' });
  const failure = await failureOf(t.signIn());
  expect(failure).toMatchObject({ code: 'SERVER_AUTH_REQUIRED', message: expect.stringContaining('invalid_client') });
  expect(JSON.stringify([failure, t.host.logged])).not.toContain('not-the-one');
});

test('A port that another program uses is reported before any page opens', async () => {
  const t = await withClient();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(Number(new URL(t.redirect).port), '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const failure = await failureOf(t.signIn());
  expect(failure.message).toContain(`${t.redirect} cannot be used: its port`);
  expect(t.host.openedUrls).toEqual([]);
});

test('A plain-text secret goes to the vault when the server is saved, and into no setup file', async () => {
  const t = await withClient();
  const { connection } = t.server;
  const plain = { ...t.server, connection: { ...connection, oauth: { clientId: 'by-hand', clientSecret: secret } } };
  await t.handlers['servers.save']({ server: plain });
  const [saved] = t.host.store.get('servers');
  expect(saved?.connection).toMatchObject({ oauth: { clientSecret: '${secret:guarded/clientSecret}' } });
  expect(JSON.stringify(await t.handlers['setup.export']())).not.toContain(secret);
});

test.each([
  ['a vault that lasts', true, 'token'],
  ['a vault that does not last', false, 'correct horse'],
  ['a vault that does not last', false, secret],
])('A saved client secret goes to %s and not to the settings', async (_vault, persistent, value) => {
  const t = await trial({}, { persistent });
  const oauth = { clientId: 'by-hand', clientSecret: value };
  await t.handlers['servers.save']({ server: { ...t.server, connection: { ...t.server.connection, oauth } } });
  const [saved] = t.host.store.get('servers');
  expect(saved?.connection).toMatchObject({ oauth: { clientSecret: '${secret:guarded/clientSecret}' } });
  expect(JSON.stringify(t.host.settings)).not.toContain(`"${value}"`);
  expect((await t.handlers['secrets.list']()).secrets).toContainEqual(
    expect.objectContaining({ name: 'guarded/clientSecret', isSet: true }),
  );
});

test('The secret goes only to the first authorization server, whatever the MCP server names later', async () => {
  const other = await startAuthFixture();
  onTestFinished(() => other.close());
  const t = await withClient();
  await t.signIn();
  t.auth.set.namesIssuer = other.issuer;
  t.auth.revokeAll();
  await failureOf(t.signIn());
  expect(other.asked).toHaveLength(1);
  expect(other.asked[0]?.get('client_id')).not.toBe('by-hand');
  expect(other.tokenRequests.join()).not.toContain('by-hand');
});

test('Over SSE, a sign-in is requested, used, renewed and ended as over streamable HTTP', async () => {
  const t = await trial({ sse: true });
  const failure = await eventually(() => t.view().failure, 'the refusal');
  expect(failure).toMatchObject({
    code: 'SERVER_AUTH_REQUIRED',
    message: expect.stringContaining('requires you to sign in'),
  });
  expect(t.view().signIn).toBe('needed');
  expect(t.host.openedUrls).toEqual([]);
  expect(await t.signIn()).toMatchObject({ status: 'ready', signIn: 'signedIn', transport: 'sse' });
  expect(await t.call()).toContain('plain');

  // The POST requests are refused first.
  t.auth.expireAccess();
  expect(await Promise.all([t.call(), t.call(), t.call()])).toEqual(Array(3).fill(expect.stringContaining('plain')));
  expect(t.auth.count.refreshed).toBe(1);

  // An interrupted stream is opened again, with a token that must be renewed first.
  t.auth.expireAccess();
  t.auth.cutStreams();
  await eventually(async () => (await t.call().catch(() => '')).includes('plain'), 'the new stream');
  expect(t.auth.count).toMatchObject({ refreshed: 2, authorized: 1 });

  t.auth.revokeAll();
  expect(await failureOf(t.call())).toMatchObject({ code: 'SERVER_AUTH_REQUIRED' });
  await eventually(() => t.view().signIn === 'needed', 'the wish for a sign-in');
  expect(await t.signIn()).toMatchObject({ status: 'ready' });
  expect(await t.call()).toContain('plain');

  await t.handlers['servers.signOut']({ server: 'guarded' });
  expect(t.auth.count.revoked).toBe(1);
  expect(await failureOf(t.call())).toMatchObject({ code: 'SERVER_AUTH_REQUIRED' });
  for (const token of t.auth.issued) expect(JSON.stringify(t.host.logged)).not.toContain(token);
});

test('Over SSE, a call that needs more scopes says so, and the next sign-in requests them', async () => {
  const t = await trial({ sse: true });
  await eventually(() => t.view().failure, 'the refusal');
  await t.signIn();
  t.auth.set.neededScope = 'write';
  expect(await failureOf(t.call())).toMatchObject({ code: 'SERVER_AUTH_REQUIRED' });
  await t.signIn();
  expect(t.auth.asked.at(-1)?.get('scope')?.split(' ').sort()).toEqual(['read', 'write']);
  expect(await t.call()).toContain('plain');
});

test('Each replica signs in with its own authorization server', async () => {
  const second = await startAuthFixture();
  onTestFinished(() => second.close());
  const t = await trial({});
  const connection = { ...t.server.connection, replicas: [second.url] };
  await t.handlers['servers.save']({ server: { ...t.server, connection, lifecycle: { affinity: 'none' } } });
  await eventually(() => t.view().signIn === 'needed', 'the wish for a sign-in');
  expect(await t.signIn()).toMatchObject({ status: 'ready', signIn: 'signedIn' });
  await Promise.all(Array.from({ length: 4 }, t.call));
  expect(t.view().instances?.map(({ status, calls }) => [status, calls.total])).toEqual([
    ['ready', 2],
    ['ready', 2],
  ]);
  expect([t.auth.count.exchanged, second.count.exchanged]).toEqual([1, 1]);
  await t.handlers['servers.signOut']({ server: 'guarded' });
  expect([t.auth.count.revoked, second.count.revoked]).toEqual([1, 1]);
});

test('The second replica of a server does not share its sign-in with a server of a similar name', async () => {
  const [second, other] = [await startAuthFixture(), await startAuthFixture()];
  onTestFinished(() => Promise.all([second.close(), other.close()]).then(() => undefined));
  const t = await trial({});
  const namesake = { ...t.server, name: 'guarded (2)', connection: { ...t.server.connection, url: other.url } };
  const connection = { ...t.server.connection, replicas: [second.url] };
  await t.handlers['servers.save']({ server: { ...t.server, connection, lifecycle: { affinity: 'none' } } });
  await t.handlers['servers.save']({ server: namesake });
  await eventually(() => t.view().signIn === 'needed', 'the wish for a sign-in');
  expect(await t.signIn()).toMatchObject({ signIn: 'signedIn' });
  expect(await t.handlers['servers.signIn']({ server: 'guarded (2)' })).toMatchObject({ signIn: 'signedIn' });

  await Promise.all(Array.from({ length: 4 }, t.call));
  expect(t.view().instances?.map(({ calls }) => calls)).toMatchObject([
    { total: 2, failed: 0 },
    { total: 2, failed: 0 },
  ]);
  await t.handlers['servers.signOut']({ server: 'guarded (2)' });
  expect([t.auth.count.revoked, second.count.revoked, other.count.revoked]).toEqual([0, 0, 1]);
  await t.handlers['servers.restart']({ server: 'guarded' });
  await Promise.all(Array.from({ length: 4 }, t.call));
  expect(t.view().instances?.map(({ status }) => status)).toEqual(['ready', 'ready']);
  expect([t.auth.count.exchanged, second.count.exchanged, other.count.exchanged]).toEqual([1, 1, 1]);

  // The message about a replica names the configured server.
  second.revokeAll();
  await Promise.allSettled(Array.from({ length: 4 }, t.call));
  const refused = t.view().instances?.[1]?.failure;
  expect(refused).toMatchObject({ server: 'guarded', message: expect.stringContaining('"guarded" requires you') });
});
