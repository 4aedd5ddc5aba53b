/** Signing in to HTTP servers, through the whole Core, against a real authorization server. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Core, createCore } from '../../../electron/core/core.ts';
import type { Failure } from '../../../shared/failure.ts';
import { type AuthBehaviour, type AuthFixture, startAuthFixture } from '../../fixtures/auth-server.ts';
import { httpServerConfig } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';
import { memorySealer, type TestHost, testHost } from '../../fixtures/host.ts';
import { longestTurn } from '../../fixtures/longest-turn.ts';
import { failureOf, textOf } from './server-harness.ts';

interface Trial {
  auth: AuthFixture;
  host: TestHost;
  core: Core;
  /** The responses that the browser received, in order. */
  pages: { status: number; text: string }[];
  call(): Promise<string>;
  view(): Promise<Awaited<ReturnType<Core['handlers']['servers.restart']>>>;
}

/** A Core with one server behind a sign-in. The browser is `fetch`, which follows redirects. */
async function trial(behaviour: Partial<AuthBehaviour> = {}, env: Record<string, string> = {}): Promise<Trial> {
  const auth = await startAuthFixture(behaviour);
  const pages: Trial['pages'] = [];
  const host = testHost({
    env,
    sealer: { ...memorySealer(), persistent: true },
    openUrl: async (url) => {
      host.openedUrls.push(url);
      // Ignore the error: the page of an attempt that has ended is incomplete.
      browse(url).catch(() => undefined);
    },
  });
  async function browse(url: string): Promise<void> {
    const page = await fetch(url);
    pages.push({ status: page.status, text: await page.text() });
  }
  host.store.set('servers', [httpServerConfig('guarded', auth.url)]);
  const core = await createCore(host);
  onTestFinished(async () => {
    await core.close();
    await auth.close();
    host.dispose();
  });
  const { handlers } = core;
  return {
    auth,
    host,
    core,
    pages,
    call: async () => textOf(await handlers['tools.execute']({ server: 'guarded', tool: 'text', arguments: {} })),
    async view() {
      const [view] = await handlers['servers.list']();
      if (!view) throw new Error('the server is not listed');
      return view;
    },
  };
}

const signIn = ({ core }: Trial) => core.handlers['servers.signIn']({ server: 'guarded' });
const failed = ({ view }: Trial) => eventually(async () => (await view()).failure, 'the failure');

/** Checks that no issued secret is in the log or in a failure. */
function expectNoTokens({ auth, host }: Trial, ...failures: (Failure | undefined)[]): void {
  const said = JSON.stringify([host.logged, failures]);
  for (const token of auth.issued) expect(said).not.toContain(token);
}

test('A server that needs a sign-in reports it, and no browser opens unless the user requests it', async () => {
  const t = await trial();
  const failure = await failed(t);
  expect(failure.code).toBe('SERVER_AUTH_REQUIRED');
  expect(failure.message).toContain('requires you to sign in');
  expect(failure.hint).toContain('Sign in');
  expect(await t.view()).toMatchObject({ status: 'failed', signIn: 'needed' });
  await t.core.handlers['servers.restart']({ server: 'guarded' });
  await failureOf(t.call());
  expect(t.host.openedUrls).toEqual([]);
  // Toolkeep contacts no address that the server names before the user starts the sign-in.
  expect(t.auth.count).toMatchObject({ discovered: 0, registered: 0 });
});

test('After a sign-in with PKCE and registration, the tools are callable, even in the next Core', async () => {
  const t = await trial();
  await failed(t);
  expect(await signIn(t)).toMatchObject({ status: 'ready', signIn: 'signedIn' });
  expect(await t.call()).toContain('plain');
  expect(t.auth.count).toMatchObject({ registered: 1, authorized: 1, exchanged: 1, refreshed: 0 });
  expect(t.host.openedUrls.length).toBe(1);
  expect(t.auth.asked[0]?.get('scope')).toBe('read');
  await eventually(async () => t.pages.length > 0, 'the page for the browser');
  expect(t.pages).toEqual([{ status: 200, text: expect.stringContaining('You can close this page') }]);

  await t.core.close();
  const next = await createCore(t.host);
  onTestFinished(() => next.close());
  const result = await next.handlers['tools.execute']({ server: 'guarded', tool: 'text', arguments: {} });
  expect(textOf(result)).toContain('plain');
  expect(t.host.openedUrls.length).toBe(1);
});

test('Tokens are sealed in a file with mode 0600, separate from the secrets, and appear in no log', async () => {
  const t = await trial();
  await signIn(t);
  const file = join(t.host.dataDir, 'sign-ins.json');
  expectMode(file, 0o600);
  const text = readFileSync(file, 'utf8');
  expect(t.auth.issued.length).toBe(2);
  for (const token of t.auth.issued) expect(text).not.toContain(token);
  expectNoTokens(t);
  expect(JSON.stringify(await t.view())).not.toContain(t.auth.issued[0]);
});

test('Twenty concurrent calls with an expired token cause exactly one refresh', async () => {
  const t = await trial({ refreshMs: 50 });
  await signIn(t);
  t.auth.expireAccess();
  const answers = await Promise.all(Array.from({ length: 20 }, t.call));
  expect(answers.every((answer) => answer.includes('plain'))).toBe(true);
  expect(t.auth.count.refreshed).toBe(1);
  t.auth.expireAccess();
  await Promise.all(Array.from({ length: 20 }, t.call));
  expect(t.auth.count.refreshed).toBe(2);
  expectNoTokens(t);
});

test('A token that is known to have expired is renewed before it is sent', async () => {
  const t = await trial({ expiresIn: 0 });
  await signIn(t);
  const before = t.auth.count.refreshed;
  t.auth.set.expiresIn = 3600;
  expect(await t.call()).toContain('plain');
  const after = t.auth.count.refreshed;
  expect(after).toBeGreaterThan(0);
  expect(after - before).toBeLessThanOrEqual(1);
  await t.call();
  expect(t.auth.count.refreshed).toBe(after);
});

test('A renewed token that arrives expired is not renewed again at each request', async () => {
  const t = await trial({ expiresIn: 0 });
  await signIn(t);
  for (let i = 0; i < 5; i += 1) expect(await t.call()).toContain('plain');
  expect(t.auth.count.refreshed).toBe(1);
});

test('A lifetime without end is stored, and the sign-in remains in the next Core', async () => {
  const t = await trial({ expiresIn: 1e308 });
  await signIn(t);
  await t.core.close();
  const next = await createCore(t.host);
  onTestFinished(() => next.close());
  const result = await next.handlers['tools.execute']({ server: 'guarded', tool: 'text', arguments: {} });
  expect(textOf(result)).toContain('plain');
});

test('A revoked sign-in ends in "sign in again", and a new sign-in fixes it', async () => {
  const t = await trial();
  await signIn(t);
  t.auth.revokeAll();
  const failure = await failureOf(t.call());
  expect(failure.code).toBe('SERVER_AUTH_REQUIRED');
  expect(failure.message).toContain('sign in again');
  expect(await t.view()).toMatchObject({ status: 'failed', signIn: 'needed' });
  expectNoTokens(t, failure);
  expect(t.host.openedUrls.length).toBe(1);
  expect(await signIn(t)).toMatchObject({ status: 'ready', signIn: 'signedIn' });
  expect(await t.call()).toContain('plain');
  // The registration was still valid, including the port.
  expect(t.auth.count.registered).toBe(1);
});

test('A failing authorization server does not lose the sign-in, and gets no request per call', async () => {
  const t = await trial();
  await signIn(t);
  t.auth.expireAccess();
  t.auth.set.tokenFails = true;
  const before = t.auth.tokenRequests.length;
  const failure = await failureOf(t.call());
  expect(failure.code).toBe('SERVER_UNREACHABLE');
  expect(failure.message).toContain('could not be renewed');
  // Nothing was sent, so the tool did not run; and the server is not connected.
  expect(failure.hint).toBe('Try again later; if it keeps failing, sign in again.');
  expect((await t.view()).status).not.toBe('ready');
  for (let i = 0; i < 6; i += 1) expect((await failureOf(t.call())).message).toContain('could not be renewed');
  expect(t.auth.tokenRequests.length - before).toBeLessThanOrEqual(3);
  expectNoTokens(t, failure);
  t.auth.set.tokenFails = false;
  await t.core.handlers['servers.restart']({ server: 'guarded' });
  expect(await t.call()).toContain('plain');
  expect(t.host.openedUrls.length).toBe(1);
});

const dead = (error: string) => JSON.stringify({ error });

test.each<[number, string]>([
  [400, dead('invalid_request')],
  [401, dead('invalid_token')],
  [404, '<html></html>'],
  [200, dead('bad_refresh_token')],
])('A renewal that is refused with HTTP %d (%s) ends in "sign in again" after one request', async (status, text) => {
  const t = await trial();
  await signIn(t);
  t.auth.expireAccess();
  let renewals = 0;
  t.auth.set.forge = (path, body) => {
    if (path !== '/token' || !body.includes('refresh_token')) return undefined;
    renewals += 1;
    return [status, text];
  };
  for (let i = 0; i < 3; i += 1)
    expect(await failureOf(t.call())).toMatchObject({
      code: 'SERVER_AUTH_REQUIRED',
      message: expect.stringContaining('sign in'),
    });
  expect(renewals).toBe(1);
  expect(await t.view()).toMatchObject({ status: 'failed', signIn: 'needed' });
  expect(await signIn(t)).toMatchObject({ status: 'ready', signIn: 'signedIn' });
});

test.each<[number, string]>([
  [429, dead('slow_down')],
  [408, ''],
  [200, dead('temporarily_unavailable')],
  [200, '<html></html>'],
])('A renewal that fails with HTTP %d (%s) keeps the sign-in', async (status, text) => {
  const t = await trial();
  await signIn(t);
  t.auth.expireAccess();
  t.auth.set.forge = (path) => (path === '/token' ? [status, text] : undefined);
  expect(await failureOf(t.call())).toMatchObject({ code: 'SERVER_UNREACHABLE' });
  t.auth.set.forge = undefined;
  expect(await t.call()).toContain('plain');
});

test('A refusal by the user is reported as such', async () => {
  const t = await trial({ consent: 'deny' });
  const failure = await failureOf(signIn(t) as Promise<unknown>);
  expect(failure).toMatchObject({ code: 'SERVER_AUTH_REQUIRED', server: 'guarded' });
  expect(failure.message).toContain('access_denied');
  expect(failure.message).toContain('The user denied access.');
  const page = await eventually(async () => t.pages[0], 'the page for the browser');
  expect(page).toMatchObject({ status: 400, text: expect.stringContaining('refused') });
  expect(t.auth.count.exchanged).toBe(0);
  expect((await t.view()).signIn).toBe('needed');
});

test('An authorization server that does not announce PKCE is refused before a client is registered', async () => {
  const t = await trial({ pkce: false });
  const failure = await failureOf(signIn(t) as Promise<unknown>);
  expect(failure).toMatchObject({ code: 'SERVER_AUTH_REQUIRED', message: expect.stringContaining('PKCE') });
  expect(t.auth.count).toMatchObject({ registered: 0, authorized: 0 });
  expect(t.host.openedUrls).toEqual([]);
});

test('A response with another state is ignored, and the right one is still accepted', async () => {
  const t = await trial({ forgeState: true });
  const signing = signIn(t);
  await eventually(async () => t.pages.length === 1, 'the forged answer');
  expect(t.pages[0]).toMatchObject({ status: 400, text: expect.stringContaining('did not request this sign-in') });
  expect(t.auth.count.exchanged).toBe(0);
  t.auth.set.forgeState = false;
  await fetch(t.host.openedUrls[0] as string);
  expect(await signing).toMatchObject({ status: 'ready' });
});

test('A response of another issuer is not redeemed', async () => {
  const t = await trial({ forgeIssuer: true });
  const failure = await failureOf(signIn(t) as Promise<unknown>);
  expect(failure).toMatchObject({
    code: 'SERVER_AUTH_REQUIRED',
    message: expect.stringContaining('does not name the sign-in server'),
    hint: "Set a token in the server's headers.",
  });
  expect(failure.message).not.toContain('evil');
  expect(t.auth.count.exchanged).toBe(0);
});

/** Usual metadata, changed. */
const metadataOf = (issuer: string, changes: Record<string, unknown> = {}) =>
  JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    ...changes,
  });

/** Replaces the metadata, which is at an address that depends on the issuer's path. */
const withMetadata = (changes: (issuer: string) => Record<string, unknown>): Partial<AuthBehaviour> => ({
  forge: (path, _body, issuer) =>
    path.startsWith('/.well-known/') ? [200, metadataOf(issuer, changes(issuer))] : undefined,
});

test.each([
  ['has another path', (issuer: string) => ({ issuer: `${issuer}/tenant` })],
  ['ends with a slash', (issuer: string) => ({ issuer: `${issuer}/` })],
])('An issuer of the same origin that %s is accepted and logged', async (_what, changes) => {
  const t = await trial({ ...withMetadata(changes), answersAs: (issuer) => changes(issuer).issuer });
  expect(await signIn(t)).toMatchObject({ status: 'ready' });
  const logged = t.host.logged.filter(({ message }) => message.includes('calls itself'));
  expect(logged).toMatchObject([{ level: 'info', message: expect.stringContaining(changes(t.auth.issuer).issuer) }]);
  // The response is still compared with the issuer of the metadata.
  t.auth.set.answersAs = (issuer) => `${issuer}/another`;
  const failure = await failureOf(signIn(t) as Promise<unknown>);
  expect(failure.message).toContain('does not name the sign-in server');
});

test.each(['https://auth.example', 'not an address'])(
  'The issuer "%s" of another origin is refused before a client is registered',
  async (other) => {
    const t = await trial(withMetadata(() => ({ issuer: other })));
    const failure = await failureOf(signIn(t) as Promise<unknown>);
    expect(failure).toMatchObject({ code: 'SERVER_AUTH_REQUIRED', message: expect.stringContaining(other) });
    expect(failure.message).toContain(t.auth.issuer);
    expect(failure.hint).not.toContain('Try again');
    expect(t.auth.count).toMatchObject({ registered: 0, authorized: 0 });
    expect(t.host.openedUrls).toEqual([]);
  },
);

test.each([
  [{ response_types_supported: ['token'] }, 'response type'],
  [{ response_types_supported: 'code' }, 'an invalid answer: response_types_supported.'],
])('Metadata that cannot work is reported in one sentence: %o', async (changes, reason) => {
  const t = await trial(withMetadata(() => changes));
  const failure = await failureOf(signIn(t) as Promise<unknown>);
  expect(failure).toMatchObject({
    message: expect.stringContaining(reason),
    hint: expect.not.stringContaining('again'),
  });
});

test('A sign-in that waits for the browser shows its page, and can be cancelled', async () => {
  const t = await trial({ consent: 'ignore' });
  const cancelled = failureOf(signIn(t) as Promise<unknown>);
  const page = await eventually(async () => (await t.view()).signInPage, 'the page');
  expect(page).toBe(t.host.openedUrls[0]);
  await t.core.handlers['servers.cancelSignIn']({ server: 'guarded' });
  expect(await cancelled).toMatchObject({ code: 'CANCELLED' });
  expect((await t.view()).signInPage).toBeUndefined();
});

test('A new attempt replaces one that waits for the browser, and closing Core ends it', async () => {
  const t = await trial({ consent: 'ignore' });
  const first = failureOf(signIn(t) as Promise<unknown>);
  await eventually(async () => t.host.openedUrls.length === 1, 'the first page');
  const second = failureOf(signIn(t) as Promise<unknown>);
  expect(await first).toMatchObject({ code: 'CANCELLED' });
  await eventually(async () => t.host.openedUrls.length === 2, 'the second page');
  await t.core.close();
  expect(await second).toMatchObject({ code: 'CANCELLED' });
});

test('A client that the authorization server has deleted is registered again', async () => {
  const t = await trial();
  await signIn(t);
  t.auth.forgetClients();
  t.auth.expireAccess();
  expect(await failureOf(t.call())).toMatchObject({ code: 'SERVER_AUTH_REQUIRED' });
  expect(await signIn(t)).toMatchObject({ status: 'ready' });
  expect(t.auth.count.registered).toBe(2);
});

test('A client-id metadata document replaces a registration', async () => {
  const document = 'https://toolkeep.example/client.json';
  const t = await trial({ metadataDocuments: true, registration: false }, { TOOLKEEP_CLIENT_METADATA_URL: document });
  expect(await signIn(t)).toMatchObject({ status: 'ready' });
  expect(t.auth.asked[0]?.get('client_id')).toBe(document);
  expect(t.auth.count.registered).toBe(0);
});

test('An authorization server without dynamic registration is reported with the alternative', async () => {
  const t = await trial({ registration: false });
  const failure = await failureOf(signIn(t) as Promise<unknown>);
  expect(failure.code).toBe('SERVER_AUTH_REQUIRED');
  expect(failure.message).toContain('does not allow Toolkeep to register');
  expect(failure.hint).toContain('clientId');
  expect(failure.hint).toContain('token');
  expect(t.host.openedUrls).toEqual([]);
});

test.each<[number, string]>([
  [400, '{"error":"invalid_redirect_uri"}'],
  [422, '{"detail":[{"loc":["body"],"msg":"not valid"}]}'],
  [403, 'Redirect addresses must be local.'],
])('A registration that is refused (%d) with an IP address succeeds with localhost', async (status, text) => {
  const t = await trial({ onlyLocalhost: [status, text] });
  expect(await signIn(t)).toMatchObject({ status: 'ready', signIn: 'signedIn' });
  expect(t.auth.asked.at(-1)?.get('redirect_uri')).toMatch(/^http:\/\/localhost:\d+\/callback$/);
  // The next sign-in uses the registration, and returns to the same address.
  t.auth.revokeAll();
  await failureOf(t.call());
  expect(await signIn(t)).toMatchObject({ status: 'ready' });
  expect(t.auth.count.registered).toBe(1);
  expect(t.auth.asked.at(-1)?.get('redirect_uri')).toBe(t.auth.asked[0]?.get('redirect_uri'));
});

test('A server without metadata is said to announce no sign-in, and no page opens', async () => {
  const t = await trial({ noMetadata: true });
  expect(await failureOf(signIn(t) as Promise<unknown>)).toMatchObject({
    code: 'SERVER_AUTH_REQUIRED',
    message: '"guarded" announces no sign-in server.',
    hint: "Set a token in the server's headers.",
  });
  t.auth.set.noMetadata = false;
  t.auth.set.forge = (path) => (path.startsWith('/.well-known/') ? [404, '{}'] : undefined);
  const failure = await failureOf(signIn(t) as Promise<unknown>);
  expect(failure.message).toBe(`The sign-in server ${t.auth.issuer} of "guarded" publishes no metadata.`);
  expect(t.host.openedUrls).toEqual([]);
});

test('A registration of the wrong form is named by its field', async () => {
  const t = await trial({
    forge: (path, body) =>
      path === '/register'
        ? [201, JSON.stringify({ ...JSON.parse(body), client_id: 'c', client_id_issued_at: '1700000000' })]
        : undefined,
  });
  const failure = await failureOf(signIn(t) as Promise<unknown>);
  expect(failure.message).toMatch(/ failed: its sign-in server sent an invalid answer: client_id_issued_at\.$/);
});

test('A call that needs more scopes names them, and the next sign-in requests them too', async () => {
  const t = await trial();
  await failed(t);
  await signIn(t);
  t.auth.set.neededScope = 'write';
  const failure = await failureOf(t.call());
  expect(failure.code).toBe('SERVER_AUTH_REQUIRED');
  expect(failure.message).toContain('write');
  expect((await t.view()).status).toBe('ready');
  await signIn(t);
  expect(t.auth.asked.at(-1)?.get('scope')?.split(' ').sort()).toEqual(['read', 'write']);
  expect(await t.call()).toContain('plain');
});

test('A server that names other scopes in each refusal gets a sign-in for the newest hundred', async () => {
  const t = await trial();
  await signIn(t);
  for (let round = 0; round < 3; round += 1) {
    t.auth.set.neededScope = Array.from({ length: 60 }, (_, at) => `scope-${round}-${at}`).join(' ');
    expect((await failureOf(t.call())).message).toContain(`scope-${round}-59`);
  }
  t.auth.set.neededScope = '';
  await signIn(t);
  const scopes = t.auth.asked.at(-1)?.get('scope')?.split(' ') ?? [];
  expect([scopes.length, scopes[0], scopes.at(-1)]).toEqual([100, 'scope-2-0', 'scope-1-39']);
});

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each([
  ['exceeds 65536 bytes', (_sent: string) => `{"access_token":"a","token_type":"Bearer","x":${deep(450_000)}}`],
  ['more than 1000 lists', (_sent: string) => `{"access_token":"a","token_type":"Bearer","x":${deep(8_000)}}`],
  [
    'cannot be sent in a header',
    (sent: string) => JSON.stringify({ access_token: `a\n${sent}`, token_type: 'Bearer' }),
  ],
  ['did not answer with JSON', (sent: string) => new URLSearchParams(sent).get('code') ?? ''],
])('A hostile token response is refused without a pause and is not quoted: %s', async (reason, answer) => {
  let sent = new URLSearchParams();
  const t = await trial({
    forge(path, body) {
      if (path !== '/token') return undefined;
      sent = new URLSearchParams(body);
      return [200, answer(body)];
    },
  });
  const { result, ms } = await longestTurn(() => failureOf(signIn(t) as Promise<unknown>));
  expect(result).toMatchObject({ code: 'SERVER_AUTH_REQUIRED', message: expect.stringContaining(reason) });
  expect(ms).toBeLessThan(400);
  const said = JSON.stringify([result, t.host.logged, await t.view()]);
  for (const secret of ['code', 'code_verifier']) expect(said).not.toContain((sent.get(secret) as string).slice(0, 8));
});

test('An error code that quotes the request is not shown', async () => {
  const t = await trial({
    forge: (path, body) => (path === '/token' ? [400, JSON.stringify({ error: `invalid_grant ${body}` })] : undefined),
  });
  const failure = await failureOf(signIn(t) as Promise<unknown>);
  expect(failure.message).toMatch(/ failed: it answered with an error\.$/);
});

test.each([
  'https://bank.example@ISSUER/',
  'http://192.168.1.1/reboot',
  'https://169.254.169.254/',
  'file:///etc/passwd',
])('The page %s never opens', async (page) => {
  const t = await trial({
    forge(path, _body, issuer) {
      if (!path.startsWith('/.well-known/')) return undefined;
      const changes = { authorization_endpoint: page.replace('ISSUER', new URL(issuer).host) };
      return [200, metadataOf(issuer, changes)];
    },
  });
  expect(await failureOf(signIn(t) as Promise<unknown>)).toMatchObject({ code: 'URL_REFUSED' });
  expect(t.host.openedUrls).toEqual([]);
});

test('Signing out deletes the tokens, revokes them at the authorization server, and stops the server', async () => {
  const t = await trial();
  await signIn(t);
  await t.core.handlers['servers.signOut']({ server: 'guarded' });
  expect(t.auth.count.revoked).toBe(1);
  const view = await t.view();
  expect(view.status).toBe('idle');
  expect(view.signIn).toBeUndefined();
  expect(await failureOf(t.call())).toMatchObject({ code: 'SERVER_AUTH_REQUIRED' });
  expect((await t.view()).signIn).toBe('needed');
});

test('A server with the same name and another address never gets the tokens', async () => {
  const t = await trial();
  await signIn(t);
  const other = await startAuthFixture();
  onTestFinished(() => other.close());
  await t.core.handlers['servers.save']({ server: httpServerConfig('guarded', other.url) });
  const failure = await failed(t);
  expect(failure.message).toContain('requires you to sign in');
  expect(t.auth.count.refreshed).toBe(0);
});

test('A local server has no sign-in', async () => {
  const t = await trial();
  const server = {
    name: 'local',
    enabled: true,
    connection: { type: 'stdio' as const, command: 'true', args: [], env: {} },
  };
  await t.core.handlers['servers.save']({ server });
  for (const command of ['servers.signIn', 'servers.signOut'] as const)
    expect(await failureOf(t.core.handlers[command]({ server: 'local' }) as Promise<unknown>)).toMatchObject({
      code: 'INPUT_INVALID',
    });
});
