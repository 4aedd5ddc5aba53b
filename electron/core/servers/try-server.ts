/** Starts a server that is not saved, to see whether it works. */
import { toFailure } from '../../../shared/failure.ts';
import type { ServerConfig, ServerTrial } from '../../../shared/model/server.ts';
import { createServerHandle } from './lifecycle/create-server.ts';
import type { ServerHandle, ServerHandleOptions } from './types.ts';

/** A server that never stops listing its tools is not asked for more. */
const maxPages = 50;

/** Ends when the server has stopped again. */
export async function tryServer(config: ServerConfig, options: ServerHandleOptions): Promise<ServerTrial> {
  const startedAt = Date.now();
  const handle = createServerHandle(config, options);
  try {
    const { serverInfo, capabilities } = await handle.start();
    const toolCount = capabilities.tools ? await countTools(handle) : 0;
    const version = serverInfo?.version;
    return { toolCount, durationMs: Date.now() - startedAt, ...(version && { version }) };
  } catch (error) {
    return { toolCount: 0, durationMs: Date.now() - startedAt, failure: toFailure(error) };
  } finally {
    await handle.stop();
  }
}

async function countTools(handle: ServerHandle): Promise<number> {
  let count = 0;
  let cursor: unknown;
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await handle.request({ method: 'tools/list', params });
    count += Array.isArray(tools) ? tools.length : 0;
    cursor = nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return count;
}
