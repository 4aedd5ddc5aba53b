/** The call pipeline: every call of every client passes through these steps in order. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fail, ToolkeepError, toFailure } from '../../../shared/failure.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import type { Config } from '../config/schema.ts';
import type { Events } from '../events.ts';
import type { Host } from '../host.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import { rootsOf } from '../servers/roots.ts';
import type { Servers } from '../servers/servers.ts';
import { validateArguments } from '../tools/arguments.ts';
import type { Catalog } from '../tools/catalog/catalog.ts';
import type { ToolCall } from '../types.ts';
import { type ActiveCalls, createActiveCalls } from './active-calls.ts';
import { createBatchJournals } from './batch-journal.ts';
import { createToolBreakers } from './breakers.ts';
import { createParking } from './parking.ts';
import { createSavedFiles } from './saved-files.ts';
import type { CallResult, FoundCall, RunningCall, StartedCall } from './step.ts';
import { type ApproveOptions, createApprove } from './steps/approve.ts';
import { type AuthorizeOptions, createAuthorize } from './steps/authorize.ts';
import { createDispatch, type DispatchOptions } from './steps/dispatch.ts';
import { createPageResults } from './steps/page-results.ts';
import { createPark, type ParkOptions } from './steps/park.ts';
import { createRecord, type RecordOptions } from './steps/record.ts';
import { createResolve, type ResolveOptions } from './steps/resolve.ts';
import { createScaleImages } from './steps/scale-images.ts';

export interface Calls {
  /** Resolves with the server's own result. Rejects with a ToolkeepError, or with the server's RpcError. */
  run(call: ToolCall): Promise<CallResult>;
  /** The number of calls that are parked until their client returns. */
  parked(): number;
  /** Removes the files that results were saved to, and the journals of finished batches. */
  close(): Promise<void>;
  readonly active: Pick<ActiveCalls, 'list' | 'cancel'>;
}

export interface CallsOptions
  extends ParkOptions,
    RecordOptions,
    ResolveOptions,
    AuthorizeOptions,
    ApproveOptions,
    DispatchOptions {
  host: Pick<Host, 'dataDir'>;
  events: Events;
  servers: Servers;
  catalog: Pick<Catalog, 'tool'>;
  config(): Pick<Config, 'results' | 'approvals'>;
}

export function createCalls(options: CallsOptions): Calls {
  const { events, catalog, config } = options;
  const parking = createParking<CallResult>(options.elicitation.presentMs);
  const breakers = createToolBreakers();
  const files = createSavedFiles();
  const journals = createBatchJournals(join(options.host.dataDir, 'run', 'batches'));
  const results = {
    resultPaging: () => config().results,
    hasApp: (server: string, tool: string) => catalog.tool(server, tool)?.metadata.app !== undefined,
  };
  const pageResults = createPageResults(results, files);
  const scaleImages = createScaleImages(results, files);
  const checks = { resolve: createResolve(options), authorize: createAuthorize(options) };
  const { approve, approvalOf } = createApprove(options, checks);
  const dispatch = createDispatch(options);
  const record = createRecord(options, runChecked);
  const active = createActiveCalls(events, async (call) => scaleImages(call, await record(call)));
  const park = createPark(parking, options, active.run);

  /** Refuses a tool that the client may not use, and arguments that the server would refuse. */
  async function check(running: RunningCall): Promise<FoundCall> {
    const found = await checks.resolve(running);
    const call = Object.assign(running, { found, roots: rootsOf(running.client, running.signal) });
    // The server's start does not count toward the call's duration.
    call.startedAt = Date.now();
    checks.authorize(call.client, call.found);
    const { server, tool } = call;
    const checked = validateArguments(found, call.arguments);
    if (checked.ok) return call;
    throw fail('ARGUMENTS_INVALID', `Invalid arguments for "${tool}": ${checked.problems.join('; ')}`, {
      server,
      tool,
    });
  }

  /** Every call of every client passes through these checks, in this order. */
  async function runChecked(running: RunningCall): Promise<CallResult> {
    if (running.batch) {
      const { runBatch } = await import('./batch.ts');
      const { approvals, elicitation } = options;
      const parts = { check, approvalOf, approvals, elicitation, run: active.run, journals };
      return runBatch(parts, running, running.batch);
    }
    const call = await check(running);
    const request = await approvalOf(call);
    if (request) await approve(call, request);
    const result = await breakers.run(call, dispatch);
    if (result.isError !== true)
      events.emit('tool.succeeded', { client: call.client.id, key: toolKey(call.server, call.tool) });
    return result;
  }

  events.on('client.disconnected', ({ id }) => {
    parking.drop(id);
    pageResults.drop(id);
  });

  events.on('server.reset', ({ server }) => breakers.reset(server));

  return {
    async run(given) {
      const call: StartedCall = { ...given, id: randomUUID(), startedAt: Date.now(), isDispatched: false };
      return pageResults.step(call, () => park(call));
    },
    parked: parking.size,
    async close() {
      await Promise.all([files.close(), journals.close()]);
    },
    active,
  };
}

/** Converts any error of a call to a ToolkeepError. */
export function callFailure(error: unknown, server: string, tool: string): ToolkeepError {
  if (error instanceof ToolkeepError) return error;
  if (error instanceof RpcError) return fail('TOOL_EXECUTION_ERROR', error.message, { server, tool });
  return fail('INTERNAL', toFailure(error).message, { server, tool });
}
