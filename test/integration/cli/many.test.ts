/** A new Core with more servers than it starts at once: the command waits for all of them. */
import { afterAll, expect, it } from 'vitest';
import { newProduct } from '../../e2e/product.ts';
import { runCli } from '../../fixtures/cli-in-process.ts';
import { commands } from '../../fixtures/commands.ts';

const product = newProduct();
afterAll(() => product.dispose());

it('A search in a new Core includes servers that are still queued to start', async () => {
  const names = ['first', 'second', 'third', 'fourth', 'fifth'];
  product.file('.toolkeep/config.json', {
    lifecycle: { concurrentStarts: 1 },
    servers: names.map((name) => ({ name, connection: { type: 'stdio', ...commands.github() } })),
  });
  const { stdout } = await runCli(product, 'search', 'create issue', '--limit', '50', '--json');
  const found: { server: string; tool: string }[] = JSON.parse(stdout).results;
  const having = found.filter(({ tool }) => tool === 'create_issue').map(({ server }) => server);
  expect(having.toSorted()).toEqual(names.toSorted());
});
