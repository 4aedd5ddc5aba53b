/** A session with a real server or a bridge, and its lists as received. Ignores lines on stdout that are not JSON. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { declaredExtensions } from '../../electron/core/tools/apps.ts';
import type { Command } from '../fixtures/commands.ts';
import { initialize, type Message, rawPeer, textOf } from '../integration/gateway/raw-peer.ts';

type Json = Record<string, unknown>;

/** Milliseconds for a start or a response. Some servers load for half a minute. */
const limitMs = 120_000;

export interface Session {
  /** Rejects if there is no response in time, or if the process ends. */
  request(method: string, params?: Json): Promise<Message>;
  /** Ends the process and all processes that it started. */
  close(): void;
}

/** The capabilities that Toolkeep declares to servers, because some list different tools without them. */
const capabilities = {
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  sampling: {},
  extensions: declaredExtensions,
};

const listNames = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;
export type Lists = Record<(typeof listNames)[number], Json[]>;

export async function connect({ command, args, env }: Command): Promise<Session> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], cwd: env?.HOME, env, detached: true });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-2_000);
  });
  const lines = new PassThrough();
  createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('{') && lines.write(`${line}\n`));
  const peer = rawPeer(lines, child.stdin);
  peer.onRequest = async ({ method }) => {
    if (method === 'ping') return {};
    throw new Error('Method not found');
  };
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${errors.trim().split('\n').at(-1)}`))),
  );
  ended.catch(() => undefined);
  const session: Session = {
    request: (method, params) => within(method, () => Promise.race([peer.request(method, params), ended])),
    close() {
      if (child.exitCode !== null || child.pid === undefined) return;
      process.kill(-child.pid, 'SIGKILL');
    },
  };
  try {
    await within('initialize', () => Promise.race([initialize(peer, { capabilities }), ended]));
  } catch (error) {
    session.close();
    throw error;
  }
  return session;
}

/** Rejects if `work` takes longer than the time limit for servers. */
export function within<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in time: ${what}`)), limitMs);
  return Promise.race([work(), promise]).finally(() => clearTimeout(timer));
}

/** The address of an app through Toolkeep, if the server has the name `real`. */
export const throughToolkeep = (uri: string) => uri.replace(/^ui:\/\//, 'ui://real/');

/** Reads the apps of a server, or what Toolkeep returns for them. */
export async function readApps(
  session: Session,
  { tools, resources }: Lists,
  addressOf = (uri: string) => uri,
): Promise<Record<string, string>> {
  const linked = tools.map(({ _meta }) => ((_meta as Json | undefined)?.ui as Json | undefined)?.resourceUri);
  const uris = [...linked, ...resources.map(({ uri }) => uri)].map(String).filter((uri) => uri.startsWith('ui://'));
  const apps: Record<string, string> = {};
  for (const uri of new Set(uris)) {
    const { result, error } = await session.request('resources/read', { uri: addressOf(uri) });
    apps[uri] = JSON.stringify(result ?? error).replaceAll(addressOf(uri), uri);
  }
  return apps;
}

/** Reads all lists, without the fields that Toolkeep adds or replaces on purpose. An unsupported list is empty. */
export async function listAll(session: Session): Promise<Lists> {
  const lists = { tools: [], prompts: [], resources: [], resourceTemplates: [] } as Lists;
  for (const list of listNames) {
    const method = list === 'resourceTemplates' ? 'resources/templates/list' : `${list}/list`;
    let cursor: unknown;
    do {
      const { result } = await session.request(method, cursor === undefined ? {} : { cursor });
      lists[list].push(...((result?.[list] ?? []) as Json[]).map(comparable));
      cursor = result?.nextCursor;
    } while (cursor !== undefined);
  }
  return lists;
}

function comparable(received: Json): Json {
  const {
    _meta,
    execution: _,
    ...item
  } = JSON.parse(JSON.stringify(received).replaceAll('ui://real/', 'ui://')) as Json;
  const { 'toolkeep/timeoutMs': __, ...meta } = (_meta ?? {}) as Json;
  // Clients reject a whole list because of one schema without a type.
  if (item.inputSchema) item.inputSchema = { type: 'object', ...(item.inputSchema as Json) };
  return Object.keys(meta).length > 0 ? { ...item, _meta: meta } : item;
}

export const text = textOf;
