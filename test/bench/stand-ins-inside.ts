/** The part of `stand-ins.ts` that runs in the network namespace. Prints the rows of its tables as JSON. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { ServerHandle } from '../../electron/core/servers/types.ts';
import { annotate } from '../../electron/core/tools/assessment/annotate.ts';
import type { NetworkHost } from '../../electron/core/types.ts';
import { exampleOf } from '../../shared/example.ts';
import type { ToolDefinition } from '../../shared/model/tool.ts';
import { testHost } from '../fixtures/host.ts';
import { placesOf } from './canary.ts';
import { connectionOf, handleOf } from './confine-servers.ts';
import type { Seen } from './fake-internet.ts';
import { descendantsOf } from './figures.ts';
import { type RealServer, realServers } from './interop-servers.ts';
import type { Row } from './report.ts';

type Call = [tool: string, args: Record<string, unknown>];

const internet = fork(join(import.meta.dirname, 'fake-internet.ts'));
let seen: Seen[] = [];
internet.on('message', (one) => seen.push(one as Seen));
const [ready] = (await once(internet, 'message')) as [Extract<Seen, { kind: 'ready' }>];
setDefaultCACertificates([...getCACertificates('default'), ready.authority]);

const print = (table: string, row: Row) => console.log(JSON.stringify({ table, row }));
const mostCalls = 25;
const callMs = 8_000;
/** Calls in the search for the token. A server may refuse some, because its service has a limit. */
const canaryCalls = 1_500;
const canaryServers = 5;

const sending: { server: RealServer; call: Call }[] = [];
/** A host, and a server on it that has a new token. */
async function setUp(server: RealServer, sandbox: 'auto' | false, mayReach: (target: NetworkHost) => boolean) {
  const secret = `K${randomBytes(20).toString('hex')}`;
  const host = testHost();
  const { connection } = await connectionOf(server, host, secret);
  const authorities = join(host.homeDir, 'authority.pem');
  writeFileSync(authorities, ready.authority);
  if (!sandbox && connection.type === 'stdio') connection.env.NODE_EXTRA_CA_CERTS = authorities;
  const asked = new Set<string>();
  const handle = handleOf(host, connection, sandbox, {
    async mayReach(target) {
      asked.add([target.host, target.port, target.secret].join(' '));
      return mayReach(target);
    },
  });
  seen = [];
  const close = async () => {
    await handle.stop();
    host.dispose();
  };
  return { secret, host, handle, asked, close };
}

const holds = (text: string, secret: string) => {
  const [, basic = ''] = /\bbasic ([a-z\d+/=]+)/i.exec(text) ?? [];
  return text.includes(secret) || Buffer.from(basic, 'base64').toString('latin1').includes(secret);
};
const hostsWith = (secret: string) => [
  ...new Set(seen.flatMap((one) => (one.kind === 'request' && holds(one.text, secret) ? one.host : []))),
];

async function called(handle: ServerHandle, [name, args]: Call): Promise<unknown> {
  const params = { name, arguments: args };
  return handle.request({ method: 'tools/call', params, timeoutMs: callMs }).catch((error) => error);
}

/** The first harmless call whose request carries the token. */
async function sendingCall(handle: ServerHandle, secret: string): Promise<Call | undefined> {
  const { tools = [] } = (await handle.request({ method: 'tools/list' })) as { tools?: ToolDefinition[] };
  const reads = (tool: ToolDefinition) => annotate(tool).annotations.safetyLevel === 'safe';
  const calls = tools
    .toSorted((a, b) => Number(reads(b)) - Number(reads(a)))
    .map((tool): Call => [tool.name, exampleOf(tool.inputSchema ?? {})])
    .slice(0, mostCalls);
  for (const call of calls) {
    await called(handle, call);
    if (hostsWith(secret).length > 0) return call;
  }
  return undefined;
}

async function compare(server: RealServer): Promise<void> {
  const row: Row = { server: server.spec.replace(/@[^@]*$/, '') };
  try {
    const call = await directly(server, row);
    if (call) await confined(server, call, row);
    await refused(server, call, row);
  } catch (error) {
    row.note = (error as Error).message.split('\n')[0]?.slice(0, 100);
  }
  print('Tokens', row);
}

async function directly(server: RealServer, row: Row): Promise<Call | undefined> {
  const { handle, secret, close } = await setUp(server, false, () => true);
  try {
    const call = await sendingCall(handle, secret);
    row.direct = hostsWith(secret).join(' ') || 'sends none';
    row.call = call?.[0];
    return call;
  } finally {
    await close();
  }
}

async function confined(server: RealServer, call: Call, row: Row): Promise<void> {
  const { handle, secret, asked, close } = await setUp(server, 'auto', () => true);
  try {
    const answer = await called(handle, call);
    row.confined = hostsWith(secret).join(' ') || 'none';
    row.questions = asked.size;
    row.secrets = [...asked].filter((one) => one.split(' ')[2]).length;
    if (row.confined === 'none')
      row.answer = answer instanceof Error ? answer.message : JSON.stringify(answer).slice(0, 300);
    else sending.push({ server, call });
    row.found = placesOf(secret, processes(), []).length;
  } finally {
    await close();
  }
}

/** A host that the user refuses gets no query and no connection. */
async function refused(server: RealServer, call: Call | undefined, row: Row): Promise<void> {
  const refusedHosts = new Set<string>();
  const { handle, close } = await setUp(server, 'auto', ({ host, secret }) => {
    if (secret === undefined) refusedHosts.add(host);
    return false;
  });
  try {
    await handle.start();
    if (call) await called(handle, call);
    const names = seen.flatMap((one) => (one.kind === 'query' || one.kind === 'connection' ? one.name : []));
    row.refused = refusedHosts.size;
    row['refused but seen'] = names.filter((name) => refusedHosts.has(name)).length;
  } finally {
    await close();
  }
}

/** All that this process has started, without the internet. */
const processes = () => descendantsOf(process.pid).filter((pid) => pid !== internet.pid);

const hasOwnFiles = (pid: number) => statSync(`/proc/${pid}/root/tmp`).dev !== statSync('/tmp').dev;

async function searchCanary(server: RealServer, call: Call, calls: number): Promise<void> {
  const row: Row = { server: server.spec.replace(/@[^@]*$/, ''), calls };
  for (const sandbox of [false, 'auto'] as const) {
    const { handle, secret, host, close } = await setUp(server, sandbox, () => true);
    try {
      for (let done = 0; done < (sandbox ? calls : 1); done += 1) await called(handle, call);
      const pids = processes();
      if (sandbox) {
        const roots = pids
          .filter(hasOwnFiles)
          .flatMap((pid) => ['/tmp', host.homeDir].map((folder) => `/proc/${pid}/root${folder}`));
        row.sent = seen.filter((one) => one.kind === 'request' && holds(one.text, secret)).length;
        row.processes = pids.filter(hasOwnFiles).length;
        row.folders = roots.length + 2;
        row.found = placesOf(secret, pids, [host.homeDir, host.dataDir, ...roots]).length;
        row.logged = host.logged.filter(({ message }) => message.includes(secret)).length;
      } else row['found unconfined'] = placesOf(secret, pids, []).length;
    } finally {
      await close();
    }
  }
  print('The search for the token', row);
}

for (const spec of process.argv.slice(2)) {
  const server = realServers.find((one) => one.spec === spec);
  if (server) await compare(server);
}
for (const { server, call } of sending.slice(0, canaryServers))
  await searchCanary(server, call, Math.ceil(canaryCalls / Math.min(canaryServers, sending.length)));
internet.kill();
