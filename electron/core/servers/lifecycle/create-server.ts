/** Creates the handle of a configured server with one or several instances. */
import type { ServerConfig } from '../../../../shared/model/server.ts';
import type { ServerHandle, ServerHandleOptions } from '../types.ts';
import { ClientInstances } from './client-instances.ts';
import { instancesOf, LoadBalancer } from './load-balancer.ts';

/** Creates a handle without starting or validating anything. The first start reports a faulty configuration. */
export function createServerHandle(server: ServerConfig, options: ServerHandleOptions): ServerHandle {
  const instances = instancesOf(server);
  if (instances.length > 1) return new LoadBalancer(server, instances, options);
  return new ClientInstances(server, options);
}
