/** The call pipeline: every call of every client passes through these steps in order. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fail, ToolkeepError, toFailure } from '../../../shared/failure.ts';
import type { Config } from '../config/schema.ts';
import type { Events } from '../events.ts';
import type { Host } from '../host.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import type { Servers } from '../servers/servers.ts';
import { validator } from '../tools/arguments.ts';
import type { Catalog } from '../tools/catalog/catalog.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import type { ToolCall } from '../types.ts';
import { type ActiveCalls, createActiveCalls } from './active-calls.ts';
import { type AddedToolsOptions, watchAddedTools } from './added-tools.ts';
import { createBatchJournals } from './batch-journal.ts';
import { createToolBreakers } from './breakers.ts';
import { createParking } from './parking.ts';
import { createSavedFiles } from './saved-files.ts';
import { type CallResult, type RunningCall, type StartedCall, withText } from './step.ts';
import { createDispatch, type DispatchOptions } from './steps/dispatch.ts';
import { createLinkImages } from './steps/link-images.ts';
import { createPageResults } from './steps/page-results.ts';
import { createPark, type ParkOptions } from './steps/park.ts';
import { createPermit, type PermitOptions } from './steps/permit.ts';
import { createRecord, type RecordOptions } from './steps/record.ts';

export interface Calls {
  /** Resolves with the server's own result. Rejects with a ToolkeepError, or with the server's RpcError. */
  run(call: ToolCall): Promise<CallResult>;
  /** The number of calls that are parked until their client returns. */
  parked(): number;
  /** Removes the files that results were saved to, and the journals of finished batches. */
  close(): Promise<void>;
  readonly active: Pick<ActiveCalls, 'list' | 'cancel'>;
}

export interface CallsOptions extends ParkOptions, RecordOptions, PermitOptions, AddedToolsOptions, DispatchOptions {
  host: Pick<Host, 'dataDir' | 'homeDir' | 'platform' | 'env'>;
  knownTools: KnownTools;
  events: Events;
  servers: Servers;
  catalog: Pick<Catalog, 'isDiscovered' | 'tool'>;
  config(): Pick<Config, 'results' | 'approvals'>;
}

export function createCalls(options: CallsOptions): Calls {
  const { events, catalog, config } = options;
  const parking = createParking<CallResult>(options.elicitation.presentMs);
  const breakers = createToolBreakers();
  const files = createSavedFiles(options.host);
  const journals = createBatchJournals(join(options.host.dataDir, 'run', 'batches'));
  const results = {
    resultPaging: () => config().results,
    hasApp: (server: string, tool: string) => catalog.tool(server, tool)?.metadata.app !== undefined,
  };
  const pageResults = createPageResults(results, files);
  const linkImages = createLinkImages(results, files);
  const { settle, permit } = createPermit(options);
  const dispatch = createDispatch(options);
  const record = createRecord(options);
  const active = createActiveCalls(events);
  const park = createPark(parking, options, run);

  async function run(call: RunningCall): Promise<CallResult> {
    active.start(call);
    try {
      return await linkImages(call, await runRecorded(call));
    } finally {
      active.end(call);
    }
  }

  async function runRecorded(call: RunningCall): Promise<CallResult> {
    try {
      const result = await runChecked(call);
      record.result(call, result);
      return result;
    } catch (error) {
      // Who cancelled the call says more than the error in which that resulted.
      const { reason } = call.signal;
      const cause = reason instanceof ToolkeepError ? reason : error;
      record.failure(call, cause);
      throw cause;
    }
  }

  /** Every call of every client passes through these checks, in this order. */
  async function runChecked(running: RunningCall): Promise<CallResult> {
    if (!validator.isLoaded) await validator.load();
    if (running.batch) {
      const { runBatch } = await import('./batch.ts');
      const { approvals, elicitation } = options;
      const parts = { settle, approvals, elicitation, run, journals };
      return runBatch(parts, running, running.batch);
    }
    const call = await permit(running);
    const result = await breakers.run(call, dispatch);
    const note = call.addedTools && (await call.addedTools);
    if (result.isError !== true) events.emit('tool.succeeded', { client: call.client.id, key: call.found.key });
    return note === undefined ? result : withText(result, note);
  }

  watchAddedTools(options, active.sentTo);

  events.on('client.disconnected', ({ id }) => {
    parking.drop(id);
    pageResults.drop(id);
    journals.drop(id);
  });

  events.on('server.reset', ({ server }) => breakers.reset(server));

  return {
    run(given) {
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
