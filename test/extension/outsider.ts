/** A Core in a folder as a person has it: a config file, and plug-ins that somebody wrote, copied beside it. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Core, createCore } from '../../electron/core/core.ts';
import type { EventName } from '../../shared/contract.ts';
import { commands } from '../fixtures/commands.ts';
import { type TestHost, testHost } from '../fixtures/host.ts';

const examples = join(import.meta.dirname, '../../docs/examples');

export interface Outsider extends AsyncDisposable {
  core: Core;
  host: TestHost;
  events: { name: EventName; data: Record<string, unknown> }[];
  /** Writes a file into the folder of the config; gives its path. */
  write(name: string, content: unknown): string;
  /** Writes what the fixture server offers from its next listing on. */
  offer(tools: unknown[]): void;
  /** Writes `config.json`: the fixture server under the name "shop", and `more`. */
  configure(more: Record<string, unknown>): void;
}

/** `prepare` writes the files; the Core starts after it. `copies` are files of `docs/examples` to lay beside. */
export async function outsider(prepare: (folder: Outsider) => void, copies: string[] = []): Promise<Outsider> {
  const host = testHost();
  const folder = join(host.cwd, '.gatehouse');
  const offered = join(host.cwd, 'offered.json');
  mkdirSync(folder);
  for (const name of copies) copyFileSync(join(examples, name), join(folder, name));
  const events: Outsider['events'] = [];
  const result: Outsider = {
    core: undefined as unknown as Core,
    host,
    events,
    write(name, content) {
      const file = join(folder, name);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    offer: (tools) => writeFileSync(offered, JSON.stringify(tools)),
    configure(more) {
      const servers = { shop: shopCommand(offered) };
      result.write('config.json', { servers, refreshInterval: false, ...more });
    },
    async [Symbol.asyncDispose]() {
      await result.core.close();
      host.dispose();
    },
  };
  result.offer(shopTools);
  prepare(result);
  result.core = await createCore(host);
  result.core.subscribe((name, data) => events.push({ name, data: data as Record<string, unknown> }));
  return result;
}

const shopCommand = (file: string) => commands.misbehaving('normal', `tools-file=${file}`);

/** The command of the fixture server as text for a config in TypeScript. */
export const shopServer = (host: TestHost) => JSON.stringify(shopCommand(join(host.cwd, 'offered.json')));

const schema = { type: 'object', properties: { id: { type: 'string' } } };
export const shopTools = [
  { name: 'list_orders', description: 'Lists the orders.', inputSchema: schema },
  { name: 'add_note', description: 'Adds a note to an order.', inputSchema: schema },
  { name: 'delete_order', description: 'Deletes an order for good.', inputSchema: schema },
  { name: 'deploy_shop', description: 'Deploys the shop to production.', inputSchema: schema },
];

/** The names of a server's tools once its discovery has ended. */
export async function toolNames({ core }: Outsider, server: string): Promise<string[]> {
  const tools = await core.handlers['tools.list']({ server });
  return tools.map(({ name }) => name).sort();
}
