/** Many servers that start in a few milliseconds each, so that discovery can create a catalog of thousands of tools. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reachCore } from '../../electron/bridge/reach-core.ts';
import { socketWire } from '../../electron/core/gateway/socket-wire.ts';
import { connectCore } from '../../shared/protocol/rpc.ts';
import type { Product } from '../e2e/product.ts';

/** Answers the handshake and tools/list from a file. */
const script = `while read -r line; do
  id=\${line##*\\"id\\":}; id=\${id%%[,\\}]*}
  case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"quick","version":"1"}}}\\n' "$id";;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":' "$id"; cat "$1"; printf '}\\n';;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\\n' "$id";;
  esac
done`;

const verbs = ['create', 'list', 'update', 'delete', 'search', 'export', 'import', 'compare', 'archive', 'share'];
const things = [
  'issue',
  'invoice',
  'message',
  'document',
  'calendar',
  'deployment',
  'dataset',
  'picture',
  'route',
  'page',
];

/** Configures `count` servers of ten tools each. */
export function configure(product: Product, count: number): void {
  const servers = Array.from({ length: count }, (_, at) => {
    // In a separate folder: Toolkeep watches the home folder, which never contains a thousand files in reality.
    const path = `fleet/tools-${at}.json`;
    product.file(path, { tools: verbs.map((verb) => tool(verb, things[at % things.length] ?? '', at)) });
    const file = join(product.home, path);
    return { name: `server-${at}`, connection: { type: 'stdio', command: 'sh', args: ['-c', script, 'quick', file] } };
  });
  product.file('.toolkeep/config.json', { servers });
}

/** Starts Core, waits until all servers are discovered, and ends it. */
export async function warmCatalog(product: Product): Promise<void> {
  const core = await product.serve();
  const reached = await reachCore(join(product.home, '.toolkeep'), { purpose: 'rpc' });
  if (!reached) throw new Error('The Core cannot be reached.');
  const client = connectCore(socketWire(reached.socket));
  for (;;) {
    const views = await client.call('servers.list');
    const failed = views.find(({ status }) => status === 'failed');
    if (failed) throw new Error(`${failed.id}: ${failed.failure?.message}`);
    if (views.length > 0 && views.every(({ toolCount }) => toolCount === verbs.length)) break;
    await delay(1_000);
  }
  client.close();
  core.kill('SIGTERM');
  await product.nothingLeft();
}

function tool(verb: string, thing: string, at: number) {
  const text = (what: string) => ({ type: 'string', description: `${what} of the ${thing}, as the service names it` });
  return {
    name: `${verb}_${thing}`,
    description: `${verb[0]?.toUpperCase()}${verb.slice(1)} a ${thing} in workspace ${at}. Returns the ${thing} with its identifier, its state and when it last changed.`,
    inputSchema: {
      type: 'object',
      properties: {
        [`${thing}_id`]: text('Identifier'),
        title: text('Title'),
        labels: { type: 'array', items: { type: 'string' }, description: `Labels to put on the ${thing}` },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'At most so many' },
      },
      required: [`${thing}_id`],
    },
  };
}
