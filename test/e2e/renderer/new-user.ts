/** A new user with a new computer: the built product, its page, and the number of clicks so far. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Locator, Page } from 'playwright-core';
import { newProduct, type Product } from '../product.ts';
import { startWindowTests } from './open-window.ts';

export interface NewUser {
  readonly product: Product;
  readonly page: Page;
  readonly pageErrors: readonly string[];
  /** The number of clicks of `click` and `press`. */
  clicks(): number;
  click(target: Locator): Promise<void>;
  /** Clicks a button of the view. */
  press(name: string | RegExp): Promise<void>;
  /** Starts Cursor, which starts Toolkeep. Its file has no other server, except those in `left`. */
  startCursor(left?: readonly string[]): Promise<Client>;
  close(): Promise<void>;
}

/** `prepare` writes the files that exist before Toolkeep starts. */
export async function startNewUser(prepare: (product: Product) => void): Promise<NewUser> {
  const product = newProduct();
  prepare(product);
  const [tests] = await Promise.all([startWindowTests(), product.serve()]);
  const page = await tests.openUrl(await product.pageUrl());
  let clicks = 0;
  async function click(target: Locator): Promise<void> {
    clicks += 1;
    await target.click();
  }
  return {
    product,
    page,
    pageErrors: tests.pageErrors,
    clicks: () => clicks,
    click,
    press: (name) => click(page.getByRole('main').getByRole('button', { name })),
    async startCursor(left: readonly string[] = []) {
      const { mcpServers } = JSON.parse(readFileSync(join(product.home, '.cursor/mcp.json'), 'utf8'));
      if (Object.keys(mcpServers).toSorted().join() !== ['toolkeep', ...left].toSorted().join())
        throw new Error(`Cursor has: ${Object.keys(mcpServers)}.`);
      const client = new Client({ name: 'Cursor', version: '1' });
      await client.connect(new StdioClientTransport({ ...mcpServers.toolkeep, env: product.env }));
      return client;
    },
    async close() {
      await tests.close();
      await product.dispose();
    },
  };
}
