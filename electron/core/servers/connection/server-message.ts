/**
 * The door for everything that a server sends: only messages whose ids, names and error messages have the right
 * types pass. Code behind it may use them as keys and in strings, where an object with its own `toString` would throw.
 */
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';

/** The parameters or the result of a message. */
export type Params = Record<string, unknown>;
export type MessageId = string | number;

export type ServerMessage =
  | { kind: 'request'; id: MessageId; method: string; params: Params }
  | { kind: 'notification'; method: string; params: Params }
  | ServerAnswer;

export type ServerAnswer =
  | { kind: 'result'; id: MessageId; result: Params }
  | { kind: 'error'; id: MessageId; code: number; text: string; data: unknown }
  /** An answer with neither a result object nor an error. */
  | { kind: 'empty'; id: MessageId };

/** The parameters that name what a notification is about. */
const names: Readonly<Record<string, string>> = {
  'notifications/resources/updated': 'uri',
  'notifications/elicitation/complete': 'elicitationId',
};
const ids: Readonly<Record<string, string>> = {
  'notifications/progress': 'progressToken',
  'notifications/cancelled': 'requestId',
};

/** In characters. Limited, because an error message is redacted and recorded in one piece. */
const maxErrorMessage = limits.server.errorCharacters;
const internalError = -32603;

/** Undefined if a server may not send this message. */
export function readServerMessage(message: unknown): ServerMessage | undefined {
  if (!isObject(message)) return undefined;
  const { id, method, params: given, error, result } = message;
  const params = isObject(given) ? given : {};
  if (typeof method === 'string') {
    if (isId(id)) return { kind: 'request', id, method, params };
    const isNotification = (id === undefined || id === null) && hasItsName(method, params);
    return isNotification ? { kind: 'notification', method, params } : undefined;
  }
  if (!isId(id)) return undefined;
  if (isObject(error)) return { kind: 'error', id, ...readError(error) };
  return isObject(result) ? { kind: 'result', id, result } : { kind: 'empty', id };
}

export const isId = (value: unknown): value is MessageId => typeof value === 'string' || typeof value === 'number';

function hasItsName(method: string, params: Params): boolean {
  const name = names[method];
  const id = ids[method];
  return (name === undefined || typeof params[name] === 'string') && (id === undefined || isId(params[id]));
}

function readError({ code, message, data }: Params): { code: number; text: string; data: unknown } {
  const text = typeof message === 'string' ? message : 'The server gave no reason.';
  return { code: typeof code === 'number' ? code : internalError, text: withinLength(text, maxErrorMessage), data };
}

export const withinLength = (text: string, maxCharacters: number) =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}… (shortened by Toolkeep)`;
