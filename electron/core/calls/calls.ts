/** The call pipeline: every call of every client passes through these steps in order. */
import { randomUUID } from 'node:crypto';
import { fail, ToolkeepError, toFailure } from '../../../shared/failure.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import type { Events } from '../events.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import type { ToolCall } from '../types.ts';
import { type ActiveCalls, createActiveCalls } from './active-calls.ts';
import { createToolBreakers } from './breakers.ts';
import { createParking } from './parking.ts';
import { createSavedFiles } from './saved-files.ts';
import type { CallResult, PipelineCall, Step } from './step.ts';
import { type ApproveOptions, createApprove } from './steps/approve.ts';
import { type AuthorizeOptions, createAuthorize } from './steps/authorize.ts';
import { createDispatch, type DispatchOptions } from './steps/dispatch.ts';
import { createPageResults, type PageResultsOptions } from './steps/page-results.ts';
import { createPark, type ParkOptions } from './steps/park.ts';
import { createRecord, type RecordOptions } from './steps/record.ts';
import { createResolve, type ResolveOptions } from './steps/resolve.ts';
import { createScaleImages } from './steps/scale-images.ts';
import { validate } from './steps/validate.ts';

export interface Calls {
  /** Resolves with the server's own result. Rejects with a ToolkeepError, or with the server's RpcError. */
  run(call: ToolCall): Promise<CallResult>;
  /** The number of calls that are parked until their client returns. */
  parked(): number;
  /** Removes the files that results were saved to. */
  close(): Promise<void>;
  readonly active: Pick<ActiveCalls, 'list' | 'cancel'>;
}

export type CallsOptions = PageResultsOptions &
  ParkOptions &
  RecordOptions &
  ResolveOptions &
  AuthorizeOptions &
  ApproveOptions &
  DispatchOptions & { events: Events };

export function createCalls(options: CallsOptions): Calls {
  const { events } = options;
  const parking = createParking<CallResult>(options.elicitation.presentMs);
  const breakers = createToolBreakers();
  const active = createActiveCalls(events);
  const resolve = createResolve(options);
  const authorize = createAuthorize(options);
  const files = createSavedFiles();
  const pageResults = createPageResults(options, files);
  const runPipeline = compose([
    pageResults.step,
    createPark(parking, options),
    active.step,
    createScaleImages(options, files),
    createRecord(options),
    resolve,
    authorize,
    validate,
    createApprove(options, { resolve, authorize }),
    ({ server, tool }, next) => breakers.run(server, tool, next),
    createDispatch(options),
  ]);
  events.on('client.disconnected', ({ id }) => {
    parking.drop(id);
    pageResults.drop(id);
  });

  events.on('server.reset', ({ server }) => breakers.reset(server));

  return {
    async run(call) {
      const result = await runPipeline(toPipelineCall(call));
      if (result.isError !== true)
        events.emit('tool.succeeded', { client: call.client.id, key: toolKey(call.server, call.tool) });
      return result;
    },
    parked: parking.size,
    close: files.close,
    active,
  };
}

/** Combines steps into one function that runs them in order. */
export function compose(steps: readonly Step[]): (call: PipelineCall) => Promise<CallResult> {
  const runFrom = (call: PipelineCall, index: number): Promise<CallResult> => {
    const step = steps[index];
    if (!step) throw new Error('The last step of a pipeline must not call next.');
    return step(call, () => runFrom(call, index + 1));
  };
  return (call) => runFrom(call, 0);
}

/** `detached` and `found` are missing until their steps set them; no earlier step reads them. */
function toPipelineCall(call: ToolCall): PipelineCall {
  return { ...call, id: randomUUID(), startedAt: Date.now(), isDispatched: false, waitedMs: 0 } as PipelineCall;
}

/** Converts any error of a call to a ToolkeepError. */
export function callFailure(error: unknown, server: string, tool: string): ToolkeepError {
  if (error instanceof ToolkeepError) return error;
  if (error instanceof RpcError) return fail('TOOL_EXECUTION_ERROR', error.message, { server, tool });
  return fail('INTERNAL', toFailure(error).message, { server, tool });
}
