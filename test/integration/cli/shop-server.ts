/** A temporary home folder with example servers and rules, for tests of the command line. */
import { newProduct, type Product } from '../../e2e/product.ts';
import { commands } from '../../fixtures/commands.ts';

/** `github` with four tools, two rules, and a server that exits at once; `more` is added to the config file. */
export function newShop(more: Record<string, unknown> = {}): Product {
  const product = newProduct();
  product.file('.toolkeep/config.json', {
    servers: [
      {
        name: 'github',
        description: 'GitHub API integration',
        connection: { type: 'stdio', ...commands.github() },
      },
      {
        name: 'database',
        description: 'Database queries',
        connection: { type: 'stdio', command: process.execPath, args: ['-e', 'process.exit(3)'] },
      },
    ],
    sources: [{ type: 'windsurf', path: '~/.windsurf/mcp.json' }],
    toolRules: [
      { pattern: ['*delete*'], enabled: false, tags: ['dangerous'] },
      { server: 'github', pattern: ['*issue*'], enabled: true, tags: ['github', 'issues'] },
    ],
    ...more,
  });
  return product;
}
