/** Adds the MCP messages of a connection to the server's log. */
import type { Transport } from '@modelcontextprotocol/client';
import { isObject } from '../../../../shared/is-object.ts';
import type { LogKind } from '../../../../shared/model/server-log.ts';
import { excerptText } from '../../jsonrpc/excerpt.ts';
import { hasOriginalText, lineOf } from '../../jsonrpc/raw-json.ts';
import type { NewLogEntry } from '../server-log.ts';
import type { Params } from '../types.ts';
import { isId } from './server-message.ts';

const maxCharacters = 16_000;
/** Maximum number of requests that wait for a response; the oldest are dropped first. */
const maxPending = 500;

/** Logs what is sent. Returns a function that logs a received message. */
export function logMessages(transport: Transport, add: (entry: NewLogEntry) => void): (received: object) => void {
  const titles = createTitles();
  const log = (kind: LogKind, message: Params) => {
    const { text: json, isShortened } = jsonOf(withoutAnswers(message));
    const isError = isObject(message.error) || (isObject(message.result) && message.result.isError === true);
    add({ kind, text: titles.of(kind, message), message: json, isShortened, isError });
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    log('sent', message as unknown as Params);
    return send(message, options);
  };
  return (received) => log('received', received as Params);
}

/** The message as JSON. For calls and short results, which are nearly all messages, reuses the existing text. */
function jsonOf(message: Params): { text: string; isShortened: boolean } {
  const { result, params } = message;
  const text = hasOriginalText(result) ?? (isObject(params) ? hasOriginalText(params.arguments) : undefined);
  const line = typeof text === 'string' && text.length <= maxCharacters ? lineOf(message) : undefined;
  const isShort = typeof line === 'string' && line.length <= 2 * maxCharacters;
  return isShort ? { text: line, isShortened: false } : excerptText(message, maxCharacters);
}

/** Removes the user's answers: they are only for the server, and a field with any name may contain a secret. */
function withoutAnswers(message: Params): Params {
  const { result, params } = message;
  if (isObject(result) && 'action' in result && 'content' in result)
    return { ...message, result: { ...result, content: "(the user's answer)" } };
  if (isObject(params) && 'inputResponses' in params)
    return { ...message, params: { ...params, inputResponses: "(the user's answers)" } };
  return message;
}

/** Creates the titles of messages: `tools/call read_file`, and the same title with a duration for its response. */
function createTitles() {
  const pending = new Map<string, { title: string; at: number }>();
  return {
    of(kind: LogKind, { id, method, params }: Params): string {
      if (typeof method === 'string') {
        const title = titleOf(method, params);
        if (!isId(id)) return title;
        const [oldest] = pending.keys();
        if (pending.size >= maxPending && oldest !== undefined) pending.delete(oldest);
        pending.set(`${kind} ${id}`, { title, at: Date.now() });
        return title;
      }
      if (!isId(id)) return 'Response';
      const key = `${kind === 'sent' ? 'received' : 'sent'} ${id}`;
      const request = pending.get(key);
      pending.delete(key);
      return request ? `Response to ${request.title} (${Date.now() - request.at} ms)` : 'Response';
    },
  };
}

function titleOf(method: string, params: unknown): string {
  const { name, uri } = isObject(params) ? params : {};
  const subject = name ?? uri;
  return typeof subject === 'string' ? `${method} ${subject}` : method;
}
