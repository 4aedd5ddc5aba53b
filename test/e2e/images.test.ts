/** A large image of a real server, as clients with and without a limit receive it from the built product. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../fixtures/commands.ts';
import { png } from '../fixtures/images.ts';
import { recordedClients } from '../fixtures/recorded-clients.ts';
import { clientSession } from './client-session.ts';
import { newProduct } from './product.ts';

type Block = Record<string, unknown>;

const product = newProduct();
const file = join(product.home, 'project', 'screen.png');
const original = png(2_500, 1_000);

beforeAll(async () => {
  writeFileSync(file, original);
  product.file('.toolkeep/config.json', {
    approvals: { ask: 'dangerous', destinations: 'any' },
    servers: [{ name: 'files', connection: { type: 'stdio', ...commands.filesystem(join(product.home, 'project')) } }],
  });
  await product.serve();
});
afterAll(() => product.dispose());

async function read(id: string): Promise<{ blocks: Block[]; structured: unknown }> {
  const client = recordedClients.find((one) => one.id === id);
  if (!client) throw new Error(`There is no client ${id}.`);
  const session = await clientSession(product, { ...client, capabilities: {} }, { folder: product.home });
  const { content, structuredContent } = await session.execute('files/read_media_file', { path: file });
  await session.close();
  return { blocks: content as Block[], structured: structuredContent };
}

it('VS Code receives a link to an image that is larger than all its models take, and one sentence about it', async () => {
  const { blocks, structured } = await read('vscode');
  const [note, link] = blocks;
  expect(blocks).toHaveLength(2);
  expect(note?.text).toMatch(/^The image is too large for this client\. Saved \d+ KB of image\/png to /);
  expect(readFileSync(fileURLToPath(String(link?.uri))).equals(original)).toBe(true);
  expect(structured).toMatchObject({ content: [{ type: 'image', data: link?.uri }] });
});

it('Cursor, which takes any image, receives the original', async () => {
  const { blocks } = await read('cursor');
  expect(blocks).toEqual([{ type: 'image', data: original.toString('base64'), mimeType: 'image/png' }]);
});
