/** A standing permission covers only calls to destinations that the user has allowed. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Answer, GrantScope } from '../../../shared/model/question.ts';
import type { ApprovalNeed } from '../../../shared/model/tool.ts';
import { allow, userWho as approvalsOf, requestOf } from '../../fixtures/asking-user.ts';
import type { InventedCall } from '../../fixtures/deciding.ts';

let close: () => unknown = () => undefined;
afterEach(() => close());

function userWho(...given: Parameters<typeof approvalsOf>) {
  const parts = approvalsOf(...given);
  close = parts.close;
  return parts;
}

const ann = { to: 'ann@acme.com' };
const eve = { to: 'eve@evil.example' };

describe('A standing permission', () => {
  const cases: [ApprovalNeed, GrantScope][] = [
    ...(['session', 'minutes', 'always'] as const).flatMap((scope): [ApprovalNeed, GrantScope][] => [
      ['none', scope],
      ['each', scope],
    ]),
    ...(['session', 'day', 'always'] as const).map((scope): [ApprovalNeed, GrantScope] => ['once', scope]),
  ];
  it.each(cases)(
    'of a call with need %s, given for %s, covers known destinations and no new one',
    async (need, scope) => {
      const { approvals, asked } = userWho(() => allow(scope));
      await approvals.require(requestOf(ann, { need }));
      await approvals.require(requestOf({ to: 'Ann <ANN@acme.com>', text: 'again' }, { need }));
      expect(asked).toHaveLength(1);
      for (const [at, args] of [
        eve,
        { ...ann, text: 'cc eve2@evil.example' },
        { to: ['ann@acme.com', 'x@y.zz'] },
      ].entries()) {
        await approvals.require(requestOf(args, { need }));
        expect(asked).toHaveLength(at + 2);
        expect(asked.at(-1)?.approval?.covers).toBe('destinations');
      }
    },
  );

  it('of every scope and cover asks about new destinations also if the answer tries to allow more than was offered', async () => {
    const { approvals, asked } = userWho(() => allow('always', { destinations: 'any' }));
    await approvals.require(requestOf(ann, { need: 'none' }));
    await approvals.require(requestOf(ann, { need: 'none' }));
    expect(asked).toHaveLength(2);
  });

  it('for any destination asks no more', async () => {
    const { approvals, asked } = userWho(() => allow('always', { destinations: 'any' }));
    await approvals.require(requestOf(ann));
    await approvals.require(requestOf(eve));
    expect(asked).toHaveLength(1);
    const [grant] = approvals.grants();
    expect(grant?.destinations).toBeUndefined();
    approvals.limit(grant?.id ?? '');
    await approvals.require(requestOf(eve));
    expect(asked).toHaveLength(2);
  });

  it('for a mail domain covers everyone in it, but no subdomain, and is not offered for public mail services', async () => {
    const { approvals, asked } = userWho(() => allow('always', { destinations: 'domain' }));
    await approvals.require(requestOf(ann));
    await approvals.require(requestOf({ to: 'ben@acme.com' }));
    expect(asked).toHaveLength(1);
    await approvals.require(requestOf({ to: 'ben@x.acme.com' }));
    expect(asked).toHaveLength(2);
    await approvals.require(requestOf({ to: 'someone@gmail.com' }));
    expect(asked.at(-1)?.approval?.destinations).toMatchObject({ domains: [], offers: ['these', 'any'] });
    await approvals.require(requestOf({ to: 'other@gmail.com' }));
    expect(asked).toHaveLength(4);
  });

  it.each(['gmail.com', 'mx.gmail.com', 'github.io', 'co.uk'])('is not offered for everyone at %s', async (domain) => {
    const { approvals, asked } = userWho(() => allow('always'));
    await approvals.require(requestOf({ to: `someone@${domain}` }));
    expect(asked.at(-1)?.approval?.destinations).toMatchObject({ domains: [], offers: ['these', 'any'] });
  });

  it.each(['smith.me.uk', 'ann.github.io', 'students.uni.edu', 'corp.local'])(
    'is offered for everyone at %s',
    async (domain) => {
      const { approvals, asked } = userWho(() => allow('always'));
      await approvals.require(requestOf({ to: `someone@${domain}` }));
      expect(asked.at(-1)?.approval?.destinations).toMatchObject({ domains: [domain] });
    },
  );

  it('given in an older version, without a limit, keeps covering every destination', async () => {
    const { approvals, asked, store } = userWho(() => allow('once'));
    const grant = {
      id: 'g',
      client: 'Claude',
      identity: 'entry',
      server: 'mail',
      tool: 'send_email',
      fingerprint: 'f',
    };
    store.set('grants', [{ ...grant, conditions: [], scope: 'always', grantedAt: 0 }]);
    await approvals.require(requestOf(eve));
    expect(asked).toHaveLength(0);
  });
});

describe('A known destination', () => {
  it('is known to all tools of its server that share destinations, but to no other server or client', async () => {
    const { approvals, asked } = userWho(() => allow('always'));
    await approvals.require(requestOf(ann));
    await approvals.require(requestOf(ann, { need: 'none' }, 'create_event'));
    expect(asked).toHaveLength(1);
    const other = { ...requestOf(ann).client, id: 'c2', identity: 'other' };
    await approvals.require(requestOf(ann, { need: 'none', client: other }));
    expect(asked).toHaveLength(2);
    const request = requestOf(ann, { need: 'none' });
    await approvals.require({ ...request, tool: { ...request.tool, server: 'mail2' } });
    expect(asked).toHaveLength(3);
  });

  it('of a session is forgotten when the client disconnects, and one that the user forgets is new again', async () => {
    const { approvals, asked, events } = userWho(({ id }) => (id ? allow('session') : allow('once')));
    await approvals.require(requestOf(ann, { need: 'none' }));
    events.emit('client.disconnected', { id: 'c1', name: 'Claude' } as never);
    await approvals.require(requestOf(ann, { need: 'none' }));
    expect(asked).toHaveLength(2);
    approvals.known.forget(approvals.known.list()[0]?.id ?? '');
    await approvals.require(requestOf(ann, { need: 'none' }));
    expect(asked).toHaveLength(3);
  });

  it('of the config file needs no approval for any client', async () => {
    const { approvals, asked } = userWho(() => allow('once'), {
      known: [{ server: 'mail', kind: 'email', value: 'ann@acme.com' }],
    });
    await approvals.require(requestOf(ann, { need: 'none' }));
    expect(asked).toHaveLength(0);
  });

  it('decides all waiting calls to it', async () => {
    let answered: (answer: Answer) => void = () => undefined;
    const { approvals, asked } = userWho(() => new Promise<Answer>((resolve) => (answered = resolve)) as never);
    const calls = [1, 2, 3].map(() => approvals.require(requestOf(eve, { need: 'none' })));
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
    answered(allow('always'));
    await Promise.all(calls);
  });
});

describe('The question about a new destination', () => {
  it('names the value, the known one that it resembles, and the result in which it first appeared', async () => {
    const { approvals, asked } = userWho(() => allow('always'));
    await approvals.require(requestOf(ann));
    await approvals.require(requestOf({ to: ['ann@acme.com', 'ann@acrne.com', 'eve@evil.example'] }));
    expect(asked[1]?.approval?.destinations).toMatchObject({
      new: [
        { kind: 'email', value: 'ann@acrne.com', resembles: 'ann@acme.com' },
        { kind: 'email', value: 'eve@evil.example', seen: { server: 'mail', tool: 'read', before: 'send to ' } },
      ],
      known: [{ kind: 'email', value: 'ann@acme.com' }],
    });
  });

  it('becomes an error with the values and the command if asking is disabled', async () => {
    const { approvals } = userWho(() => allow('once'), { mayAsk: false });
    await expect(approvals.require(requestOf(eve, { need: 'none' }))).rejects.toMatchObject({
      failure: {
        code: 'APPROVAL_UNAVAILABLE',
        newDestinations: [{ kind: 'email', value: 'eve@evil.example' }],
        hint: expect.stringContaining(`toolkeep allow 'mail' --destination 'email=eve@evil.example'`),
      },
    });
  });
});

describe('A permission for all tools of a server that are not dangerous', () => {
  const note = { type: 'object', properties: { title: {}, text: {} } };
  const hook = { type: 'object', properties: { url: {}, text: {} } };
  const createNote = (more: Partial<InventedCall> = {}) =>
    requestOf({ title: 'x' }, { need: 'once', ...more }, 'create_note', note);
  const callHook = (url: string) => requestOf({ url }, { need: 'once' }, 'call_webhook', hook);
  const updateContact = requestOf(eve, { need: 'once' }, 'update_contact');

  it.each([
    ['has no destination', {}],
    ['may go to any destination', { checks: undefined }],
  ])('covers only known destinations of the others, given in a question of a tool that %s', async (_, more) => {
    const { approvals, asked } = userWho(() => allow('always'));
    await approvals.require(createNote(more));
    await approvals.require(createNote(more));
    await approvals.require(requestOf({ title: 'y' }, { need: 'once' }, 'create_list', note));
    expect(asked).toHaveLength(1);
    expect(approvals.grants()).toMatchObject([{ covers: 'acts', destinations: 'known' }]);
    await approvals.require(callHook('https://evil.example/hook'));
    await approvals.require(updateContact);
    expect(asked).toHaveLength(3);
  });

  it('offers any destination as the second choice, and the question tells what that covers', async () => {
    const { approvals, asked } = userWho(() => allow('always', { destinations: 'any' }));
    await approvals.require(createNote());
    expect(asked[0]?.approval?.destinations).toMatchObject({ offers: ['these', 'any'], anyCovers: 'acts' });
    await approvals.require(callHook('https://evil.example/hook'));
    expect(asked).toHaveLength(1);
  });

  it('for known destinations stays so, whatever harmless tool asks next', async () => {
    const { approvals, asked } = userWho(({ from }) => allow(from.tool === 'call_webhook' ? 'once' : 'always'));
    await approvals.require(callHook('https://good.example/'));
    await approvals.require(updateContact);
    await approvals.require(createNote());
    await approvals.require(callHook('https://evil.example/hook'));
    expect(asked).toHaveLength(3);
    expect(asked[2]?.approval).toMatchObject({ covers: 'destinations', destinations: { anyCovers: 'acts' } });
  });
});
