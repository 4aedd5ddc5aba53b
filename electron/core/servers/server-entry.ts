/** One configured server in the registry. */

import { hash } from 'node:crypto';
import type { Failure } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { DiscoverySource } from '../tools/list-pages.ts';
import type { ProviderServer } from './provider-server.ts';
import type { Report } from './sandbox/report.ts';
import type { ServerHandle, ServerState } from './types.ts';

export interface Entry {
  config: ServerConfig;
  /** For a plug-in's tools: the version of the plug-ins when the entry was created. */
  version?: string;
  slug: string;
  /** The folders against which it may resolve paths, other than the home folder. */
  workingFolders: readonly string[];
  /** The handle of a plug-in's tools. */
  provider?: ProviderServer;
  handle: ServerHandle;
  /** Records the hosts that the server reached while it was confined. */
  report: Report;
  /** The same server for listing, which does not count as use. */
  source: DiscoverySource;
  discovering?: Promise<void>;
  /** `startedAt` of the process that was listed last. */
  listedStart?: number;
  /** Changes by plug-ins at the last start, and whether the server was listed since. */
  atStart?: { notes: readonly string[]; isListed: boolean };
  /** Pending refresh after `list_changed`. */
  refreshTimer?: NodeJS.Timeout;
  /** Delay of the next such refresh; grows while refreshes find no changes. */
  refreshDelayMs?: number;
  /** Whether its process or session is running. */
  isRunning: boolean;
  /** True if a call or the user needs the server, rather than just listing. */
  isNeeded: boolean;
  /** True if the server failed, so that its tools are not offered. */
  isUnavailable: boolean;
  /** Result of the last discovery: the phases after `session`, and the failure, if any. */
  listing: Pick<ServerState, 'phases'> & { phase?: 'discovery'; failure?: Failure };
}

/** The state of the connection, combined with the result of the last discovery. */
export function stateOf({ handle, listing, atStart }: Entry): ServerState {
  const state = atStart ? { ...handle.state, warnings: [...handle.state.warnings, ...atStart.notes] } : handle.state;
  const phases = [...state.phases, ...listing.phases];
  if (state.status !== 'ready' || !listing.phase) return { ...state, phases };
  const { phase, failure } = listing;
  return failure
    ? { ...state, status: 'failed', phase, phases, failure }
    : { ...state, status: 'starting', phase, phases };
}

/** Identifies what a catalog entry depends on. If the hash differs, the entry is outdated. */
export function hashOf(config: ServerConfig, pluginVersion: string): string {
  const inputs = JSON.stringify([config.connection, pluginVersion, ...(config.slug ? [config.slug] : [])]);
  return hash('sha256', inputs, 'base64url').slice(0, 16);
}
