/**
 * Counts the tokens (o200k) of 30 ordinary results for each recorded client, checks that the client can read all, and sends
 * each a large image.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { imageSize } from '../../electron/core/files/image-size.ts';
import { type ClientSession, clientSession } from '../e2e/client-session.ts';
import { newProduct } from '../e2e/product.ts';
import { type Command, commands } from '../fixtures/commands.ts';
import { png } from '../fixtures/images.ts';
import { recordedClients } from '../fixtures/recorded-clients.ts';
import { initialize, spawnPeer } from '../integration/gateway/raw-peer.ts';
import type { Part, Report, Row } from './report.ts';

type Json = Record<string, unknown>;
type Call = [server: string, tool: string, args: Json];

const root = join(import.meta.dirname, '../..');
const docs = join(root, 'docs');
const files = readdirSync(docs).filter((name) => name.endsWith('.md'));

const calls: Call[] = [
  ...files.slice(0, 9).map((name): Call => ['filesystem', 'read_text_file', { path: join(docs, name) }]),
  ...['CHANGELOG.md', 'README.md', 'package.json', 'SECURITY.md'].map(
    (name): Call => ['filesystem', 'read_text_file', { path: join(root, name) }],
  ),
  ...['docs', 'electron/core', 'electron/cli', 'test/bench'].map(
    (folder): Call => ['filesystem', 'list_directory', { path: join(root, folder) }],
  ),
  ...['electron/core/calls', 'shared'].map(
    (folder): Call => ['filesystem', 'directory_tree', { path: join(root, folder) }],
  ),
  ['filesystem', 'search_files', { path: join(root, 'electron'), pattern: '**/*.ts' }],
  ['filesystem', 'search_files', { path: docs, pattern: '**/*.md' }],
  ['filesystem', 'get_file_info', { path: join(root, 'README.md') }],
  ['filesystem', 'read_multiple_files', { paths: files.slice(0, 3).map((name) => join(docs, name)) }],
  ['filesystem', 'list_allowed_directories', {}],
  ['memory', 'read_graph', {}],
  ['memory', 'search_nodes', { query: 'a' }],
  ['everything', 'echo', { message: 'hello' }],
  ['everything', 'get-sum', { a: 1, b: 2 }],
  ['everything', 'get-tiny-image', {}],
  ['everything', 'get-structured-content', { location: 'Chicago' }],
];

const servers: Record<string, Command> = {
  filesystem: commands.filesystem(root),
  memory: commands.memory(),
  everything: commands.everything(),
};

export const part: Part = {
  about: 'tokens of 30 ordinary results per client, directly and through Toolkeep',
  async run(report) {
    const direct = await directly();
    await through(report, direct, 'Default settings', {});
    await through(report, direct, 'With results.maxCharacters: 4000', {
      results: { maxCharacters: 4_000, except: [] },
    });
    await images(report);
  },
};

async function directly(): Promise<string[]> {
  const peers = Object.fromEntries(Object.entries(servers).map(([name, command]) => [name, spawnPeer(command)]));
  try {
    for (const peer of Object.values(peers)) await initialize(peer);
    const texts: string[] = [];
    for (const [server, tool, args] of calls) {
      const reply = await peers[server]?.request('tools/call', { name: tool, arguments: args });
      texts.push(textsOf(reply?.result));
    }
    return texts;
  } finally {
    for (const peer of Object.values(peers)) peer.close();
  }
}

async function through(report: Report, direct: string[], title: string, settings: Json): Promise<void> {
  const product = newProduct();
  const rows: Row[] = [];
  try {
    product.file('.toolkeep/config.json', {
      ...settings,
      approvals: { ask: 'dangerous' },
      servers: Object.entries(servers).map(([name, command]) => ({ name, connection: { type: 'stdio', ...command } })),
    });
    await product.serve();
    // With roots, each client would get a filesystem server with different folders.
    for (const recorded of recordedClients) {
      const client = await clientSession(product, { ...recorded, capabilities: {} }, { folder: root });
      rows.push(await rowOf(recorded.id, client, direct));
      await client.close();
    }
  } finally {
    await product.dispose();
  }
  report.table(title, rows);
}

/** A 4K screenshot, as the clients receive it. */
async function images(report: Report): Promise<void> {
  const product = newProduct();
  const rows: Row[] = [];
  const original = png(3_840, 2_160, 10);
  const path = join(product.home, 'screen.png');
  writeFileSync(path, original);
  try {
    product.file('.toolkeep/config.json', {
      approvals: { ask: 'dangerous' },
      servers: [{ name: 'files', connection: { type: 'stdio', ...commands.filesystem(product.home) } }],
    });
    await product.serve();
    for (const recorded of recordedClients) {
      const client = await clientSession(product, { ...recorded, capabilities: {} }, { folder: root });
      const { content } = await client.execute('files/read_media_file', { path });
      await client.close();
      rows.push({ client: recorded.id, ...imageRow(content as Json[], original) });
    }
  } finally {
    await product.dispose();
  }
  report.table('A screenshot of 3840 × 2160 pixels', rows);
}

/** Anthropic counts one token per 750 pixels. */
function imageRow(blocks: Json[], original: Buffer): Row {
  const data = String(blocks.find(({ type }) => type === 'image')?.data ?? '');
  const size = imageSize(Buffer.from(data, 'base64'));
  const link = blocks.find(({ type }) => type === 'resource_link');
  const saved = link && readFileSync(fileURLToPath(String(link.uri)));
  return {
    pixels: size && `${size.width} × ${size.height}`,
    'KB in the result': Math.round(data.length / 1024),
    'tokens of the pixels': size && Math.round((size.width * size.height) / 750),
    original: data === original.toString('base64') ? 'unchanged' : saved?.equals(original) ? 'linked' : 'lost',
  };
}

async function rowOf(client: string, session: ClientSession, direct: string[]): Promise<Row> {
  const before = direct.reduce((sum, text) => sum + tokens(text), 0);
  let after = 0;
  let inParts = 0;
  let lost = 0;
  for (const [at, [server, tool, args]] of calls.entries()) {
    const first = textsOf(await session.execute(`${server}/${tool}`, args));
    after += tokens(first);
    const whole = await readAll(session, first);
    if (whole !== first) inParts += 1;
    // Results contain times, which change with each call, so only the lengths are compared.
    if (whole.length < (direct[at] ?? '').length) lost += 1;
  }
  return { client, direct: before, through: after, 'results in parts': inParts, 'cut permanently': lost };
}

const note = /\n\[Characters \d+ to \d+ of \d+\.[^\n]*execute_tool (\{.*\})\]$/;

/** Follows `read_more` to the end. */
async function readAll(session: ClientSession, first: string): Promise<string> {
  let whole = '';
  for (let text = first; ; ) {
    const next = note.exec(text);
    whole += next ? text.slice(0, next.index) : text;
    if (!next) return whole;
    const { server, tool, arguments: args } = JSON.parse(next[1] as string);
    text = textsOf(await session.execute(`${server}/${tool}`, args));
  }
}

function textsOf(result: Json | undefined): string {
  return ((result?.content ?? []) as { text?: string }[]).map(({ text = '' }) => text).join('');
}

const tokens = (text: string) => encode(text).length;
