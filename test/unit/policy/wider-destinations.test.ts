/** Web addresses with their path, names as keys, and what a known destination covers besides itself. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../shared/model/question.ts';
import { allow, requestOf, userWho } from '../../fixtures/asking-user.ts';

const schema = { type: 'object', properties: { url: {}, payload: {} } };

/** The number of questions that these calls of one moderate or dangerous tool cause, all of which the user allows always. */
async function questions(
  calls: Record<string, unknown>[],
  more: { answer?: Answer; name?: string; properties?: object } = {},
) {
  const { answer = allow('always'), name = 'send_webhook', properties = schema.properties } = more;
  const { approvals, asked } = userWho(() => answer);
  for (const args of calls) await approvals.require(requestOf(args, {}, name, { type: 'object', properties }));
  return asked.map(({ approval }) => approval?.destinations);
}

const payload = 'Quarterly figures';
const known = 'https://hooks.zapier.com/hooks/catch/1/mine';

describe('A web address to which a call sends something', () => {
  it.each([
    ['another hook', known, 'https://hooks.zapier.com/hooks/catch/666/evil'],
    ['another topic', 'https://ntfy.sh/my-topic', 'https://ntfy.sh/evil'],
    ['another recipient in the query', 'https://a.example/send?chat_id=1', 'https://a.example/send?chat_id=666'],
    ['a repeated recipient in the query', 'https://a.example/send?to=1', 'https://a.example/send?to=1&to=666'],
    ['an encoded part', 'https://a.example/hook/1', 'https://a.example/hook/%32'],
    ['another scheme', 'https://a.example/hook/1', 'http://a.example/hook/1'],
  ])('is new for %s on the same host', async (_, url, other) => {
    expect(
      await questions([
        { url, payload },
        { url, payload: 'again' },
        { url: other, payload },
      ]),
    ).toHaveLength(2);
  });

  it('is the same with other parameters and another way to write its path', async () => {
    const calls = [known, `${known}?x=1`, `${known}#a`, known.replace('/catch', '/x/../catch')].map((url) => ({
      url,
      payload,
    }));
    expect(await questions(calls)).toHaveLength(1);
  });

  it('can be allowed with every page of its site, except where everybody can publish', async () => {
    const answer = allow('always', { destinations: 'site' });
    const pages = [1, 2].map((page) => ({ url: `https://a.example/${page}`, payload }));
    const [first, second] = await questions([...pages, { url: 'https://b.example/1', payload }], { answer });
    expect(first).toMatchObject({ offers: ['these', 'site', 'any'], sites: ['https://a.example'] });
    expect(second?.sites).toEqual(['https://b.example']);
    const [shared] = await questions([{ url: 'https://api.github.com/repos/a/b', payload }], { answer: allow('once') });
    expect(shared).toMatchObject({ offers: ['these', 'any'], sites: [] });
  });

  it('is not known because its site was opened', async () => {
    const { approvals, asked } = userWho(() => allow('always'));
    await approvals.require(requestOf({ url: 'https://a.example/' }, {}, 'send_webhook', schema));
    await approvals.require(requestOf({ url: 'https://a.example/hook/666', payload }, {}, 'send_webhook', schema));
    expect(asked).toHaveLength(2);
  });
});

describe('A known destination', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a member as a key', { members: { ann: 'admin' } }, { members: { mallory: 'admin' } }],
    ['a channel as a key', { channels: { C1: true } }, { channels: { C_EVIL: true } }],
    ['a mail address as a key', { to: { 'ann@a.co': 1 } }, { to: { 'eve@evil.example': 1 } }],
    ['another assignee', { assignee: 'ann' }, { assignee: 'eve' }],
    ['another board', { board: 'b1' }, { board: 'b2' }],
    ['the place around it', { owner: 'ada', repo: 'engine' }, { owner: 'ada' }],
    ['another place of the same kind', { project: 'p1' }, { project: 'p2' }],
    ['a place with another host', { project: 'p1' }, { project: 'p1', host: 'evil' }],
    ['a name that imitates a place', { owner: 'ada' }, { owner: 'eve", repo x' }],
  ])('does not cover %s', async (_, one, other) => {
    const properties = Object.fromEntries(Object.keys({ ...one, ...other }).map((name) => [name, {}]));
    const calls = [one, one, other].map((args) => ({ ...args, text: 'x' }));
    expect(await questions(calls, { name: 'update_thing', properties })).toHaveLength(2);
  });

  it.each([
    ['a repository of a known project', { project: 'web' }, { project: 'web', repository: 'web' }],
    ['a project of a known team', { team: 't1' }, { team: 't1', project: 'p1' }],
    ['a repository of a known owner', { owner: 'ada' }, { owner: 'ada', repo: 'engine' }],
  ])('covers %s', async (_, one, other) => {
    expect(await questions([one, other], { name: 'update_thing', properties: { ...one, ...other } })).toHaveLength(1);
  });

  it('of a tool that deletes covers no place inside it', async () => {
    const calls = [{ owner: 'ada' }, { owner: 'ada', repo: 'engine' }];
    expect(await questions(calls, { name: 'delete_thing', properties: { owner: {}, repo: {} } })).toHaveLength(2);
  });

  it('of a mail domain covers no address that its server would send on', async () => {
    const answer = allow('always', { destinations: 'domain' });
    const tos = ['ann@corp.com', 'bob@corp.com', 'eve%evil.test@corp.com', 'evil.test!eve@corp.com'];
    expect(
      await questions(
        tos.map((to) => ({ to })),
        { answer, name: 'send_email', properties: { to: {} } },
      ),
    ).toHaveLength(3);
  });
});
