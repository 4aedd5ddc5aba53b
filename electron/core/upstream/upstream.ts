/** A connected MCP server, whether one instance of it runs or several. The entry of this room. */
import type { ServerConfig } from '../../../shared/model.ts';
import { OnDemand } from './on-demand.ts';
import { createPool, instancesOf } from './pool.ts';
import { createSingle } from './single.ts';
import type { Upstream, UpstreamOptions } from './types.ts';

export { toolTimeoutMs } from './clock.ts';
export { sweepOrphans } from './orphans.ts';
export { instancesOf } from './pool.ts';
export { UpstreamRpcError } from './rpc-error.ts';
export type {
  HttpAuthorization,
  Tuning,
  Upstream,
  UpstreamAsk,
  UpstreamInfo,
  UpstreamOptions,
  UpstreamRequest,
  UpstreamState,
} from './types.ts';

/** Nothing is started or checked yet; what is wrong with the configuration is told by the first start. */
export function createUpstream(server: ServerConfig, options: UpstreamOptions): Upstream {
  const instances = instancesOf(server);
  if (instances.length > 1) return createPool(server, instances, options);
  return new OnDemand(server, () => createSingle(server, options));
}
