/** Connects the call pipeline to the modules that its steps use. */
import { type Calls, type CallsOptions, createCalls } from './calls/calls.ts';
import type { Config } from './config/schema.ts';
import type { Stores } from './stores.ts';
import type { Upstream } from './upstream.ts';

/** The options that the caller passes through to the pipeline unchanged. */
type Given = Pick<
  CallsOptions,
  | 'events'
  | 'elicitation'
  | 'approvals'
  | 'ownFiles'
  | 'enableRequests'
  | 'scopes'
  | 'isPaused'
  | 'timeoutMs'
  | 'clientTimeoutMs'
  | 'routeOf'
>;

export interface CallPipelineOptions extends Given {
  config(): Config;
  stores: Stores;
  upstream: Upstream;
}

export function createCallPipeline({ config, stores, upstream, ...given }: CallPipelineOptions): Calls {
  const { servers, knownTools, promptMissingSecrets, keepResult } = upstream;
  return createCalls({
    ...given,
    promptMissingSecrets,
    keepResult,
    record: (entry) => stores.history.record(entry),
    resultPaging: () => config().results,
    approvalsAsk: () => config().approvals.ask,
    serverConfig: (name) => servers.config(name),
    isServerEnabled: (name) => servers.isEnabled(name),
    isDiscovered: servers.isDiscovered,
    discover: (name) => servers.refresh(name),
    hasApp: (server, tool) => stores.catalog.tool(server, tool)?.metadata.app !== undefined,
    findTool: knownTools.find,
    scopedTool: knownTools.tagged,
    serverHandle: servers.use,
    foldersOfCaller: (name, rootsOfCaller) => servers.foldersOfCaller(name, rootsOfCaller),
  });
}
