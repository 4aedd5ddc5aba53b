/** `/mcp` over streamable HTTP on 127.0.0.1: admits requests by token and forwards them by protocol era. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLegacyRequest } from '@modelcontextprotocol/server';
import { limits } from '../../../../shared/limits.ts';
import { modeSchema } from '../../../../shared/model/call.ts';
import { costlyMessage } from '../../jsonrpc/parse-cost.ts';
import type { ListName } from '../../types.ts';
import type { ClientTokens } from '../client-tokens.ts';
import { admit, type TokenAccess } from '../request-guard.ts';
import { type SessionRequest, sessionOptions, sessionRefusal } from '../session-options.ts';
import { type HttpContext, type TokenSessionOptions, withToken } from './http-context.ts';
import { createLegacyHttpClients } from './http-legacy.ts';
import { completed, createHeldBytes, type HeldBytes, parseBody, readBody } from './http-message.ts';
import { createModernHttpClients } from './http-modern.ts';
import { isInitialize, maxBatch, maxInitializeBytes, maxMessageBytes } from './stream-transport.ts';

interface HttpEndpointOptions extends HttpContext {
  tokens: Pick<ClientTokens, 'authorize' | 'onRevoked'>;
}

const maxBytesPerToken = limits.client.heldBytes;

/** A request that cannot be served. */
interface HttpError {
  status: number;
  code: number;
  message: string;
  headers?: Record<string, string>;
}

export function createHttpEndpoint({ tokens, ...context }: HttpEndpointOptions) {
  const { services, onError } = context;
  const legacy = createLegacyHttpClients(context);
  const modern = createModernHttpClients(context);
  const heldBytes = createHeldBytes(maxBytesPerToken);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admitted = admit(request, 'client', tokens.authorize);
    if ('refusal' in admitted) return sendError(response, { code: -32000, ...admitted.refusal });
    const held = heldBytes(admitted.access.id);
    try {
      await answer(request, response, admitted.access, held);
    } finally {
      // A call holds its arguments until it ends, which may be much later.
      if (response.closed) held.release();
      else response.once('close', held.release);
    }
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    access: TokenAccess,
    held: HeldBytes,
  ): Promise<void> {
    const isPost = request.method === 'POST';
    let bytes: Buffer | undefined;
    try {
      const received = isPost ? await readBody(request, maxMessageBytes, held) : undefined;
      if (received && 'refused' in received) return sendError(response, refusals[received.refused]);
      bytes = received?.bytes;
    } catch (error) {
      // The client disconnected during its request.
      return onError(error as Error);
    }
    const asked = requested(request);
    const refusal = refusalOf(asked, access);
    if (refusal) return sendError(response, refusal);
    const body = bytes && parseBody(bytes);
    if (isPost && !body) return sendError(response, notJson);
    if (bytes && bytes.length > maxInitializeBytes && isInitialize(body?.message)) return sendError(response, tooLong);
    if (Array.isArray(body?.message) && body.message.length > maxBatch) return sendError(response, tooMany);
    const message = body && completed(request.headers, body.message);
    if (legacy.answersCall(request, response, access, message)) return;
    const profile = asked.profile ?? access.profile;
    const options = withToken(sessionOptions(services.findProfile, { ...asked, profile }), access);
    // Imported on first use: it loads Node's fetch and HTTP/2, 20 MB that a Core without HTTP clients does not need.
    const { toNodeHandler } = await import('@modelcontextprotocol/node');
    const fetch = (web: Request) => route(web, response, options, message);
    const handler = toNodeHandler({ fetch }, { onerror: onError, maxRequestBodySize: maxMessageBytes });
    return handler(request as never, response as never);
  }

  /** The reason why a client with these options cannot be served; undefined if it can be. */
  function refusalOf(asked: SessionRequest, access: TokenAccess): HttpError | undefined {
    if (access.profile !== undefined && asked.profile !== undefined && asked.profile !== access.profile)
      return { status: 403, code: -32001, message: `This token is limited to the profile "${access.profile}".` };
    const message = sessionRefusal(services, { ...asked, profile: asked.profile ?? access.profile });
    return message === undefined ? undefined : { status: 404, code: -32001, message };
  }

  /** Routes a request whose body has already been read as `parsedBody`. */
  async function route(
    request: Request,
    response: ServerResponse,
    options: TokenSessionOptions,
    parsedBody: unknown,
  ): Promise<Response> {
    if (parsedBody !== undefined && !(await isLegacyRequest(request, parsedBody)))
      return modern.handle(request, response, options, parsedBody);
    const answer = legacy.handle(request, response, options, parsedBody);
    return answer ?? Response.json(errorBody(-32001, 'Session not found'), { status: 404 });
  }

  const stopRevocations = tokens.onRevoked((id) => {
    legacy.revoke(id);
    modern.revoke(id);
  });

  return {
    handle,
    listChanged(list: ListName): void {
      legacy.listChanged(list);
      modern.listChanged(list);
    },
    resourceUpdated(uri: string): void {
      legacy.resourceUpdated(uri);
      modern.resourceUpdated(uri);
    },
    async close(): Promise<void> {
      stopRevocations();
      await Promise.all([legacy.close(), modern.close()]);
    },
  };
}

const tooLarge: HttpError = {
  status: 413,
  code: -32000,
  message: `The request body exceeds ${maxMessageBytes} bytes.`,
  headers: { connection: 'close' },
};
const tooLong: HttpError = {
  ...tooLarge,
  message: `An "initialize" request may have at most ${maxInitializeBytes} bytes.`,
};
const tooCostly: HttpError = { ...tooLarge, message: `The message ${costlyMessage}.` };
const tooMuch: HttpError = {
  ...tooLarge,
  status: 429,
  message: `The requests of this client hold more than ${maxBytesPerToken} bytes. Send them one after the other.`,
};
const refusals = { 'too large': tooLarge, 'too much': tooMuch, costly: tooCostly };
const tooMany: HttpError = { status: 400, code: -32600, message: `A batch may have at most ${maxBatch} messages.` };
const notJson: HttpError = { status: 400, code: -32700, message: 'Parse error: the body is not valid JSON.' };

/** Reads mode, read tool, server and profile from the URL. The profile may be in a header instead. */
function requested({ url = '', headers }: IncomingMessage): SessionRequest {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length));
  const profile = query.get('profile') ?? headers['toolkeep-profile'];
  return {
    mode: modeSchema.options.find((mode) => mode === query.get('mode')),
    readTool: query.has('readTool') ? query.get('readTool') === 'true' : undefined,
    server: query.get('server') ?? undefined,
    profile: typeof profile === 'string' ? profile : undefined,
  };
}

function sendError(response: ServerResponse, { status, code, message, headers }: HttpError): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(errorBody(code, message)));
}

function errorBody(code: number, message: string) {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}
