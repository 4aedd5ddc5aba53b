/** The order of the lines in the header of `decide`: of two reasons, the earlier one is the answer. */
import { expect, it } from 'vitest';
import { compileState } from '../../../../electron/core/policy/decide/compile.ts';
import { verdictOf } from '../../../../electron/core/policy/facts.ts';
import type { Caller, ToolRow } from '../../../../electron/core/policy/rows.ts';
import type { Call } from '../../../../electron/core/policy/verdict.ts';
import { annotate } from '../../../../electron/core/tools/assessment/annotate.ts';

const inputSchema = { type: 'object', properties: { path: {} } };
const { annotations } = annotate({ name: 'delete_file', description: 'Deletes a file.', inputSchema });

/** A call that a grant permits, until something is in its way. */
function permitted() {
  return {
    isPaused: false,
    server: { name: 's', isEnabled: true, isDiscovered: true },
    hasServer: true,
    tool: {
      ...{ server: 's', name: 'delete_file', fingerprint: 'f', category: 'file-system', annotations },
      ...{ tags: [], confirm: 'auto' },
    } as ToolRow,
    hasTool: true,
    profile: { name: 'p', servers: [] as string[], tags: [] as string[] },
    hasProfile: true,
    client: { deniesServer: false, denies: false },
    scope: { client: 'c', profile: 'p' } as Caller['scope'],
    call: {} as Partial<Call>,
    problems: [] as string[],
    ownFiles: undefined as string | undefined,
    hasGrant: true,
  };
}
type World = ReturnType<typeof permitted>;

/** The obstacles in the order of `decide`, with their answers. */
const reasons: [answer: string, (world: World) => void][] = [
  ['SERVER_NOT_FOUND This connection reaches only', (world) => Object.assign(world.scope, { server: 'other' })],
  ['PROFILE_NOT_FOUND', (world) => Object.assign(world, { hasProfile: false })],
  [
    'TOOL_DISABLED The server "s" is disabled for this client',
    ({ client }) => Object.assign(client, { deniesServer: true }),
  ],
  ['NOT_IN_PROFILE The server', ({ profile }) => profile.servers.push('other')],
  ['SERVER_NOT_FOUND There is no server', (world) => Object.assign(world, { hasServer: false })],
  ['discovered', ({ server }) => Object.assign(server, { isDiscovered: false })],
  [
    'TOOL_NOT_FOUND The server "s" has no tool "delete_file" for this client',
    ({ scope }) => Object.assign(scope, { provided: new Map([['s', { tools: new Set() }]]) }),
  ],
  [
    'TOOL_DISABLED The tool "delete_file" is disabled for this client',
    ({ client }) => Object.assign(client, { denies: true }),
  ],
  ['NOT_IN_PROFILE The tool', ({ profile }) => profile.tags.push('t')],
  ['TOOL_NOT_FOUND The server "s" has no tool "delete_file".', (world) => Object.assign(world, { hasTool: false })],
  ['TOOL_NOT_FOUND Only the app', ({ tool }) => Object.assign(tool, { app: 'only' })],
  ['PAUSED', (world) => Object.assign(world, { isPaused: true })],
  ['SERVER_DISABLED', ({ server }) => Object.assign(server, { isEnabled: false })],
  ['TOOL_HELD_BACK "delete_file" is held', ({ tool }) => Object.assign(tool, { held: 'changed' })],
  [
    'TOOL_DISABLED "delete_file" is disabled by the user\'s rules',
    ({ tool }) => Object.assign(tool, { disabledBy: 'rule' }),
  ],
  ['ARGUMENTS_INVALID', ({ problems }) => problems.push('"path" must be string')],
  ['TOOL_HELD_BACK "delete_file" changed', ({ call }) => Object.assign(call, { planned: { fingerprint: 'older' } })],
  ['TOOL_NOT_READ_ONLY', ({ call }) => Object.assign(call, { mustRead: true })],
  ['ask: own files', (world) => Object.assign(world, { ownFiles: 'own files' })],
  ['ask: deletes', (world) => Object.assign(world, { hasGrant: false })],
];

/** Toolkeep knows only whether a server may start, while its tools are not known. */
const beforeDiscovery = ['PAUSED', 'SERVER_DISABLED'];

async function answerOf(world: World): Promise<string> {
  const { client, tool, profile } = world;
  const state = compileState({
    isPaused: world.isPaused,
    servers: world.hasServer ? [world.server] : [],
    tools: { get: () => (world.hasTool && world.server.isDiscovered ? tool : undefined), ofServer: () => [] },
    rules: {
      byClient: new Map([
        ['c', { deniesServer: () => client.deniesServer, denies: () => client.denies, confirm: () => 'auto' } as never],
      ]),
    },
    profiles: world.hasProfile ? [profile] : [],
    grants: world.hasGrant
      ? [
          {
            ...{ id: 'g', client: 'Cursor', identity: 'c', server: 's', tool: 'delete_file', fingerprint: 'f' },
            ...{ conditions: [], scope: 'always', grantedAt: 0 },
          },
        ]
      : [],
    known: [],
    approvals: { ask: 'acts', mode: 'ask', destinations: 'known', reads: 'leaks' },
  });
  const caller: Caller = { id: '1', name: 'Cursor', identity: 'c', scope: world.scope };
  const call = {
    caller,
    server: 's',
    tool: 'delete_file',
    arguments: { path: '/a' },
    now: 1,
    facts: {},
    ...world.call,
  };
  const started = new Error('discovered');
  const verdict = await verdictOf(() => state, call, {
    discover: async () => Promise.reject(started),
    schema: () => inputSchema,
    problems: () => world.problems,
    ownFiles: async () => world.ownFiles,
    resultsOf: () => [],
  }).catch((error: Error) => error);
  if (verdict === started) return 'discovered';
  if (verdict instanceof Error) throw verdict;
  if (verdict.kind === 'refuse') return `${verdict.failure.code} ${verdict.failure.message}`;
  return verdict.kind === 'ask' ? `ask: ${verdict.asked.alwaysAsk ?? 'deletes'}` : verdict.kind;
}

it('runs if nothing is in the way', async () => {
  expect(await answerOf(permitted())).toBe('run');
});

it.each(reasons)('answers: %s', async (answer, apply) => {
  const world = permitted();
  apply(world);
  expect(await answerOf(world)).toContain(answer);
  for (const [other, applyOther] of reasons.slice(reasons.findIndex(([one]) => one === answer) + 1)) {
    applyOther(world);
    // Rules for the client see only tools that exist.
    const isUnseen = answer.startsWith('TOOL_DISABLED The tool') && !world.hasTool;
    const first = answer === 'discovered' && beforeDiscovery.includes(other) ? other : answer;
    if (!isUnseen) expect(await answerOf(world), other).toContain(first);
    const alone = permitted();
    Object.assign(world, alone);
    apply(world);
  }
});
