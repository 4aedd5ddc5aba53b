/** `toolkeep inspect` names the connected clients that cannot fully use a tool, and why. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newProduct } from '../../e2e/product.ts';
import { runCli } from '../../fixtures/cli-in-process.ts';
import { commands } from '../../fixtures/commands.ts';
import { initialize, spawnPeer } from '../gateway/raw-peer.ts';

const product = newProduct();
const inputSchema = { type: 'object' };
const clients: { close(): void }[] = [];

beforeAll(async () => {
  const file = join(product.home, 'tools.json');
  const tools = [
    { name: 'plain', description: 'Plain.', inputSchema },
    { name: 'page', description: 'A page.', inputSchema, _meta: { ui: { resourceUri: 'ui://page' } } },
    { name: 'task', description: 'A task.', inputSchema, execution: { taskSupport: 'required' } },
  ];
  writeFileSync(file, JSON.stringify(tools));
  const odd = { type: 'stdio', ...commands.misbehaving('normal', `tools-file=${file}`) };
  product.file('.toolkeep/config.json', {
    servers: [
      { name: 'odd', connection: odd },
      { name: 'even', connection: { type: 'stdio', ...commands.github() } },
    ],
    profiles: { 'even-only': { servers: ['even'] } },
  });
  await product.serve();
});
afterAll(async () => {
  for (const client of clients) client.close();
  await product.dispose();
});

async function connect(name: string, ...args: string[]): Promise<void> {
  const peer = spawnPeer(product.bridge(...args));
  clients.push(peer);
  await initialize(peer, { version: '2025-06-18', name });
}
const inspect = async (tool: string, ...options: string[]) =>
  (await runCli(product, 'inspect', 'odd', tool, ...options)).stdout;

it('toolkeep inspect names the connected clients that cannot fully use a tool, and why', async () => {
  expect(await inspect('page')).not.toContain('Clients:');
  await connect('Simple');
  await connect('Simple');
  await connect('Listing', '--mode', 'full');
  // A client whose profile excludes the server does not appear.
  await connect('Elsewhere', '--profile', 'even-only');
  await expect.poll(() => inspect('plain')).toContain('All connected clients (3) can use it fully.');

  expect((await inspect('page')).split('Clients:')[1]).toMatchInlineSnapshot(`
    "
      None of the connected clients (3) can use it fully.
      Simple, in lazy mode, can use only part of it:
        It shows a UI, which this client does not support; the model gets only the text.
      Listing, in full mode, can use only part of it:
        It shows a UI, which this client does not support; the model gets only the text.
    "
  `);
  // Toolkeep itself runs the task, so every client can call the tool.
  expect(await inspect('task')).toContain('All connected clients (3) can use it fully.');
  const { clients: listed } = JSON.parse(await inspect('page', '--json'));
  const notes = ['It shows a UI, which this client does not support; the model gets only the text.'];
  expect(listed).toHaveLength(3);
  expect(listed).toContainEqual({ client: 'Listing', mode: 'full', level: 'limited', notes });
});
