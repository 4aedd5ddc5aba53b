/** The terminal and agents state the same facts about servers, plug-ins and trusted folders. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { newProduct, type Product } from '../../e2e/product.ts';
import { commands } from '../../fixtures/commands.ts';
import { spawnPeer } from '../gateway/raw-peer.ts';

function shop(config: Record<string, unknown>): Product {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  product.file('.toolkeep/config.json', {
    servers: [{ name: 'github', connection: { type: 'stdio', ...commands.github() } }],
    ...config,
  });
  return product;
}

/** The text that an agent receives from a meta-tool, through a bridge. */
async function agentReads(product: Product, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const peer = spawnPeer(product.bridge('--client', 'claude-code'));
  onTestFinished(() => peer.close());
  await peer.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'agent', version: '1' },
  });
  const { result } = await peer.request('tools/call', { name: tool, arguments: args });
  return JSON.stringify(result);
}

it('config show counts the servers that list calls connected, whether or not they run', async () => {
  const product = shop({});
  for (const run of ['first', 'second']) {
    const [list, shown] = [await product.cli('list', '--json'), await product.cli('config', 'show', '--json')];
    const connected = JSON.parse(list.stdout).servers.filter(
      ({ status }: { status: string }) => status === 'connected',
    );
    expect(JSON.parse(shown.stdout).servers, run).toEqual({ configured: 1, connected: connected.length });
    expect(connected, run).toHaveLength(1);
  }
});

it('a plug-in that hides every tool is named wherever the tools are missing', async () => {
  const product = shop({ plugins: ['./access.mjs'] });
  product.file(
    '.toolkeep/access.mjs',
    "export default { name: 'access', transformTool: (tool) => (currentUser() === 'root' ? tool : null) };",
  );
  const words = 'lug-in "access" failed on';
  await product.serve();
  expect((await product.cli('list')).stdout).toContain(words);
  expect((await product.cli('config', 'validate')).stdout).toContain(words);
  expect((await product.cli('execute', 'github', 'create_issue', '--args', '{}')).stderr).toContain(words);
  expect(await agentReads(product, 'list_tools', { server: 'github' })).toContain('lug-in \\"access\\" failed on');
});

it('trust says either that the folder is trusted or that nothing was changed', async () => {
  const product = shop({});
  product.file('shop/.toolkeep/config.json', { toolRules: [{ pattern: '*', confirm: 'always' }] });
  const { output } = await product.inTerminal('trust', join(product.home, 'shop'), '--yes');
  expect(output).toContain('Trusted. If these files change');
  expect(output).not.toContain('Nothing was changed');
});
