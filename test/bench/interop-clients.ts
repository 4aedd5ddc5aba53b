/**
 * Real clients and client libraries from npm that need no account. Checks that they connect with the entry that
 * `toolkeep install` writes, list the meta-tools, search, and run a tool. Clients that call tools only for a model get a
 * scripted model.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newProduct, type Product } from '../e2e/product.ts';
import { commands } from '../fixtures/commands.ts';
import { agents } from './interop-agents.ts';
import { installed, installedBin } from './npm-cache.ts';
import type { Report, Row } from './report.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

type Json = Record<string, unknown>;

export interface RealClient {
  spec: string;
  /** The client in `toolkeep install`, and its file below the home folder. */
  install: [id: string, file: string];
  /**
   * The path of its program in the package, if the package's install script, which does not run here, would put it
   * elsewhere.
   */
  binary?: string;
  /** Arguments that print the tools (`list`), or at least whether the server is connected (`connect`), and that call one. */
  list?(file: string): string[];
  connect?: string[];
  call?(file: string, tool: string, args: Json): string[];
  /** Arguments that add the server `sample`, which Toolkeep then imports. */
  add?: string[];
  /** Files below the home folder, which the client needs; `url` is that of the scripted model. */
  files?(given: { home: string; url: string }): Record<string, string | object>;
  /** A session with the scripted model. */
  session?: { args: string[]; env?(url: string): Record<string, string> };
  /** For a library: code that declares `names` (of the tools) and `run(tool, args)`; `url` resolves its files. */
  script?(url: (path: string) => string): string;
}

const cursor: RealClient['install'] = ['cursor', '.cursor/mcp.json'];
const said = 'said through Toolkeep';
const call = { server: 'everything', tool: 'echo', arguments: { message: said } };
const search = { query: 'echo a message' };
/** In the result of the search. */
const found = 'everything/echo';

/** In a script: `entry` is the entry of the file. */
const sdkScript = (url: (path: string) => string) => `
  const { Client } = await import('${url('client/index.js')}');
  const { StdioClientTransport } = await import('${url('client/stdio.js')}');
  const client = new Client({ name: 'library', version: '1' }, { capabilities: {} });
  await client.connect(new StdioClientTransport({ ...entry, env: process.env }));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  const run = (name, args) => client.callTool({ name, arguments: args });`;

const realClients: RealClient[] = [
  {
    spec: '@modelcontextprotocol/inspector@2.12.0',
    install: cursor,
    list: (file) => ['--cli', '--config', file, '--server', 'toolkeep', '--method', 'tools/list'],
    call: (file, tool, args) => [
      ...['--cli', '--config', file, '--server', 'toolkeep', '--method', 'tools/call', '--tool-name', tool],
      ...Object.entries(args).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]),
    ],
  },
  {
    spec: 'mcporter@0.12.3',
    install: cursor,
    list: (file) => ['--config', file, 'list', 'toolkeep', '--json'],
    call: (file, tool, args) => ['--config', file, 'call', `toolkeep.${tool}`, '--args', JSON.stringify(args)],
  },
  {
    spec: '@wong2/mcp-cli@2.0.0',
    install: cursor,
    call: (file, tool, args) => ['-c', file, 'call-tool', `toolkeep:${tool}`, '--args', JSON.stringify(args)],
  },
  ...agents,
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
      const names = Object.keys(tools);
      const run = (name, args) => tools[name].execute(args, { messages: [], toolCallId: '1' });`,
  },
  {
    spec: '@mastra/mcp@0.14.5',
    install: cursor,
    script: (url) => `
      const { MCPClient } = await import('${url('dist/index.js')}');
      const client = new MCPClient({ servers: { toolkeep: { ...entry, env: process.env } } });
      const tools = await client.getTools();
      const names = Object.keys(tools);
      const run = (name, args) => tools['toolkeep_' + name].execute({ context: args });`,
  },
  {
    spec: 'mcp-use@1.34.6',
    install: cursor,
    script: (url) => `
      const { MCPClient } = await import('${url('dist/src/client.js')}');
      const client = MCPClient.fromDict({ mcpServers: { toolkeep: { ...entry, env: process.env } } });
      const session = await client.createSession('toolkeep');
      const names = (await session.connector.listTools()).map(({ name }) => name);
      const run = (name, args) => session.connector.callTool(name, args);`,
  },
];

export async function clientsOf(wanted: RegExp, report: Report): Promise<void> {
  const clients = realClients.filter(({ spec }) => wanted.test(spec));
  if (clients.length === 0) return;
  const rows: Row[] = [];
  for (const client of clients) rows.push(await tried(client, report));
  report.table('Clients with the entry that toolkeep install writes', rows);
}

async function tried(client: RealClient, report: Report): Promise<Row> {
  const row: Row = { client: client.spec };
  const product = newProduct();
  const model = await startScriptedModel([
    { tool: 'search_tools', arguments: search },
    { tool: 'execute_tool', arguments: call },
  ]);
  try {
    product.file('.toolkeep/config.json', {
      approvals: { ask: 'dangerous' },
      servers: [{ name: 'everything', connection: { type: 'stdio', ...commands.everything() } }],
    });
    await install(client, product, model.url);
    const file = join(product.home, client.install[1]);
    if (client.script) return { ...row, ...(await library(client, product, file, report)) };
    const bin = await binOf(client);
    const outcome = async (column: string, args: string[] | undefined, wanted: RegExp) => {
      if (!args) return;
      const output = await run(product, bin, args);
      row[column] = wanted.test(output) ? 'yes' : 'no';
      if (row[column] === 'no') report.note(`${client.spec} ${column}: ${output.trim().slice(-400)}`);
    };
    await outcome('connects', client.connect, /toolkeep.*(?<!not |dis)connected|connected.*toolkeep|✓.*toolkeep/i);
    await outcome('lists', client.list?.(file), /search_tools[\s\S]*execute_tool/);
    await outcome('searches', client.call?.(file, 'search_tools', search), new RegExp(found));
    await outcome('calls', client.call?.(file, 'execute_tool', call), new RegExp(said));
    if (client.add) row.imports = await imported(client.add, product, bin, report);
    if (client.session) Object.assign(row, await inSession(client, product, bin, model, report));
  } catch (error) {
    report.note(`${client.spec}: ${(error as Error).message.slice(0, 300)}`);
  } finally {
    await model.close();
    await product.dispose();
  }
  return row;
}

/** Writes the client's files, starts Core, and installs Toolkeep in the client. */
export async function install({ files, install: [id] }: RealClient, product: Product, url: string): Promise<void> {
  for (const [path, content] of Object.entries(files?.({ home: product.home, url }) ?? {})) product.file(path, content);
  await product.serve();
  const { code, stderr } = await product.cli('install', id, '--yes');
  if (code !== 0) throw new Error(`toolkeep install: ${stderr}`);
}

export async function binOf({ spec, binary }: RealClient): Promise<string> {
  return binary === undefined ? installedBin(spec) : join(await installed(spec), binary);
}

/** Adds a server with the client's own command. Returns whether Toolkeep would import it. */
async function imported(add: string[], product: Product, bin: string, report: Report): Promise<string> {
  const output = await run(product, bin, add);
  const { stdout } = await product.cli('import', '--dry-run', '--json');
  const isFound = /"sample"/.test(stdout) && /"npx",?[\s\S]{0,40}"-y",\s*"sample-server"/.test(stdout);
  if (!isFound) report.note(`${add.join(' ')}: ${output.trim().slice(-300)}\n    ${stdout.slice(0, 600)}`);
  return isFound ? 'yes' : 'no';
}

/** Whether the client returned Toolkeep's results to the model, and whether Toolkeep recorded the call. */
async function inSession(
  { spec, session }: RealClient,
  product: Product,
  bin: string,
  model: ScriptedModel,
  report: Report,
): Promise<Row> {
  const output = await run(product, bin, session?.args ?? [], session?.env?.(model.url));
  const { stdout } = await product.cli('history', '--json');
  const [searched = '', called = ''] = model.results;
  const searches = searched.includes(found);
  const calls = called.includes(said) && JSON.parse(stdout)[0]?.outcome === 'ok';
  for (const problem of model.problems) report.note(`${spec}: ${problem}`);
  if (!searches || !calls)
    report.note(`${spec}: ${[...model.results, stdout, output.trim().slice(-400)].join('\n    ')}`);
  return { searches: searches ? 'yes' : 'no', calls: calls ? 'yes' : 'no' };
}

async function library({ spec, script }: RealClient, product: Product, file: string, report: Report): Promise<Row> {
  const home = await installed(spec);
  const { command, args } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.toolkeep;
  const source = script?.((path) => `file://${join(home, path)}`);
  const module = join(product.home, 'client.mjs');
  writeFileSync(
    module,
    `const entry = ${JSON.stringify({ command, args })};
    ${source}
    console.log(names.join(' '));
    console.log(JSON.stringify(await run('search_tools', ${JSON.stringify(search)})));
    console.log(JSON.stringify(await run('execute_tool', ${JSON.stringify(call)})));
    process.exit(0);\n`,
  );
  const output = await run(product, module, []);
  const yes = (isTrue: boolean) => (isTrue ? 'yes' : 'no');
  const row = {
    lists: yes(/search_tools[\s\S]*execute_tool/.test(output)),
    searches: yes(output.includes(found)),
    calls: yes(output.includes(said)),
  };
  if (Object.values(row).includes('no')) report.note(`${spec}: ${output.trim().slice(-400)}`);
  return row;
}

/** The output of a Node program, or of a binary. */
export function run(
  { env, home }: Product,
  bin: string,
  args: string[],
  more: Record<string, string> = {},
): Promise<string> {
  const isScript = /\.[cm]?js$/.test(bin) || readFileSync(bin, 'latin1').slice(0, 40).includes('node');
  const [command, list] = isScript ? [process.execPath, [bin, ...args]] : [bin, args];
  return new Promise((resolve) => {
    const options = { cwd: home, env: { ...env, CI: '1', NO_COLOR: '1', ...more }, timeout: 120_000 };
    const child = execFile(command, list, options, (_, stdout, stderr) => resolve(`${stdout}\n${stderr}`));
    child.stdin?.end();
  });
}
