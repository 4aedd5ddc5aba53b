/** A grant is bound to a client's entry or token. The name that a client states has no effect. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commands } from '../fixtures/commands.ts';
import { type Attacker, type AttackKit, attackKit } from './attack-kit.ts';
import { newProduct } from './product.ts';

const product = newProduct();
let kit: AttackKit;

beforeAll(async () => {
  product.file('.toolkeep/config.json', {
    servers: [{ name: 'github', connection: { type: 'stdio', ...commands.github() } }],
  });
  const { output } = await product.serve();
  await vi.waitFor(() => expect(output()).toContain('github: ready'), { timeout: 20_000 });
  kit = await attackKit(product);
});
afterAll(async () => {
  await kit?.close();
  await product.dispose();
});

const remove = (attacker: Attacker, more: Record<string, unknown> = {}) =>
  attacker.execute('github', 'delete_repo', { repo: 'a/b', ...more });

/** Has the user allow a call, and checks that the next one runs without a question. */
async function allow(attacker: Attacker, scope: 'session' | 'always'): Promise<void> {
  const first = remove(attacker);
  await kit.answer({ action: 'accept', scope, conditions: [] });
  expect(await first).toBe('[]');
  expect(await remove(attacker)).toBe('[]');
}
/** Makes a call that asks the user, who denies it. Resolves with the client's name that the user saw. */
async function asks(attacker: Attacker, more: Record<string, unknown> = {}): Promise<string | undefined> {
  const call = remove(attacker, more);
  const { from } = await kit.question();
  await kit.answer({ action: 'decline' });
  expect(await call).toContain('APPROVAL_DENIED');
  return from.client;
}
const newToken = async (name: string) => (await kit.ui.call('tokens.create', { name })).token;

describe('A grant for one client', () => {
  it('does not apply to a client of the same name with another entry, without an entry, or with a token', async () => {
    await allow(await kit.overBridge('Claude', ['--client', 'claude-desktop']), 'always');
    for (const impostor of [
      await kit.overBridge('Claude', ['--client', 'cursor']),
      await kit.overBridge('Claude'),
      await kit.overBridge('claude-desktop'),
      await kit.overHttp('Claude', await newToken('Claude')),
      await kit.overHttp('claude-desktop', await newToken('claude-desktop')),
    ])
      expect(await asks(impostor)).toMatch(/claude/i);
  });

  it('lasts at most one session for a client without an entry or token', async () => {
    const first = await kit.overBridge('my-editor');
    const call = remove(first);
    expect((await kit.question()).approval).toMatchObject({ scopes: ['once', 'session'], isUnbound: true });
    await kit.answer({ action: 'accept', scope: 'always', conditions: [] });
    expect(await call).toBe('[]');
    await asks(first);
    await allow(first, 'session');
    await asks(await kit.overBridge('my-editor'));
    await asks(await kit.overBridge(''));
    expect((await kit.ui.call('grants.list')).filter(({ client }) => client === 'my-editor')).toHaveLength(1);
    await first.client.close();
    await expect
      .poll(() => kit.ui.call('grants.list'))
      .not.toContainEqual(expect.objectContaining({ client: 'my-editor' }));
  });

  it('still applies to the entry after the client changes its name', async () => {
    const renamed = await kit.overBridge('Claude 2', ['--client', 'claude-desktop']);
    expect(await remove(renamed)).toBe('[]');
  });

  it('for a session is not shared by two programs with the same name and different tokens', async () => {
    const [first, second] = [await newToken('first'), await newToken('second')];
    await allow(await kit.overHttp('Agent', first), 'session');
    expect(await asks(await kit.overHttp('Agent', second))).toBe('token second (says it is “Agent”)');
  });

  it("ends when the client's token is revoked or rotated", async () => {
    for (const end of ['tokens.revoke', 'tokens.rotate'] as const) {
      const token = await newToken(end);
      const attacker = await kit.overHttp(`Owner of ${end}`, token);
      await allow(attacker, 'always');
      const mine = async () =>
        (await kit.ui.call('grants.list')).filter(({ client }) => client.startsWith(`token ${end} `));
      expect(await mine()).toHaveLength(1);
      await kit.ui.call(end, { name: end });
      expect(await mine()).toEqual([]);
    }
  });
});

it('A grant for one repository covers no other repository and no call with new arguments', async () => {
  const agent = await kit.overBridge('Agent', ['--client', 'narrowed']);
  const first = remove(agent);
  expect((await kit.question()).approval?.conditions).toEqual([{ kind: 'is', argument: 'repo', value: 'a/b' }]);
  await kit.answer({ action: 'accept', scope: 'always', conditions: [0] });
  expect(await first).toBe('[]');
  expect((await product.cli('grants')).stdout).toMatch(/ for .*, always\n {4}only if repo is a\/b\n/);
  expect(await remove(agent)).toBe('[]');
  for (const more of [
    { repo: 'c/d' },
    { Repo: 'c/d' },
    { repos: ['c/d'] },
    { owner: 'c' },
    { options: { force: true } },
    { base_url: 'https://evil.example' },
    { command: 'rm -rf ~' },
  ])
    expect(await asks(agent, more), JSON.stringify(more)).toBe('Agent');
});

it("A client that states another client's name is shown by its token or entry, in the question, the list and the history", async () => {
  const shown = {
    'token web1 (says it is “cursor”)': await kit.overHttp('cursor', await newToken('web1')),
    'entry of Claude Code (says it is “cursor”)': await kit.overBridge('cursor', ['--client', 'claude-code']),
    'cursor (an MCP client)': await kit.overBridge('cursor'),
    'cursor-toolkeep (an MCP client)': await kit.overBridge('cursor-toolkeep'),
    'You (an MCP client)': await kit.overBridge('You'),
    cursor: await kit.overBridge('cursor', ['--client', 'cursor']),
  };
  for (const [name, attacker] of Object.entries(shown)) expect(await asks(attacker)).toBe(name);
  const { clients } = await kit.ui.call('core.status');
  expect(clients.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(shown)));
  const records = await kit.ui.call('history.list', {});
  expect(records.map(({ client }) => client)).toEqual(expect.arrayContaining(Object.keys(shown)));
});

it("A client that calls itself Toolkeep does not get the user's grants and is not shown as the user", async () => {
  const execute = () =>
    kit.ui.call('tools.execute', { server: 'github', tool: 'delete_repo', arguments: { repo: 'a/b' } });
  const first = execute();
  expect((await kit.question()).from.client).toBe('Toolkeep');
  await kit.answer({ action: 'accept', scope: 'always', conditions: [] });
  await first;
  await execute();
  const names = ['Toolkeep', ' toolKEEP ', 'Tool\u200bkeep', 'Ｔoolkeep'];
  for (const name of names) {
    const shown = await asks(await kit.overBridge(name));
    expect(shown).toContain('(an MCP client)');
  }
  const token = await newToken('Toolkeep');
  expect(await asks(await kit.overHttp('Toolkeep', token))).toBe('token Toolkeep (says it is “Toolkeep”)');
});

it('A program with a token counts as at most fifty clients, whatever names it states', async () => {
  const token = await newToken('Many names');
  const first = await kit.overHttp('First', await newToken('Other'));
  await first.execute('github', 'list_issues', { repo: 'a/b' });
  for (let count = 0; count < 60; count += 1) {
    const named = await kit.overHttp(`Name ${count}`, token);
    await named.client.listTools();
  }
  const names = (await kit.ui.call('core.status')).clients.map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('token Many names '))).toHaveLength(50);
  expect(names).toContain('token Many names (says it is “Name 59”)');
  expect(names).toContain('token Other (says it is “First”)');
});
