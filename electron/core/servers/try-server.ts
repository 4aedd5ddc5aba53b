/** Starts an unsaved server once, to check whether it works. */
import { toFailure } from '../../../shared/failure.ts';
import type { ServerConfig, ServerTrial } from '../../../shared/model/server.ts';
import { listAll } from '../tools/list-pages.ts';
import { createServerHandle } from './lifecycle/create-server.ts';
import type { ServerHandleOptions } from './types.ts';

/** How long the server may take to list its tools, in milliseconds. */
const timeoutMs = 60_000;

/** Resolves when the server has stopped again. */
export async function tryServer(config: ServerConfig, options: ServerHandleOptions): Promise<ServerTrial> {
  const startedAt = Date.now();
  const handle = createServerHandle(config, options);
  try {
    const { serverInfo, capabilities } = await handle.start();
    const request = { signal: AbortSignal.timeout(timeoutMs), timeoutMs };
    const tools = capabilities.tools ? await listAll(handle, 'tools/list', 'tools', request) : { items: [] };
    const version = serverInfo?.version;
    return { toolCount: tools.items.length, durationMs: Date.now() - startedAt, ...(version && { version }) };
  } catch (error) {
    return { toolCount: 0, durationMs: Date.now() - startedAt, failure: toFailure(error) };
  } finally {
    await handle.stop();
  }
}
