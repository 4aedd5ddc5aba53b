/** Converts a request for `execute_tools` to a call that runs many calls. */
import { fail, toFailure } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import type { JsonObject, ToolCall } from '../../types.ts';
import { toolCall } from '../mcp-request.ts';
import type { GatewayServices, McpRequest } from '../services.ts';
import { requireShort, toolArguments, toolRef } from './parameters.ts';

/** Throws INPUT_INVALID, naming each call that is malformed. */
export function batchCall({ batch, tools }: GatewayServices, request: McpRequest, args: JsonObject): ToolCall {
  // The handle of a parked call needs no calls.
  const { calls: given = [], stop_on_error: stopOnError = true } = args;
  if (!Array.isArray(given))
    throw fail('INPUT_INVALID', 'The parameter "calls" must be a list of {server, tool, arguments}.');
  const most = batch.maxCalls();
  if (given.length > most)
    throw fail('INPUT_INVALID', `The parameter "calls" has ${given.length} calls; the limit is ${most}. None ran.`);
  const faults: string[] = [];
  const calls = given.flatMap((item: unknown, index) => {
    try {
      return [targetOf(item)];
    } catch (error) {
      faults.push(`${index + 1}. ${toFailure(error).message}`);
      return [];
    }
  });
  if (faults.length > 0) throw fail('INPUT_INVALID', `No call ran, because these are malformed.\n${faults.join('\n')}`);
  const { scope } = request.client;
  const shown = (server: string, result: JsonObject) => tools.withReadableUris(scope, server, result);
  return {
    ...toolCall(request, { server: 'toolkeep', tool: 'execute_tools', arguments: args }),
    batch: { calls, stopOnError: stopOnError !== false, shown },
  };
}

function targetOf(item: unknown) {
  if (!isObject(item)) throw fail('INPUT_INVALID', 'A call must be an object.');
  requireShort(item);
  return { ...toolRef(item), arguments: toolArguments(item.arguments) };
}
