/** MCP messages in a server's log: what is kept of them, and how the log describes them. */
import { isObject } from '../../../shared/is-object.ts';
import type { LogKind } from '../../../shared/model/server-log.ts';
import type { RingRecord } from '../jsonrpc/byte-ring.ts';
import { excerptText } from '../jsonrpc/excerpt.ts';
import { outlineOf, piecesOf } from '../jsonrpc/raw-json.ts';
import { isId, type Params } from './connection/server-message.ts';

const maxCharacters = 16_000;

/** The message as pieces of JSON. For calls and short results, which are nearly all messages, reuses the existing text. */
export function keptMessage(message: Params): { pieces: readonly (string | Buffer)[]; isShortened: boolean } {
  if (holdsAnswer(message)) return shortened(withoutAnswers(message));
  const pieces = piecesOf(message);
  const isShort = pieces?.every(({ length }) => length <= maxCharacters);
  return pieces && isShort ? { pieces, isShortened: false } : shortened(identifiedFirst(message));
}

function shortened(message: Params): ReturnType<typeof keptMessage> {
  const { text, isShortened } = excerptText(message, maxCharacters);
  return { pieces: [text], isShortened };
}

/** The message with what identifies it before what may be shortened. Servers often write the ID last. */
function identifiedFirst({ result, params, ...rest }: Params): Params {
  const { name, uri } = isObject(params) ? params : {};
  const named = { ...(name !== undefined && { name }), ...(uri !== undefined && { uri }) };
  return {
    ...rest,
    ...(params !== undefined && { params: isObject(params) ? { ...named, ...params } : params }),
    ...(result !== undefined && { result }),
  };
}

const holdsAnswer = ({ result, params }: Params) =>
  (isObject(result) && 'action' in result && 'content' in result) || (isObject(params) && 'inputResponses' in params);

/** Removes the user's answers: they are only for the server, and a field with any name may contain a secret. */
function withoutAnswers({ result, params, ...rest }: Params): Params {
  return isObject(result)
    ? { ...rest, result: { ...result, content: "(the user's answer)" } }
    : { ...rest, params: { ...(params as Params), inputResponses: "(the user's answers)" } };
}

export const hasError = ({ error, result }: Params) => isObject(error) || (isObject(result) && result.isError === true);

/** The requests that messages answer. */
export function requestsOf(
  messages: readonly RingRecord[],
  kindOf: (record: RingRecord) => LogKind,
): Map<RingRecord, RingRecord> {
  const open = new Map<string, RingRecord>();
  const requests = new Map<RingRecord, RingRecord>();
  for (const record of messages) {
    const { id, method } = outlineOf(record.bytes);
    if (!isId(id)) continue;
    if (method !== undefined) open.set(`${kindOf(record)} ${id}`, record);
    else {
      const key = `${kindOf(record) === 'sent' ? 'received' : 'sent'} ${id}`;
      const request = open.get(key);
      if (request) requests.set(record, request);
      open.delete(key);
    }
  }
  return requests;
}

/** `tools/call read_file`, and the same with a duration for the answer to it. */
export function titleOf(message: Params, answered: { request: Params; ms: number } | undefined): string {
  const { method, params } = message;
  if (typeof method !== 'string')
    return answered ? `Response to ${titleOf(answered.request, undefined)} (${answered.ms} ms)` : 'Response';
  const { name, uri } = isObject(params) ? params : {};
  const subject = name ?? uri;
  return typeof subject === 'string' ? `${method} ${subject}` : method;
}
