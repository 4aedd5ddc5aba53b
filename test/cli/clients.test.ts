/** `gatehouse inspect` on tools that not every connected client can use: who cannot, and why. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newProduct } from '../e2e/product.ts';
import { commands } from '../fixtures/commands.ts';
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
  product.file('.gatehouse/config.json', {
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
  (await product.cli('inspect', 'odd', tool, ...options)).stdout;

it('tells which connected clients cannot use a tool fully, and why (B13, A6)', async () => {
  expect(await inspect('page')).not.toContain('Clients:');
  await connect('Simple');
  await connect('Simple');
  await connect('Listing', '--mode', 'full');
  // One that is not offered the server has no business with its tools.
  await connect('Elsewhere', '--profile', 'even-only');
  await expect.poll(() => inspect('plain')).toContain('All 3 connected clients can use it fully.');

  expect((await inspect('page')).split('Clients:')[1]).toMatchInlineSnapshot(`
    "
      None of the 3 connected clients can use it fully.
      Simple, in lazy mode, can use it, but not fully:
        It shows a page of its own, which this client does not; the model gets the text alone.
      Listing, in full mode, can use it, but not fully:
        It shows a page of its own, which this client does not; the model gets the text alone.
    "
  `);
  expect((await inspect('task')).split('Clients:')[1]).toMatchInlineSnapshot(`
    "
      None of the 3 connected clients can use it fully.
      Simple, in lazy mode, cannot use it:
        It runs only as a task, and Gatehouse makes plain calls.
      Listing, in full mode, cannot use it:
        It runs only as a task, and Gatehouse makes plain calls.
    "
  `);
  const { clients: told } = JSON.parse(await inspect('task', '--json'));
  const notes = ['It runs only as a task, and Gatehouse makes plain calls.'];
  expect(told).toHaveLength(3);
  expect(told).toContainEqual({ client: 'Listing', mode: 'full', level: 'none', notes });
});
