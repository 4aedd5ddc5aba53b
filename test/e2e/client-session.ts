/** A recorded client behind a real bridge process: its handshake and its behavior. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client';
import type { RecordedClient } from '../fixtures/recorded-clients.ts';
import { type Message, type RawPeer, spawnPeer } from '../integration/gateway/raw-peer.ts';
import type { Product } from './product.ts';

type Json = Record<string, unknown>;

export interface ClientSession {
  readonly peer: RawPeer;
  /** The methods that the server requested of this client. */
  readonly asked: string[];
  /** Sends a request in the client's own protocol; answers the server's requests until the response arrives. */
  request(method: string, params: Json): Promise<Message>;
  /** The text of one attempt to run a tool. */
  attempt(tool: string, args?: Json): Promise<string>;
  /** Runs a tool as an agent does, which repeats a call that is pending. */
  execute(tool: string, args?: Json): Promise<Json>;
  /** Likewise, under the name in the client's list. */
  callListed(name: string, args: Json): Promise<Json>;
  close(): Promise<void>;
}

export async function clientSession(
  product: Product,
  client: RecordedClient,
  { folder, flags = [] }: { folder: string; flags?: string[] },
): Promise<ClientSession> {
  const { command, args, env } = product.bridge('--client', client.id, ...flags);
  const peer = spawnPeer({ command, args, env });
  const asked: string[] = [];
  const info = { name: client.name, version: client.version };
  const isModern = client.protocol === '2026-07-28';

  async function answer(method: string): Promise<Json> {
    asked.push(method);
    if (method === 'roots/list') return { roots: [{ uri: `file://${folder}` }] };
    if (method === 'elicitation/create') return { action: 'accept', content: { color: `from ${client.id}` } };
    return { role: 'assistant', model: 'm', content: { type: 'text', text: `from ${client.id}` } };
  }
  peer.onRequest = ({ method = '' }) => answer(method);

  const envelope = {
    [PROTOCOL_VERSION_META_KEY]: client.protocol,
    [CLIENT_INFO_META_KEY]: info,
    [CLIENT_CAPABILITIES_META_KEY]: client.capabilities,
  };
  async function modern(method: string, params: Json): Promise<Message> {
    const reply = await peer.request(method, { ...params, _meta: { ...(params._meta as Json), ...envelope } });
    if (reply.result?.resultType !== 'input_required') return reply;
    const { inputRequests, requestState } = reply.result as {
      inputRequests: Record<string, { method: string }>;
      requestState: string;
    };
    const inputResponses: Json = {};
    for (const [key, { method: wanted }] of Object.entries(inputRequests)) inputResponses[key] = await answer(wanted);
    return modern(method, { ...params, inputResponses, requestState });
  }
  const request = isModern ? modern : (method: string, params: Json) => peer.request(method, params);

  let token = 0;
  async function call(name: string, given: Json): Promise<Json> {
    token += 1;
    const reply = await request('tools/call', { name, arguments: given, _meta: { progressToken: token } });
    return reply.result ?? { content: [{ type: 'text', text: JSON.stringify(reply.error) }] };
  }
  async function untilDone(name: string, given: Json): Promise<Json> {
    for (;;) {
      const result = await call(name, given);
      if (!/"(?:CALL|APPROVAL)_PENDING"/.test(firstText(result))) return result;
    }
  }
  const onTrial = (tool: string, given: Json, server = 'trial') => ({ server, tool, arguments: given });

  if (isModern) await modern('server/discover', {});
  else {
    await peer.request('initialize', {
      protocolVersion: client.protocol,
      capabilities: client.capabilities,
      clientInfo: info,
    });
    peer.notify('notifications/initialized');
  }
  return {
    peer,
    asked,
    request,
    attempt: async (tool, given = {}) => firstText(await call('execute_tool', onTrial(tool, given))),
    execute(tool, given = {}) {
      const [server, name] = tool.includes('/') ? (tool.split('/') as [string, string]) : ['trial', tool];
      return untilDone('execute_tool', onTrial(name, given, server));
    },
    callListed: untilDone,
    async close() {
      peer.close();
      await peer.closed;
    },
  };
}

export function firstText(result: Json | undefined): string {
  const [first] = (result?.content ?? []) as { text?: string }[];
  return first?.text ?? '';
}
