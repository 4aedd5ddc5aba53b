/** Says on the terminal how the servers are doing while they connect. */
import type { Core } from '../core/core.ts';

/** Says at once what there is, then one line for each server that becomes ready or fails. */
export async function reportProgress(core: Core, say: (line: string) => void): Promise<void> {
  const told = new Map<string, string>();
  const tell = async (views = core.handlers['servers.list']()) => {
    for (const { id, status, failure, toolCount } of await views) {
      const line =
        status === 'ready'
          ? `  ${id}: ready, ${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`
          : status === 'failed'
            ? `  ${id}: ${failure?.message ?? 'failed'}`
            : undefined;
      if (!line || told.get(id) === line) continue;
      told.set(id, line);
      say(line);
    }
  };
  const servers = await core.handlers['servers.list']();
  say(
    servers.length > 0
      ? `Connecting to ${servers.length} ${servers.length === 1 ? 'server' : 'servers'}…`
      : 'No servers yet. Open the address above to import those of your other apps, or run `gatehouse import`.',
  );
  await tell(Promise.resolve(servers));
  core.subscribe((name) => {
    if (name === 'servers.changed') void tell();
  });
}
