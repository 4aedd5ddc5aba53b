/**
 * Real clients and client libraries from npm that need no account. Checks that they connect with the entry that
 * `gatehouse install` writes, list the meta-tools, and run a tool.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newProduct, type Product } from '../e2e/product.ts';
import { commands } from '../fixtures/commands.ts';
import { installed, installedBin } from './npm-cache.ts';
import type { Report, Row } from './report.ts';

interface RealClient {
  spec: string;
  /** The client in `gatehouse install`, and its file below the home folder. */
  install: [id: string, file: string];
  /** Its program below the package, if a script that does not run here would put it there. */
  binary?: string;
  /** Arguments that print the tools (`list`), or at least whether the server is connected (`connect`), and that run one. */
  list?(file: string): string[];
  connect?: string[];
  call?(file: string): string[];
  /** Files below the home folder, which the client needs. */
  files?(home: string): Record<string, object>;
  /** For a library: a module that prints the names of the tools and the text of the call; `url` resolves its files. */
  script?(url: (path: string) => string): string;
}

const cursor: RealClient['install'] = ['cursor', '.cursor/mcp.json'];
const platform = `${process.platform}-${process.arch}`;
const said = 'said through Gatehouse';
const call = { server: 'everything', tool: 'echo', arguments: { message: said } };
/** In a script: `entry` is the entry of the file, `call` the arguments of execute_tool. */
const sdkScript = (url: (path: string) => string) => `
  const { Client } = await import('${url('client/index.js')}');
  const { StdioClientTransport } = await import('${url('client/stdio.js')}');
  const client = new Client({ name: 'library', version: '1' }, { capabilities: {} });
  await client.connect(new StdioClientTransport({ ...entry, env: process.env }));
  console.log((await client.listTools()).tools.map(({ name }) => name).join(' '));
  console.log(JSON.stringify(await client.callTool({ name: 'execute_tool', arguments: call })));
  await client.close();`;

const realClients: RealClient[] = [
  {
    spec: '@modelcontextprotocol/inspector@2.12.0',
    install: cursor,
    list: (file) => ['--cli', '--config', file, '--server', 'gatehouse', '--method', 'tools/list'],
    call: (file) => [
      ...['--cli', '--config', file, '--server', 'gatehouse', '--method', 'tools/call', '--tool-name', 'execute_tool'],
      ...Object.entries(call).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]),
    ],
  },
  {
    spec: 'mcporter@0.12.3',
    install: cursor,
    list: (file) => ['--config', file, 'list', 'gatehouse', '--json'],
    call: (file) => ['--config', file, 'call', 'gatehouse.execute_tool', '--args', JSON.stringify(call)],
  },
  {
    spec: '@wong2/mcp-cli@2.0.0',
    install: cursor,
    call: (file) => ['-c', file, 'call-tool', 'gatehouse:execute_tool', '--args', JSON.stringify(call)],
  },
  {
    spec: '@google/gemini-cli@0.61.0',
    install: ['gemini-cli', '.gemini/settings.json'],
    connect: ['mcp', 'list'],
    files: (home) => ({ '.gemini/trustedFolders.json': { [home]: 'TRUST_FOLDER' } }),
  },
  { spec: '@qwen-code/qwen-code@0.24.4', install: ['qwen-code', '.qwen/settings.json'], connect: ['mcp', 'list'] },
  {
    spec: 'opencode-ai@1.18.33',
    binary: `../opencode-${platform}/bin/opencode`,
    install: ['opencode', '.config/opencode/opencode.json'],
    connect: ['mcp', 'list'],
  },
  {
    spec: '@anthropic-ai/claude-code@2.1.330',
    binary: `../claude-code-${platform}/claude`,
    install: ['claude-code', '.claude.json'],
    connect: ['mcp', 'list'],
  },
  ...['1.0.4', '1.10.2', '1.20.2', '1.32.2'].map(
    (version): RealClient => ({
      spec: `@modelcontextprotocol/sdk@${version}`,
      install: cursor,
      script: (url) => sdkScript((path) => url(version === '1.0.4' ? `dist/${path}` : `dist/esm/${path}`)),
    }),
  ),
  {
    spec: '@ai-sdk/mcp@1.0.101',
    install: cursor,
    script: (url) => `
      const { experimental_createMCPClient: create } = await import('${url('dist/index.mjs')}');
      const { Experimental_StdioMCPTransport: Stdio } = await import('${url('dist/mcp-stdio/index.mjs')}');
      const client = await create({ transport: new Stdio({ ...entry, env: process.env }) });
      const tools = await client.tools();
      console.log(Object.keys(tools).join(' '));
      console.log(JSON.stringify(await tools.execute_tool.execute(call, { messages: [], toolCallId: '1' })));
      await client.close();`,
  },
  {
    spec: '@mastra/mcp@0.14.5',
    install: cursor,
    script: (url) => `
      const { MCPClient } = await import('${url('dist/index.js')}');
      const client = new MCPClient({ servers: { gatehouse: { ...entry, env: process.env } } });
      const tools = await client.getTools();
      console.log(Object.keys(tools).join(' '));
      console.log(JSON.stringify(await tools.gatehouse_execute_tool.execute({ context: call })));
      await client.disconnect();`,
  },
  {
    spec: 'mcp-use@1.34.6',
    install: cursor,
    script: (url) => `
      const { MCPClient } = await import('${url('dist/src/client.js')}');
      const client = MCPClient.fromDict({ mcpServers: { gatehouse: { ...entry, env: process.env } } });
      const session = await client.createSession('gatehouse');
      console.log((await session.connector.listTools()).map(({ name }) => name).join(' '));
      console.log(JSON.stringify(await session.connector.callTool('execute_tool', call)));
      await client.closeAllSessions();`,
  },
];

export async function clientsOf(wanted: RegExp, report: Report): Promise<void> {
  const clients = realClients.filter(({ spec }) => wanted.test(spec));
  if (clients.length === 0) return;
  const rows: Row[] = [];
  for (const client of clients) rows.push(await tried(client, report));
  report.table('Clients with the entry that gatehouse install writes', rows);
}

async function tried(client: RealClient, report: Report): Promise<Row> {
  const row: Row = { client: client.spec };
  const product = newProduct();
  try {
    const [id, path] = client.install;
    product.file('.gatehouse/config.json', {
      approvals: { ask: 'dangerous' },
      servers: [{ name: 'everything', connection: { type: 'stdio', ...commands.everything() } }],
    });
    for (const [path, content] of Object.entries(client.files?.(product.home) ?? {})) product.file(path, content);
    await product.serve();
    const { code, stderr } = await product.cli('install', id, '--yes');
    if (code !== 0) throw new Error(`gatehouse install: ${stderr}`);
    const file = join(product.home, path);
    if (client.script) return { ...row, ...(await library(client, product, file, report)) };
    const home = await installed(client.spec);
    const bin = client.binary === undefined ? await installedBin(client.spec) : join(home, client.binary);
    const outcome = async (column: string, args: string[] | undefined, wanted: RegExp) => {
      if (!args) return;
      const output = await run(product, bin, args);
      row[column] = wanted.test(output) ? 'yes' : 'no';
      if (row[column] === 'no') report.note(`${client.spec} ${column}: ${output.trim().slice(-400)}`);
    };
    await outcome('connects', client.connect, /gatehouse.*(?<!not |dis)connected|connected.*gatehouse|✓.*gatehouse/i);
    await outcome('lists', client.list?.(file), /search_tools[\s\S]*execute_tool/);
    await outcome('calls', client.call?.(file), new RegExp(said));
  } catch (error) {
    report.note(`${client.spec}: ${(error as Error).message.slice(0, 300)}`);
  } finally {
    await product.dispose();
  }
  return row;
}

async function library({ spec, script }: RealClient, product: Product, file: string, report: Report): Promise<Row> {
  const home = await installed(spec);
  const { command, args } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.gatehouse;
  const source = script?.((path) => `file://${join(home, path)}`);
  const module = join(product.home, 'client.mjs');
  const given = `const entry = ${JSON.stringify({ command, args })};\nconst call = ${JSON.stringify(call)};\n`;
  writeFileSync(module, `${given}${source}\nprocess.exit(0);\n`);
  const output = await run(product, module, []);
  const lists = /search_tools[\s\S]*execute_tool/.test(output);
  const calls = output.includes(said);
  if (!lists || !calls) report.note(`${spec}: ${output.trim().slice(-400)}`);
  return { lists: lists ? 'yes' : 'no', calls: calls ? 'yes' : 'no' };
}

/** The output of a Node program, or of a binary. */
function run({ env, home }: Product, bin: string, args: string[]): Promise<string> {
  const isScript = /\.[cm]?js$/.test(bin) || readFileSync(bin, 'latin1').slice(0, 40).includes('node');
  const [command, list] = isScript ? [process.execPath, [bin, ...args]] : [bin, args];
  return new Promise((resolve) => {
    const options = { cwd: home, env: { ...env, CI: '1', NO_COLOR: '1' }, timeout: 120_000 };
    const child = execFile(command, list, options, (_, stdout, stderr) => resolve(`${stdout}\n${stderr}`));
    child.stdin?.end();
  });
}
