/** Raw requests to `/mcp`: shows which bytes and headers arrive, and when. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

type Json = Record<string, unknown>;

export interface RawAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface HttpPeer {
  readonly session: string;
  /** Sends a body; resolves when the response has started. */
  open(body: unknown, headers?: Record<string, string | undefined>): Promise<IncomingMessage>;
  /** Sends a body, strings unchanged and anything else as JSON; `undefined` removes a header. */
  post(body: unknown, headers?: Record<string, string | undefined>): Promise<RawAnswer>;
}

/** The text that arrives until the connection or the response ends. */
export async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return text;
}

/** The messages of an event stream. */
export function eventsOf(body: string): Json[] {
  return body
    .split('\n\n')
    .filter((event) => event.startsWith('event: message\ndata: '))
    .map((event) => JSON.parse(event.slice('event: message\ndata: '.length)));
}

/** The response to a call, as JSON or as an event stream. */
export function answerOf({ headers, body }: RawAnswer): Json {
  const isStream = headers['content-type'] === 'text/event-stream';
  return (isStream ? eventsOf(body).at(-1) : JSON.parse(body)) as Json;
}

/** Posts without a session, with only the headers that every client sends. */
export function httpPeer(url: URL, token: string, session = ''): HttpPeer {
  const peer: HttpPeer = {
    session,
    async open(body, headers = {}) {
      const all = {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': session ? '2025-11-25' : undefined,
        'mcp-session-id': session || undefined,
        ...headers,
      };
      const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
      const post = request(url, { method: 'POST', headers: Object.fromEntries(given) });
      post.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
      const [answer] = (await once(post, 'response')) as [IncomingMessage];
      return answer;
    },
    async post(body, headers) {
      const answer = await peer.open(body, headers);
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: await textOf(answer) };
    },
  };
  return peer;
}

/** Like `httpPeer`, but with a session after the legacy handshake. */
export async function openSession(url: URL, token: string, capabilities: Json = {}): Promise<HttpPeer> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } };
  const answer = await httpPeer(url, token).post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const peer = httpPeer(url, token, String(answer.headers['mcp-session-id']));
  await peer.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return peer;
}
