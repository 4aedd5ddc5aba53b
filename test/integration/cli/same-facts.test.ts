/**
 * The terminal and agents state the same facts about servers, plug-ins and trusted folders.
 *
 * @module-tag exhaustive
 */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sourceLines } from '../../../electron/cli/text/config.ts';
import { newProduct, type Product } from '../../e2e/product.ts';
import { runCli } from '../../fixtures/cli-in-process.ts';
import { commands } from '../../fixtures/commands.ts';
import { spawnPeer } from '../gateway/raw-peer.ts';

const plain = { good: String, bad: String, warn: String, dim: String, bold: String };

function shop(config: Record<string, unknown>): Product {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  product.file('.toolkeep/config.json', {
    servers: [{ name: 'github', connection: { type: 'stdio', ...commands.github() } }],
    ...config,
  });
  return product;
}

it('a disabled server is named, and its tools count and show as disabled, in tools, inspect and config show', async () => {
  const product = shop({});
  const inspect = async () => (await runCli(product, 'inspect', 'github', 'list_repos')).stdout;
  const json = async (...args: string[]) => JSON.parse((await runCli(product, ...args, '--json')).stdout);
  expect((await runCli(product, 'tools', 'github')).stdout).toMatch(
    /^Tools from github \(4 enabled, 0 disabled\):\n\n✓/,
  );
  expect(await inspect()).not.toContain('disabled');
  expect((await json('config', 'show')).tools).toEqual({ total: 4, enabled: 4 });
  product.file('.toolkeep/config.json', {
    servers: [{ name: 'github', enabled: false, connection: { type: 'stdio', ...commands.github() } }],
  });
  const disabled = 'The server github is disabled, so agents cannot run its tools.';
  expect((await runCli(product, 'tools', 'github')).stdout).toBe(
    `${disabled}\n\nTools from github (0 enabled, 4 disabled)\n`,
  );
  expect((await runCli(product, 'tools', 'github', '--all')).stdout).not.toContain('✓');
  expect((await json('tools', '--all')).tools).toMatchObject(Array(4).fill({ enabled: false }));
  expect(await inspect()).toContain(disabled);
  expect(await json('inspect', 'github', 'list_repos')).toMatchObject({ enabled: false });
  expect((await json('config', 'show')).tools).toEqual({ total: 4, enabled: 0 });
});

it('a held tool is neither marked nor listed as enabled', async () => {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  const tool = { name: 'list_orders', description: 'Lists orders.', inputSchema: { type: 'object' } };
  product.file('tools.json', [tool]);
  const connection = {
    type: 'stdio',
    ...commands.misbehaving('normal', `tools-file=${join(product.home, 'tools.json')}`),
  };
  product.file('.toolkeep/config.json', { servers: [{ name: 'shop', connection }] });
  await runCli(product, 'list');
  product.file('tools.json', [tool, { ...tool, name: 'list_refunds' }]);
  await runCli(product, 'restart', 'shop');
  const { stdout } = await runCli(product, 'tools', 'shop', '--all');
  expect(stdout).toMatch(/^✗ list_refunds \(held;/m);
  expect(stdout).toMatch(/^✓ list_orders$/m);
  const { tools } = JSON.parse((await runCli(product, 'tools', 'shop', '--all', '--json')).stdout);
  expect(tools).toMatchObject([{ enabled: true }, { name: 'list_refunds', enabled: false, held: true }]);
});

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
    const [list, shown] = [await runCli(product, 'list', '--json'), await runCli(product, 'config', 'show', '--json')];
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
  expect((await runCli(product, 'list')).stdout).toContain(words);
  expect((await runCli(product, 'config', 'validate')).stdout).toContain(words);
  expect((await runCli(product, 'execute', 'github', 'create_issue', '--args', '{}')).stderr).toContain(words);
  expect(await agentReads(product, 'list_tools', { server: 'github' })).toContain('lug-in \\"access\\" failed on');
});

it('the rule that disables a tool is named with its origin, by inspect and config show', async () => {
  const product = shop({ toolRules: [{ pattern: 'list_*', enabled: true }] });
  product.file('project/.toolkeep/config.json', { toolRules: [{ pattern: 'list_*', enabled: false }] });
  await product.serve();
  const inspect = async (tool: string) => (await runCli(product, 'inspect', 'github', tool)).stdout;
  expect(await inspect('create_issue')).toContain('makes an allow-list:\n  1. list_* → enabled\n');
  await product.inTerminal('trust', '--yes');
  const ofFolder = '  2. list_* → disabled (from the trusted folder)\n';
  expect(await inspect('list_repos')).toContain(`This rule disables it:\n${ofFolder}`);
  expect((await runCli(product, 'config', 'show')).stdout).toContain(ofFolder);
});

it('validate finds the file of the user valid in a folder whose configuration is not trusted', async () => {
  const product = shop({});
  product.file('project/.toolkeep/config.json', { toolRules: [{ pattern: '*', enabled: false }] });
  const { code, stdout } = await runCli(product, 'config', 'validate');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^✓ The configuration is valid .*\n! .* was ignored: you have not trusted this folder\.\n/);
  expect(JSON.parse((await runCli(product, 'config', 'validate', '--json')).stdout)).toMatchObject({
    valid: true,
    problems: [{ code: 'CONFIG_UNTRUSTED' }],
  });
  product.file('.toolkeep/config.json', '{ "servers": [');
  expect((await runCli(product, 'config', 'validate')).code).toBe(2);
});

it('config show says why no server runs in a disabled Toolkeep, and names a file once', async () => {
  const product = shop({ enabled: false });
  const { stdout } = await runCli(product, 'config', 'show');
  expect(stdout).toContain('Servers: The config file disables Toolkeep (`enabled: false`), so no server runs.');
  const source = { type: 'cursor', path: '', files: ['/c/mcp.json', '/c/mcp.json'], found: true, servers: 0 };
  expect(sourceLines([source], plain)).toEqual(['  ✓ cursor (/c/mcp.json)']);
});

it('validate says that a rule matches no tool only when the tools are known', async () => {
  const toolRules = [{ pattern: 'nothing', enabled: false }];
  const product = shop({ toolRules });
  const ends = { type: 'stdio', command: process.execPath, args: ['-e', 'process.exit(3)'] };
  const servers = [
    { name: 'github', connection: { type: 'stdio', ...commands.github() } },
    { name: 'ends', connection: ends },
  ];
  const validate = async () => (await runCli(product, 'config', 'validate')).stdout;
  await runCli(product, 'list');
  expect(await validate()).toContain('Rule 1 matches none of the known tools.');
  product.file('.toolkeep/config.json', { servers, toolRules });
  expect(await validate()).not.toContain('matches none');
  product.file('.toolkeep/config.json', {
    servers,
    toolRules: toolRules.map((rule) => ({ ...rule, server: 'github' })),
  });
  expect(await validate()).toContain('Rule 1 matches none of the known tools.');
});

it('trust says either that the folder is trusted or that nothing was changed', async () => {
  const product = shop({});
  product.file('shop/.toolkeep/config.json', { toolRules: [{ pattern: '*', confirm: 'always' }] });
  const { output } = await product.inTerminal('trust', join(product.home, 'shop'), '--yes');
  expect(output).toContain('Trusted. If these files change');
  expect(output).not.toContain('Nothing was changed');
});

it('a disabled configuration is the reason for the missing servers wherever they are listed', async () => {
  const product = shop({ enabled: false });
  await product.serve();
  const reason = 'The config file disables Toolkeep';
  expect((await runCli(product, 'list')).stdout).toContain(reason);
  expect((await runCli(product, 'status')).stdout).toContain(reason);
  expect((await runCli(product, 'config', 'show')).stdout).toContain('Status: Disabled');
  for (const [tool, args] of [['list_mcp_servers'], ['search_tools', { query: 'create issue' }]] as const)
    expect(await agentReads(product, tool, args)).toContain('The user has disabled Toolkeep in its config file.');
});

it('a config file that was never valid is not said to have a last valid version', async () => {
  const product = shop({});
  product.file('.toolkeep/config.json', '{ "servers": [');
  const core = await product.serve();
  await expect.poll(core.output).toMatch(/Config: .*its servers do not run and the defaults apply\./);
  for (const command of [['list'], ['status'], ['config', 'validate']]) {
    const { code, stdout, stderr } = await runCli(product, ...command);
    expect(code, command[0]).toBe(2);
    expect(stdout + stderr, command[0]).toContain('its servers do not run and the defaults apply');
    expect(stdout + stderr, command[0]).not.toContain('last valid');
  }
  expect(await agentReads(product, 'list_mcp_servers')).toContain('contains an error that the user can fix');
});

it('validate finds an invalid URL, an unset value, a missing source and an unknown transport without starting a server', async () => {
  const product = shop({
    servers: [{ name: 'a', command: 'node', args: ['${NO_SUCH_VALUE}'], comand: 'x' }],
    sources: [{ type: 'windsurf' }],
  });
  const { code, stdout } = await runCli(product, 'config', 'validate');
  expect(code).toBe(0);
  expect(stdout).toContain('Server "a" needs values that are not set: NO_SUCH_VALUE.');
  expect(stdout).toMatch(/A source has no file\. Looked for: .*windsurf/);
  expect(stdout).toContain('did you mean "command"?');
  expect((await runCli(product, 'config', 'sources')).stdout).toMatch(
    /✗ windsurf \(.*mcp_config\.json.*\) - not found/,
  );

  product.file('.toolkeep/config.json', {
    servers: { a: { transport_type: 'http_stream', http_endpoint: 'not a url' } },
  });
  expect((await runCli(product, 'config', 'validate')).stdout).toContain(
    'servers.a.http_endpoint: must be an http:// or https:// URL',
  );
  product.file('.toolkeep/config.json', { servers: { a: { transport_type: 'carrier_pigeon', http_endpoint: 'x' } } });
  expect((await runCli(product, 'config', 'validate')).stdout).toMatch(
    /servers\.a\.transport_type: .*not "carrier_pigeon"/,
  );
  product.file('.toolkeep/config.json', { sources: [{ type: 'carrier-pigeon' }] });
  const sources = await runCli(product, 'config', 'sources');
  expect(sources).toMatchObject({ code: 2, stderr: expect.stringContaining('Unknown source type "carrier-pigeon"') });
});
