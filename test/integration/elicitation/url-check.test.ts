/**
 * Pages that a server asks the user to open: every question shows the target address and what it may imitate.
 *
 * @module-tag posix
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex, duplexPair, PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { answerQuestions } from '../../../electron/cli/prompt.ts';
import { createCore } from '../../../electron/core/core.ts';
import { webAddress } from '../../../electron/core/elicitation/url-check.ts';
import type { Routing } from '../../../shared/model/call.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { allowActs, testHost } from '../../fixtures/host.ts';
import { initialize, rawPeer } from '../gateway/raw-peer.ts';

const warnings = (url: string) => webAddress(url)?.address.warnings;

describe('A web address', () => {
  it.each([
    'https://example.com/sign-in',
    'https://accounts.example.co.uk/a?b=c#d',
    'https://a.b.example.com',
    'https://www.example.com.au/',
    'https://accounts.google.com/o/oauth2',
    'https://login.microsoftonline.com/common',
    'https://github.com/login/oauth/authorize',
    'https://mcp.linear.app/authorize',
    'https://id.atlassian.com/authorize',
    'https://dev-1234.us.auth0.com/authorize',
    'https://slack.com/oauth/v2/authorize',
  ])('without anomalies is shown without a warning: %s', (url) => expect(warnings(url)).toEqual([]));

  it.each([
    ['https://аррӏе.com', '“аррӏе.com” is not “apple.com”'],
    ['https://pаypal.com', '“pаypal.com” is not “paypal.com” (а is U+0430)'],
    ['https://xn--exmple-cua.com', '“exämple.com” is not “example.com”'],
    ['https://ｅｘаｍｐｌｅ.com', 'is not “example.com”'],
    ['https://пример.рф', 'characters from another alphabet and may imitate a site that you know: “пример.рф”'],
    [
      'https://paypal-вход.com',
      'mixes several alphabets, which is typical of imitations of known sites: “paypal-вход.com”',
    ],
    ['https://example.com@evil.test/', 'before the @ is not the site. The site is evil.test'],
    ['https://login.bank.com.accounts.evil.test', 'The site is really evil.test'],
    ['https://example.com.evil.example/', 'The site is really evil.example'],
    ['https://github.com-login.evil.example/', 'The site is really evil.example'],
    ['https://example.com.evil.co.uk/', 'The site is really evil.co.uk'],
    ['https://a.b.c.evil.com.au/', 'The site is really evil.com.au'],
    ['https://g00gle.com/', 'resembles “google” but is not that site'],
    ['https://rnicrosoft.com/', 'resembles “microsoft”'],
    ['https://login.gihtub.com/', 'resembles “github”'],
    ['https://paypai.com/', 'resembles “paypal”'],
    ['https://g-o-o-g-l-e.com/', 'resembles “google”'],
    ['https://93.184.216.34/', 'an IP address'],
    ['https://0x5db8d822/', 'an IP address'],
    ['http://example.com', 'not encrypted'],
    ['http://127.0.0.1:7777/', 'a program on this machine'],
    ['https://localhost./', 'a program on this machine'],
    ['https://www.localhost/', 'a program on this machine'],
    ['https://example.com:8443', 'unusual port 8443'],
  ])('such as %s has the warning: %s', (url, told) => expect(warnings(url)?.join(' ')).toContain(told));

  it('is split around its host and shown without its password', () => {
    expect(webAddress('HTTPS://user:hunter2@Exämple.com:8443/a?b#c')).toMatchObject({
      address: { before: 'https://user:…@', host: 'xn--exmple-cua.com:8443', after: '/a?b#c' },
    });
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'example.com', '', 7, undefined])('cannot be %j', (text) =>
    expect(webAddress(text)).toBeUndefined(),
  );
});

const imitation = { mode: 'url', message: 'Sign in', url: 'https://pаypal.com/in', elicitationId: 'e' };

async function room(routing: Routing) {
  const host = allowActs(testHost());
  host.store.set('servers', [serverConfig('bad', commands.abusive(`${host.cwd}/executions`))]);
  host.store.set('routing', { Agent: routing });
  const core = await createCore(host);
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: true });
  const ui = connectCore(ours);
  const [near, far] = duplexPair() as [Duplex, Duplex];
  core.gateway.serveStream(far, {});
  const agent = rawPeer(near, near);
  await initialize(agent, { name: 'Agent', capabilities: { elicitation: { form: {}, url: {} } } });
  await expect.poll(() => ui.call('tools.list', { server: 'bad' })).not.toEqual([]);
  return {
    ...{ ui, agent },
    call: (tool: string, args: object) =>
      agent.request('tools/call', { name: 'execute_tool', arguments: { server: 'bad', tool, arguments: args } }),
    async [Symbol.asyncDispose]() {
      agent.close();
      await core.close();
      host.dispose();
    },
  };
}

describe('An imitation of a known site', () => {
  it('causes a warning in the window', async () => {
    await using here = await room('toolkeep');
    const running = here.call('ask', { params: imitation });
    await expect.poll(() => here.ui.call('questions.list')).toHaveLength(1);
    const [question] = await here.ui.call('questions.list');
    expect(question).toMatchObject({
      url: 'https://xn--pypal-4ve.com/in',
      address: { host: 'xn--pypal-4ve.com', warnings: [expect.stringContaining('is not “paypal.com”')] },
    });
    await here.ui.call('questions.answer', { id: question?.id ?? '', answer: { action: 'decline' } });
    await running;
  });

  it('causes a warning in the terminal', async () => {
    await using here = await room('toolkeep');
    const lines: string[] = [];
    const plain = (text: string) => text;
    const style = { good: plain, bad: plain, warn: plain, dim: plain, bold: plain };
    const stdin = new PassThrough();
    stdin.end('n\n');
    const terminal = { err: (line: string) => lines.push(line), errStyle: style, stdin };
    const { stop } = answerQuestions(here.ui, terminal as never, [{ server: 'bad', tool: 'ask' }]);
    await here.call('ask', { params: imitation });
    stop();
    expect(lines.join('\n')).toContain(
      'It opens xn--pypal-4ve.com\n  ! The name contains characters from another alphabet',
    );
    expect(lines.join('\n')).toContain('is not “paypal.com”');
  });

  it('is opened from the terminal only after approval', async () => {
    await using here = await room('toolkeep');
    const folder = mkdtempSync(join(tmpdir(), 'toolkeep-browser-'));
    const opened = join(folder, 'opened');
    writeFileSync(
      join(folder, 'xdg-open'),
      `#!/bin/sh\nprintf %s "$1" > ${opened}.tmp && mv ${opened}.tmp ${opened}\n`,
      {
        mode: 0o755,
      },
    );
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    const style = { good: String, bad: String, warn: String, dim: String, bold: String };
    for (const [word, action] of [
      ['n', 'decline'],
      ['y', 'accept'],
    ]) {
      const stdin = new PassThrough();
      stdin.end(`${word}\n`);
      const terminal = { err: () => undefined, errStyle: style, stdin } as never;
      const { stop } = answerQuestions(here.ui, terminal, [{ server: 'bad', tool: 'ask' }]);
      const { result } = await here.call('ask', { params: { ...imitation, url: 'https://example.com/in' } });
      stop();
      expect(result).toMatchObject({ content: [{ text: JSON.stringify({ action }) }] });
      if (action === 'decline') expect(existsSync(opened)).toBe(false);
    }
    await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe('https://example.com/in');
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it('reaches a client that asks for Toolkeep with the warning and the exact address', async () => {
    await using here = await room('client');
    const asked: Record<string, unknown>[] = [];
    here.agent.onRequest = async ({ params }) => {
      asked.push(params ?? {});
      return { action: 'decline' };
    };
    await here.call('ask', { params: imitation });
    expect(asked).toEqual([
      {
        ...imitation,
        url: 'https://xn--pypal-4ve.com/in',
        message: expect.stringMatching(
          /^Sign in\n\nToolkeep: this leads to xn--pypal-4ve\.com\. .*is not “paypal\.com”/,
        ),
      },
    ]);
    const honest = { ...imitation, url: 'https://example.com/in' };
    await here.call('ask', { params: honest });
    expect(asked[1]).toEqual(honest);
  });

  it('A harmless address in a refusal reaches the client unchanged', async () => {
    await using here = await room('client');
    const { error } = await here.call('open_account', {});
    expect(error).toMatchObject({
      code: -32042,
      data: { elicitations: [{ mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'in' }] },
    });
  });
});
