/** A headless Core keeps serving its clients after an error that no code has caught. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { newProduct } from './product.ts';

it('An exception and a rejection that a plug-in does not catch are reported, and Core keeps running', async () => {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  product.file(
    '.toolkeep/plugin.mjs',
    `setTimeout(() => { throw new Error('thrown by a timer'); }, 50);
     setTimeout(() => Promise.reject(new Error('rejected by a timer')), 50);
     export default { name: 'faulty' };`,
  );
  product.file('.toolkeep/config.json', { plugins: ['./plugin.mjs'] });
  const { output } = await product.serve();
  await vi.waitFor(
    () => expect(output()).toMatch(/Unexpected error: Error: thrown[\s\S]*Unexpected error: Error: rejected/),
    {
      timeout: 20_000,
    },
  );
  const client = new Client({ name: 'Agent', version: '1' });
  await client.connect(new StdioClientTransport(product.bridge()));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('execute_tool');
  await client.close();
});
