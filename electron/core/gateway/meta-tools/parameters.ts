/** Reads the parameters of meta-tools. Throws INPUT_INVALID if the agent's parameters are wrong. */
import { fail } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { costlyMessage, isCostlyJson } from '../../jsonrpc/parse-cost.ts';
import type { JsonObject } from '../../types.ts';

/** In characters. No name is longer, and a longer query finds nothing more. */
const maxLength = 10_000;

/** Refuses names and queries of any length, because comparing and counting them takes time. */
export function requireShort(args: JsonObject): void {
  for (const key of ['server', 'tool', 'query']) {
    const { length = 0 } = optionalString(args[key]) ?? '';
    if (length <= maxLength) continue;
    throw fail('INPUT_INVALID', `The parameter "${key}" has ${length} characters; the limit is ${maxLength}.`);
  }
}

/** Agents copy `server/tool` from search results into either parameter. */
export function toolRef(args: JsonObject): { server: string; tool: string } {
  const tool = requiredString(args, 'tool');
  const server = optionalString(args.server);
  if (server !== undefined)
    return { server, tool: tool.startsWith(`${server}/`) ? tool.slice(server.length + 1) : tool };
  const slash = tool.lastIndexOf('/');
  if (slash < 1) throw fail('INPUT_INVALID', 'The parameter "server" is missing.');
  return { server: tool.slice(0, slash), tool: tool.slice(slash + 1) };
}

export function requiredString(args: JsonObject, key: string): string {
  const value = args[key];
  if (typeof value === 'string' && value !== '') return value;
  throw fail('INPUT_INVALID', `The parameter "${key}" must be a non-empty string.`);
}

/** A whole number from 1 to `max`, also as a string, because some models send it as one. Undefined for other values. */
export function optionalCount(value: unknown, max: number): number | undefined {
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && count >= 1 ? Math.min(Math.floor(count), max) : undefined;
}

export function optionalString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Accepts a JSON string, because some models send the arguments as one. */
export function toolArguments(value: unknown): JsonObject {
  let given = value ?? {};
  if (typeof given === 'string') {
    if (isCostlyJson(given)) throw fail('INPUT_INVALID', `The string in "arguments" ${costlyMessage}.`);
    try {
      given = JSON.parse(given);
    } catch {
      throw fail('INPUT_INVALID', '"arguments" must be an object; the string given is not JSON.');
    }
  }
  if (isObject(given)) return given;
  throw fail('INPUT_INVALID', '"arguments" must be an object.');
}
