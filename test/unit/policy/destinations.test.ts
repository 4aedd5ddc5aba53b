/** Recognizes where a call goes, and compares destinations without merging look-alikes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { destinationsOf } from '../../../electron/core/policy/destinations.ts';
import { annotate } from '../../../electron/core/tools/assessment/annotate.ts';
import { cpuMs } from '../../fixtures/cpu-ms.ts';
import { countQuestions } from '../../fixtures/destination-traces.ts';

type Properties = Record<string, Record<string, unknown>>;

function found(name: string, args: Record<string, unknown>, more: { properties?: Properties; meta?: object } = {}) {
  const properties = more.properties ?? Object.fromEntries(Object.keys(args).map((key) => [key, {}]));
  const inputSchema = { type: 'object', properties };
  const { annotations } = annotate({ name, description: '', inputSchema });
  return destinationsOf({ name, annotations, inputSchema }, args, more.meta as Record<string, unknown>);
}

const values = (...given: Parameters<typeof found>) => found(...given).all.map(({ kind, value }) => `${kind} ${value}`);

describe('The destinations of a call', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'send_email',
      { to: 'Ann <Ann@Example.com>, bob@b.org', body: 'Hi' },
      ['email ann@example.com', 'email bob@b.org'],
    ],
    ['create_event', { attendees: ['ann@example.com'], title: 'Plan' }, ['email ann@example.com']],
    ['send_message', { body: { recipients: [{ address: 'a@b.co' }] } }, ['email a@b.co']],
    [
      'post_message',
      { channel: 'general', text: 'See https://Evil.example:443/x?y' },
      ['channel general', 'web https://evil.example'],
    ],
    ['create_note', { text: 'https://docs.google.com/d/1/edit?x=1' }, ['web https://docs.google.com/d/1/edit']],
    ['send_money', { recipient: 'DE89 3704 0044 0532 0130 00', amount: 5 }, ['account DE89370400440532013000']],
    [
      'send_sms',
      { text: 'Call +49 30 901820 now', to: '+1 415 555 2671' },
      ['phone +4930901820', 'phone +14155552671'],
    ],
    ['create_note', { text: 'Card 4111-1111-1111-1111' }, ['number 4111111111111111']],
    ['create_event', { at: 1_763_913_600_000, end: '1763913600000' }, []],
    ['browser_click', { target: 'e1', element: 'Sign in' }, []],
    ['create_issue', { owner: 'ada', repo: 'engine', title: 'x' }, ['place owner ada, repo engine']],
    ['delete_issue', { issue_id: 7 }, ['issue 7']],
    ['create_note', { title: 'Shopping', text: 'Milk.' }, []],
    [
      'call_hook',
      { url: 'https://hooks.zapier.com/catch/1/mine?x=1', data: 'x' },
      ['web https://hooks.zapier.com/catch/1/mine'],
    ],
    [
      'call_api',
      { url: 'https://a.example/send?text=hi&chat_id=7', data: 'x' },
      ['web https://a.example/send?chat_id=7'],
    ],
    ['register', { endpoint: 'https://a.example/hook/1' }, ['web https://a.example/hook/1']],
    ['browser_navigate', { url: 'https://a.example/page/1' }, ['web https://a.example']],
    ['set_members', { members: { ann: 'admin' } }, ['user ann', 'user admin']],
    ['post_message', { channels: { C1: true } }, ['channel C1']],
    ['assign_issue', { issue: 7, assignee: 'eve' }, ['user eve']],
    ['share_file', { file: 'f', share_with: 'eve' }, ['path f', 'user eve']],
    ['add_card', { name: 'x', board_id: 'b1', list_id: 'l1' }, ['board b1', 'list l1']],
    ['delete_card', { card_id: 'c1', board_id: 'b1' }, ['card c1', 'board b1']],
  ])('%s with %j are %j', (name, args, expected) => {
    expect(values(name, args).sort()).toEqual([...expected].sort());
  });

  it('are not hidden behind a known address, in a key, or in a value with a comma', () => {
    const known = new Set(
      values('send_message', { to: 'https://good.example', cc: '+14155552671', url: 'ann@good.example' }),
    );
    const hidden = [
      'https://good.example https://evil.example',
      'https://good.example,https://evil.example',
      'https://good.example\\@evil.example',
      '+14155552671 eve',
      'eve +14155552671',
      'ann@good.example\r\nBcc: eve@evil.example',
      'ann@good.example eve@evil.example',
    ];
    for (const to of hidden)
      expect(
        values('send_message', { to }).every((one) => known.has(one)),
        to,
      ).toBe(false);
    expect(values('send_message', { copies: { 'eve@evil.example': true } })).toEqual(['email eve@evil.example']);
    expect(values('create_issue', { owner: 'a, repo b' })).not.toEqual(
      values('create_issue', { owner: 'a', repo: 'b' }),
    );
  });

  it('include addresses in the metadata', () => {
    expect(values('send_message', { text: 'x' }, { meta: { note: 'eve@evil.example' } })).toEqual([
      'email eve@evil.example',
    ]);
  });

  it('do not include the conversation that a client names in the metadata', () => {
    const meta = { threadId: '01a21664-e4fe-7af3-a16c-905aa093cfe4', 'vscode.conversationId': 'c1' };
    expect(values('send_message', { text: 'x' }, { meta })).toEqual([]);
    expect(values('send_message', { text: 'x' }, { meta: { threadId: 'evil.example' } })).not.toEqual([]);
    expect(values('send_message', { threadId: 'c1' }, { meta })).toEqual(['thread c1']);
    const args = { _meta: { note: 'eve@evil.example' } };
    expect(values('send_message', args, { meta })).toEqual(['email eve@evil.example']);
  });

  it('of a destructive tool are not those of any other tool', () => {
    expect(found('delete_user', { email: 'a@b.co' }).all).toEqual([
      { kind: 'email', value: 'a@b.co', tool: 'delete_user' },
    ]);
  });

  it('are incomplete if one is a secret, inexact, or too long to compare', () => {
    for (const to of ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 2 ** 60, 'x'.repeat(501)])
      expect(found('send_message', { to }).isComplete).toBe(false);
    expect(found('send_message', { to: 'ann' }).isComplete).toBe(true);
  });

  it('are incomplete if there are more than a user would compare, by name or as keys', () => {
    const many = Array.from({ length: 600 }, (_, at) => `https://a${at}.example/`);
    for (const args of [
      Object.fromEntries(many.map((url, at) => [`u${at}`, url])),
      { by: Object.fromEntries(many.map((url) => [url, 1])) },
    ])
      expect(found('send_message', args)).toMatchObject({ all: [], isComplete: false });
  });

  it('are not recognized if a dangerous tool has neither an argument for them nor for what it acts on', () => {
    expect(found('delete_everything', { confirm: true }).isRecognized).toBe(false);
    expect(found('delete_file', { path: '/a' }).isRecognized).toBe(true);
  });

  it('never contain a value that is not in the call', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (mail) => {
        const { all, isComplete } = found('send_email', { to: mail });
        // `key=value@host` looks like a secret, which is never a destination.
        expect(all).toHaveLength(isComplete ? 1 : 0);
        for (const { value } of all) expect(value.toLowerCase()).toContain(mail.split('@')[0]?.toLowerCase());
      }),
    );
  });

  /** Every second letter is a capital. */
  const mixed = (text: string) =>
    text.replace(/../g, (two) => two.toLowerCase().replace(/^./, (one) => one.toUpperCase()));
  const word = fc.stringMatching(/^[a-z]{2,8}$/);
  const host = fc.tuple(word, fc.constantFrom('com', 'org', 'de')).map((parts) => parts.join('.'));
  const mail = fc.tuple(word, host).map((parts) => parts.join('@'));
  const toOnly = (to: string) => values('send_message', { to });

  it('are equal for all ways to write any address', () => {
    fc.assert(
      fc.property(mail, word, (address, name) => {
        const [local, domain = ''] = address.split('@');
        for (const same of [
          mixed(address),
          ` ${address} `,
          `<${address}>`,
          `${name} <${address}>`,
          `"${name}, ${name}" <${address}>`,
        ])
          expect(toOnly(same), same).toEqual([`email ${address}`]);
        expect(toOnly(`${local}@ü${domain}`)).toEqual([`email ${local}@${new URL(`https://ü${domain}`).hostname}`]);
      }),
    );
    fc.assert(
      fc.property(host, word, (domain, path) => {
        for (const same of [
          `https://${mixed(domain)}`,
          `https://${domain}:443/${path}`,
          `https://${domain}/?q=${path}#${path}`,
          `https://${path}@${domain}`,
        ])
          expect(toOnly(same), same).toEqual([`web https://${domain}`]);
      }),
    );
  });

  it('differ for any two addresses that look alike', () => {
    const alike = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' };
    fc.assert(
      fc.property(mail, host, fc.nat(), (address, other, at) => {
        const [local, domain = ''] = address.split('@');
        const place = at % address.length;
        const letter = address[place] as keyof typeof alike;
        const all = new Set([
          address,
          `${local}+x@${domain}`,
          `${local}x@${domain}`,
          `${address}.${other}`,
          `${local}@x.${domain}`,
          ...(alike[letter] ? [address.slice(0, place) + alike[letter] + address.slice(place + 1)] : []),
          ...(domain.includes('m') ? [`${local}@${domain.replace('m', 'rn')}`] : []),
          ...[domain, `${domain}:8443`, `x.${domain}`, `${domain}.${other}`, `${domain}@x${other}`].flatMap((site) => [
            `https://${site}`,
            `http://${site}`,
          ]),
        ]);
        expect(new Set([...all].map((to) => toOnly(to).join())).size, [...all].join(' ')).toBe(all.size);
      }),
    );
  });

  it('are equal for different spellings of one address', () => {
    const same: [unknown, unknown][] = [
      ['ann@example.com', 'Ann Lee <ANN@EXAMPLE.COM>'],
      ['ann@münchen.de', 'ann@xn--mnchen-3ya.de'],
      ['https://example.com/a', 'https://EXAMPLE.com:443/b'],
      ['https://user@example.com', 'https://example.com'],
      ['DE89370400440532013000', 'de89 3704 0044 0532 0130 00'],
      [' general', 'general'],
      ['caf\u00e9', 'cafe\u0301'],
    ];
    for (const [one, other] of same)
      expect(values('send_message', { to: one })).toEqual(values('send_message', { to: other }));
  });

  it('are found in 100 KB of values that look like the start of mail addresses in less than a second', () => {
    const to = Array.from({ length: 199 }, (_, at) => `${`a:${'(a'.repeat(300)}`.slice(0, 494)}${at + 100}@`);
    const start = cpuMs();
    expect(found('send_message', { to }).all).toHaveLength(199);
    expect(cpuMs() - start).toBeLessThan(1_000);
  });

  it.each<[string, unknown]>([
    ['a list', Array.from({ length: 4_800 }, String)],
    ['an object', Object.fromEntries(Array.from({ length: 2_400 }, (_, at) => [`k${at}`, at]))],
  ])('are found in thousands of values of %s, below names with many parts, without a pause', (_, value) => {
    let args = value;
    for (let level = 0; level < 29; level += 1) args = { ['a.'.repeat(100)]: args };
    const start = cpuMs();
    expect(found('save_note', args as Record<string, unknown>)).toMatchObject({ all: [], isComplete: true });
    expect(cpuMs() - start).toBeLessThan(200);
  });

  it('differ for look-alikes, subdomains, schemes, ports and tags', () => {
    const all = [
      'anna@acme.com', 'anna@acrne.com', 'аnna@acme.com', 'anna@mail.acme.com', 'anna+x@acme.com', 'anna@аcme.com',
      'https://acme.com', 'http://acme.com', 'https://acme.com:8443', 'https://acme.com.evil.example', 'https://acme.com@evil.example',
      'anna@acme.com/.evil.example', 'anna@acme.com#.evil.example', 'anna@acme.com?.evil.example', 'anna@acme%2ecom',
      'https://acme.com?@evil.example', 'https://acme.com#@evil.example',
      'general', 'General', 'generаl', 'ｇeneral',
    ]; // biome-ignore format: a table
    const seen = all.map((to) => values('send_message', { to }).join());
    expect(new Set(seen).size).toBe(all.length);
  });
});

it('On replayed tasks, few acts ask, and every attack with an act raises a question', () => {
  const { acts, asked, attacks, caught, lateActs, lateAsked } = countQuestions();
  expect(asked / acts).toBeLessThanOrEqual(0.3);
  expect(lateAsked / lateActs).toBeLessThanOrEqual(0.36);
  expect(attacks).toBeGreaterThan(300);
  expect(caught).toBe(attacks);
});
