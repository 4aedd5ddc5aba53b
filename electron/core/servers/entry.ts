/** One configured server in the running set. */
import { hash } from 'node:crypto';
import type { Failure } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model.ts';
import { type DiscoverySource, slugOf } from '../discovery/discovery.ts';
import type { Upstream, UpstreamState } from '../upstream/upstream.ts';

export interface Entry {
  config: ServerConfig;
  /** For a plug-in's tools: the version of the plug-ins that it was opened with. */
  version?: string;
  slug: string;
  upstream: Upstream;
  /** The same server, for listing what it offers: that is no use that keeps it running. */
  source: DiscoverySource;
  discovering?: Promise<void>;
  /** `startedAt` of the process that was last listed. */
  listedStart?: number;
  /** A look at its lists is due, because it said that they changed. */
  listChanged?: NodeJS.Timeout;
  /** Wait before the next such look; grows while the looks find nothing new. */
  quietMs?: number;
  /** A call or the person wants it running. */
  wanted: boolean;
  /** It failed, so that its tools are not offered. */
  isLost: boolean;
  /** How the last discovery went: the phases after the session, and why it failed if it did. */
  listing: Pick<UpstreamState, 'phases'> & { phase?: 'discovery'; failure?: Failure };
}

/** The connection's own state, with the phases that come after it. */
export function stateOf({ upstream: { state }, listing }: Entry): UpstreamState {
  const phases = [...state.phases, ...listing.phases];
  if (state.status !== 'ready' || !listing.phase) return { ...state, phases };
  const { phase, failure } = listing;
  return failure
    ? { ...state, status: 'failed', phase, phases, failure }
    : { ...state, status: 'starting', phase, phases };
}

/** What decides whether a cached catalog entry still fits its server. */
export function hashOf(config: ServerConfig, pluginVersion: string): string {
  const inputs = JSON.stringify([config.connection, pluginVersion]);
  return hash('sha256', inputs, 'base64url').slice(0, 16);
}

/** A slug that no other server has, and takes it. */
export function freeSlug(name: string, taken: Set<string>): string {
  const slug = slugOf(name);
  let free = slug;
  for (let count = 2; taken.has(free); count += 1) free = `${slug}-${count}`;
  taken.add(free);
  return free;
}
