/**
 * Puts recognizable secrets into the files of other apps, uses every part of the product, and then searches all files,
 * output and frames for them. Only the sealed vault and the server that needs a secret may contain it.
 *
 * @module-tag exhaustive
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Question } from '../../shared/model/question.ts';
import type { ServerView } from '../../shared/model/server.ts';
import { commands } from '../fixtures/commands.ts';
import { openPageSocket } from '../fixtures/page-socket.ts';
import { newProduct } from './product.ts';

const mark = 'cAnArY7Q';
const planted = new RegExp(`${mark}[A-Za-z0-9-]*`, 'g');
/** A different secret for each location, so a leak shows its source. */
const canary = (place: string) => `${mark}-${place}`;
/** A secret for each location, in the form of a known token. */
const token = (place: string) => `ghp${'_'}${mark}${place}`.padEnd(40, 'x');

const product = newProduct();
const passphrase = canary('passphrase');
let unfriendly: Server;
let ui: AttachedUi;
let serving: Awaited<ReturnType<typeof product.serve>>;
const claudeFile = join(product.home, '.config/Claude/claude_desktop_config.json');
let claude = '';
/** The output of the product: command line, terminal log, frames. */
const said: { from: string; text: string }[] = [];

/** A program that prints its arguments and environment on both streams, then fails as `ending` says. */
const telltale = (ending: string) => `
  const all = () => JSON.stringify({ argv: process.argv, env: process.env });
  console.error('Starting with', process.argv, process.env);
  console.error(all());
  console.log('ready? ' + all());
  ${ending}`;
const answersWithError = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'refused: ' + all() } }));
});`;
const node = (script: string, ...args: string[]) => ({
  command: process.execPath,
  args: ['-e', script, '--', ...args],
});

beforeAll(async () => {
  product.file('passphrase', passphrase);
  Object.assign(product.env, {
    TOOLKEEP_PASSPHRASE_FILE: join(product.home, 'passphrase'),
    TOOLKEEP_LOG: 'debug',
    SHELL_API_TOKEN: canary('shell'),
  });

  unfriendly = createServer((request, response) => {
    const told = `${request.url} ${JSON.stringify(request.headers)}`;
    if (request.url?.startsWith('/away')) {
      response.writeHead(307, { location: `http://127.0.0.1:1${request.url}` }).end(told);
    } else response.writeHead(request.url?.startsWith('/401') ? 401 : 500, { 'x-told': told }).end(told);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => unfriendly.once('listening', resolve));
  const base = `http://127.0.0.1:${(unfriendly.address() as AddressInfo).port}`;

  const good = commands.misbehaving('normal');
  product.file('.config/Claude/claude_desktop_config.json', {
    mcpServers: {
      works: {
        ...good,
        args: [...good.args, '--api-key', canary('arg'), `--password=${canary('pair')}`],
        env: { WORKS_TOKEN: canary('env'), GITHUB: token('shaped'), DATABASE: `postgres://me:${canary('inurl')}@db/x` },
      },
      crashes: {
        ...node(telltale('process.exit(3);'), '--token', canary('crasharg')),
        env: { CRASH_SECRET: canary('crashenv'), NOTE: `use ${token('crashnote')} here` },
      },
      refuses: {
        ...node(telltale(answersWithError), '--secret', canary('refusearg')),
        env: { A_PASSWORD: canary('refuseenv') },
      },
      vanished: {
        command: 'no-such-program',
        args: ['--api-key', canary('vanishedarg')],
        env: { API_KEY: canary('vanishedenv') },
      },
      fromfile: { ...node(telltale('process.exit(4);')), envFile: '~/secrets.env' },
      asks: { ...good, env: { ASKS_PIN: '${input:pin}' } },
    },
  });
  product.file('secrets.env', `FILE_TOKEN=${canary('envfile')}\n`);
  product.file('.config/Code/User/mcp.json', {
    servers: {
      remote: {
        type: 'http',
        url: `${base}/mcp?api_key=${canary('query')}`,
        headers: { Authorization: `Bearer ${canary('bearer')}`, 'X-Api-Key': canary('header') },
      },
      unauthorized: { type: 'http', url: `${base}/401`, headers: { Authorization: `Basic ${canary('basic')}` } },
      away: { type: 'http', url: `${base}/away?token=${canary('redirect')}`, headers: {} },
      nowhere: {
        type: 'http',
        url: `http://me:${canary('userinfo')}@127.0.0.1:1/mcp?access_token=${canary('nowhere')}`,
      },
      badurl: { type: 'http', url: `htp://x/${token('badurl')}?token=${canary('badquery')}` },
    },
  });
  product.file(
    '.codex/config.toml',
    `[mcp_servers.toml]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["-e", ${JSON.stringify(telltale('process.exit(5);'))}, "--", "--api-key=${canary('tomlarg')}"]\n[mcp_servers.toml.env]\nTOML_TOKEN = "${canary('tomlenv')}"\n`,
  );
  product.file(
    '.continue/config.yaml',
    `name: mine\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: yaml\n    command: ${process.execPath}\n    args: ["-e", ${JSON.stringify(telltale('process.exit(6);'))}]\n    env:\n      YAML_SECRET: ${canary('yamlenv')}\n`,
  );
  // A broken file with an error next to a secret.
  product.file(
    '.cursor/mcp.json',
    `{"mcpServers": {"half": {"command": "x", "env": {"TOKEN": "${canary('broken')}" "B": 1}}}}`,
  );
  product.file(
    'project/.toolkeep/config.yaml',
    `servers:\n  own:\n    url: ${base}/own?token=${canary('ownquery')}\n    headers:\n      Authorization: Bearer ${canary('ownheader')}\ntoolRules:\n  - pattern: echo\n    tags: [plain]\n`,
  );
  await product.inTerminal('trust', '--yes');
  claude = readFileSync(claudeFile, 'utf8');
  serving = await product.serve();
  said.push({
    from: 'the terminal of serve',
    get text() {
      return serving.output();
    },
  });
  ui = await openUi();
});

afterAll(async () => {
  ui?.close();
  await product.dispose();
  unfriendly.close();
});

interface AttachedUi {
  call<T>(name: string, input?: unknown): Promise<T>;
  close(): void;
}

/** The page's own connection, with every received frame, unparsed. */
async function openUi(): Promise<AttachedUi> {
  const socket = await openPageSocket(await product.pageUrl());
  const waiting = new Map<number, (frame: { value?: unknown; failure?: { message: string } }) => void>();
  let lastId = 0;
  socket.on('message', (data) => {
    const text = String(data);
    said.push({ from: 'a frame of the window', text });
    const frame = JSON.parse(text) as { id?: number; value?: unknown; failure?: { message: string } };
    if (frame.id !== undefined) waiting.get(frame.id)?.(frame);
  });
  return {
    call(name, input) {
      lastId += 1;
      const id = lastId;
      socket.send(JSON.stringify({ kind: 'call', id, name, input }));
      return new Promise((resolve, reject) =>
        waiting.set(id, ({ value, failure }) =>
          failure ? reject(new Error(failure.message)) : resolve(value as never),
        ),
      );
    },
    close: () => socket.close(),
  };
}

async function cli(...args: string[]): Promise<{ code: number; stdout: string }> {
  const result = await product.cli(...args);
  said.push({ from: `toolkeep ${args.join(' ')}`, text: result.stdout + result.stderr });
  return result;
}

/** Every file below `folder`, with its content. */
function files(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { path: relative(product.home, path), text: readFileSync(path, 'latin1') };
    });
}

const leaksInFiles = () =>
  files(join(product.home, '.toolkeep')).flatMap(({ path, text }) =>
    found(text).map((secret) => `${secret} in ${path}`),
  );
const found = (text: string) => [...new Set(text.match(planted) ?? [])];
const statuses = async () =>
  Object.fromEntries((await ui.call<ServerView[]>('servers.list')).map(({ id, status }) => [id, status]));

test('Every kind of command and view succeeds or fails as expected: import, list, call, ask, export, install, undo', {
  timeout: 120_000,
}, async () => {
  expect((await cli('import', '--dry-run')).stdout).toContain('in plain text');
  await cli('import', '--dry-run', '--json');
  await ui.call('import.plan', {});
  expect((await cli('import', '--all', '--json')).code).toBe(0);
  // Its program is missing, so it was imported disabled.
  await ui.call('servers.setEnabled', { server: 'vanished', enabled: true });
  await expect.poll(statuses, { timeout: 30_000, interval: 300 }).toEqual({
    ...{ works: 'idle', asks: 'failed', crashes: 'failed', refuses: 'failed', vanished: 'failed', fromfile: 'failed' },
    ...{ remote: 'failed', unauthorized: 'failed', away: 'failed', nowhere: 'failed' },
    ...{ toml: 'failed', yaml: 'failed', own: 'failed' },
  });
  for (const [server, status] of Object.entries(await statuses()))
    if (status === 'failed' && server !== 'asks') await ui.call('servers.restart', { server });

  // The server really received its secret.
  const envOf = (name: string) => product.cli('execute', 'works', 'env', '--args', JSON.stringify({ name }));
  expect((await envOf('WORKS_TOKEN')).stdout).toContain(canary('env'));

  const pin = ui.call('tools.execute', { server: 'asks', tool: 'echo', arguments: { text: 'after the pin' } });
  let question: Question | undefined;
  await expect
    .poll(async () => {
      [question] = await ui.call<Question[]>('questions.list');
      return question?.fields[0]?.kind;
    })
    .toBe('secret');
  const value = Object.fromEntries(
    (question?.fields ?? []).map(({ name, kind }) => [name, kind === 'boolean' ? true : canary('typed')]),
  );
  await ui.call('questions.answer', { id: question?.id, answer: { action: 'accept', value } });
  expect(JSON.stringify(await pin)).toContain('after the pin');
  await ui.call('tools.execute', {
    server: 'works',
    tool: 'echo',
    arguments: { text: 'hi', api_key: canary('call'), nested: { list: [token('nested')] } },
  });
  await ui.call('tools.execute', { server: 'works', tool: 'fail', arguments: {} }).catch(() => undefined);

  for (const args of [
    ['list'],
    ['list', '--json'],
    ['status'],
    ['status', '--json'],
    ['tools', 'works'],
    ['search', 'echo', '--json'],
    ['inspect', 'works', 'echo', '--json'],
    ['execute', 'crashes', 'x', '--args', '{}'],
    ['execute', 'refuses', 'x', '--json', '--args', '{}'],
    ['config', 'show', '--json'],
    ['config', 'validate', '--json'],
    ['config', 'reload'],
    ['history'],
    ['history', '--json'],
    ['history', '--csv'],
    ['secrets', 'list'],
    ['secrets', 'list', '--json'],
    ['profiles'],
    ['diagnostics'],
    ['diagnostics', '--json'],
    ['setup', 'export'],
    ['install', '--list', '--json'],
    ['install', 'claude-desktop', '--dry-run'],
    ['install', 'claude-desktop', '--dry-run', '--move-servers', '--json'],
    ['install', 'cursor', '--yes'],
    ['install', 'claude-desktop', '--move-servers', '--yes'],
    ['undo', 'claude-desktop', '--yes'],
    ['install', 'codex', '--move-servers', '--yes', '--json'],
  ])
    await cli(...args);
  expect(readFileSync(claudeFile, 'utf8')).toBe(claude);
  for (const name of ['core.status', 'servers.list', 'rules.list', 'secrets.list', 'config.validate', 'setup.export'])
    await ui.call(name);
  await ui.call('import.plan', {});
  await ui.call('history.list', {});
  await ui.call('tools.list', { includeDisabled: true });
  await ui.call('secrets.set', { name: 'loose', value: canary('set') });
  expect(said.length).toBeGreaterThan(40);
});

test('The output of the product contains no secret', () => {
  const leaks = said.flatMap(({ from, text }) => found(text).map((secret) => `${secret} in ${from}`));
  expect([...new Set(leaks)]).toEqual([]);
});

test('No file of Toolkeep contains a secret in plain text, and the vault contains all secrets sealed', async () => {
  const paths = files(join(product.home, '.toolkeep')).map(({ path }) => path);
  for (const path of ['logs/toolkeep.log', 'vault.json', 'settings.json', 'catalog.json'])
    expect(paths).toContain(`.toolkeep/${path}`);
  expect(paths.join('\n')).toMatch(/\.toolkeep\/backups\/records\/[^\n]+\.json/);
  expect(leaksInFiles()).toEqual([]);
  const { secrets } = await ui.call<{ secrets: { name: string; isSet: boolean }[] }>('secrets.list');
  const names = secrets.filter(({ isSet }) => isSet).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      ...['works/WORKS_TOKEN', 'works/api-key', 'works/password', 'works/GITHUB', 'asks/input:pin'],
      ...['remote/api_key', 'remote/Authorization', 'remote/X-Api-Key', 'toml/TOML_TOKEN', 'yaml/YAML_SECRET', 'loose'],
    ]),
  );
});

test('Only the process that needs a secret receives it', () => {
  const carriers = product.processes().flatMap(({ pid, command }) => {
    const read = (what: string) => readFileSync(`/proc/${pid}/${what}`, 'utf8');
    const inherited = canary('shell');
    return found(read('cmdline') + read('environ'))
      .filter((secret) => secret !== inherited)
      .map((secret) => ({ secret, server: command.includes('misbehaving') }));
  });
  const own = [
    canary('arg'),
    canary('pair'),
    canary('env'),
    token('shaped').slice(4),
    canary('inurl'),
    canary('typed'),
  ];
  expect(carriers.filter(({ server, secret }) => !server || !own.includes(secret))).toEqual([]);
  expect(carriers.map(({ secret }) => secret).sort()).toEqual(own.sort());
});

test('Shutdown writes no secret to a file', async () => {
  ui.close();
  serving.kill('SIGTERM');
  await product.nothingLeft();
  expect(leaksInFiles()).toEqual([]);
  expect(found(serving.output())).toEqual([]);
});
