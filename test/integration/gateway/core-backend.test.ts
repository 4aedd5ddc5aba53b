/**
 * Search feedback, saved tokens, and the report of servers that still connect, in a whole Core.
 *
 * @module-tag exhaustive
 */
import { type Duplex, duplexPair } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Core, createCore } from '../../../electron/core/core.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { initialize, type RawPeer, rawPeer } from './raw-peer.ts';

let host: TestHost;
let core: Core;
let ui: CoreClient;
let agent: RawPeer;

beforeEach(() => {
  host = testHost();
});
afterEach(async () => {
  agent.close();
  await core.close();
  host.dispose();
});

async function start(servers: Parameters<typeof serverConfig>[]): Promise<void> {
  host.store.set(
    'servers',
    servers.map((args) => serverConfig(...args)),
  );
  core = await createCore(host);
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: false });
  ui = connectCore(ours);
  const [near, far] = duplexPair() as [Duplex, Duplex];
  core.gateway.serveStream(far, {});
  agent = rawPeer(near, near);
  await initialize(agent, { name: 'Agent' });
}

async function ask(name: string, args: Record<string, unknown>): Promise<string> {
  const { result } = await agent.request('tools/call', { name, arguments: args });
  return (result as { content: { text: string }[] }).content[0]?.text ?? '';
}
/** Searches until the servers are connected: on a busy machine, the brief wait may not be enough, and the response says so. */
async function search(query: string): Promise<string> {
  let answer = await ask('search_tools', { query });
  while (answer.includes('Still connecting')) answer = await ask('search_tools', { query });
  return answer;
}
const leading = (answer: string) => answer.split(/[ \n]/, 1)[0];

describe('Searching', () => {
  it('learns from the tool that runs afterwards, until the feedback is removed', async () => {
    await start([['everything', commands.everything()]]);
    const query = { query: 'get structured content' };
    const before = await search(query.query);
    expect(leading(before)).toBe('everything/get-structured-content');
    expect(before).toContain('everything/get-resource-links');
    const run = { server: 'everything', tool: 'get-resource-links', arguments: { count: 1 } };
    for (let time = 0; time < 2; time++) {
      await ask('search_tools', { query: 'structured content links' });
      await ask('execute_tool', run);
    }
    const lessons = await ui.call('search.feedback.list');
    if (lessons.length === 0) throw new Error('nothing was learned');
    expect(lessons[0]).toMatchObject({ server: 'everything', tool: 'get-resource-links', source: 'agent' });
    expect(leading(await ask('search_tools', { query: 'structured content links' }))).toBe(
      'everything/get-resource-links',
    );
    for (const { id } of lessons) expect(await ui.call('search.feedback.remove', { id })).toEqual({ forgotten: true });
    expect(await ui.call('search.feedback.list')).toEqual([]);
  });

  it('learns from the user, but only about tools that exist', async () => {
    await start([['everything', commands.everything()]]);
    await search('anything');
    await ui.call('search.feedback.add', { query: 'morning greeting', server: 'everything', tool: 'echo' });
    expect(leading(await ask('search_tools', { query: 'morning greeting' }))).toBe('everything/echo');
    const wrong = { query: 'morning greeting', server: 'everything', tool: 'ecko' };
    await expect(ui.call('search.feedback.add', wrong)).rejects.toMatchObject({
      failure: { code: 'TOOL_NOT_FOUND' },
    });
  });

  it('waits briefly for a server that connects for the first time, and reports it if it is late', async () => {
    await start([['late', commands.misbehaving('slow-start', 'delay=700')]]);
    expect(leading(await search('echo'))).toBe('late/echo');
  });

  it('reports which servers still connect, and does not wait for them', async () => {
    await start([
      ['never', commands.misbehaving('hang-at-initialize')],
      ['there', commands.misbehaving()],
    ]);
    let answer = await ask('search_tools', { query: 'echo' });
    while (!answer.includes('there/echo')) answer = await ask('search_tools', { query: 'echo' });
    expect(leading(answer)).toBe('there/echo');
    expect(answer).toContain('Still connecting, not included yet: never.');
  });

  it('waits less for a hanging server when a client names it again', async () => {
    await start([
      ['never', commands.misbehaving('hang-at-initialize')],
      ['other', commands.misbehaving('hang-at-initialize')],
    ]);
    const late = 'Still connecting, not included yet: never.';
    const named = (server: string) => ask('search_tools', { query: 'echo', server });
    expect(await named('never')).toContain(late);
    // The first wait for the other server is the longer one.
    expect(await Promise.race([named('never'), named('other')])).toContain(late);
  });
});
