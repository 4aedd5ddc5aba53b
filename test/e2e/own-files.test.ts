/** An agent with tools for files, commands and URLs cannot access Toolkeep's own files or address without the user. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readCoreFile } from '../../electron/bridge/reach-core.ts';
import { commands } from '../fixtures/commands.ts';
import { type Attacker, type AttackKit, attackKit } from './attack-kit.ts';
import { newProduct } from './product.ts';

const product = newProduct();
const repository = join(product.home, 'work/repository');
const config = join(product.home, '.toolkeep/config.json');
let kit: AttackKit;
let agent: Attacker;

beforeAll(async () => {
  const tools = ['run_command', 'get_page'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  product.file('tools.json', tools);
  const misbehaving = commands.misbehaving('normal', `tools-file=${join(product.home, 'tools.json')}`);
  product.file('.toolkeep/config.json', {
    // The most permissive configuration.
    approvals: { ask: 'dangerous' },
    // The page still listens on the port.
    http: { enabled: false },
    toolRules: [{ pattern: '*', confirm: 'never' }],
    servers: [
      { name: 'files', connection: { type: 'stdio', ...commands.filesystem(product.home) } },
      {
        name: 'folders',
        connection: {
          type: 'stdio',
          ...commands.filesystem('${workspaceFolder}', product.home),
          instances: 'per-folder',
        },
      },
      { name: 'machine', connection: { type: 'stdio', ...misbehaving } },
      {
        name: 'library',
        connection: { type: 'stdio', ...commands.library('legacy', `files=${product.home}/.toolkeep`) },
      },
      // Servers that ask for roots only during a call.
      { name: 'legacy', connection: { type: 'stdio', ...commands.elicit('legacy') } },
      { name: 'modern', connection: { type: 'stdio', ...commands.elicit('modern') } },
    ],
  });
  symlinkSync('../.toolkeep', join(product.home, 'project/docs'));
  symlinkSync('../.toolkeep/plugin.mjs', join(product.home, 'project/new.mjs'));
  mkdirSync(repository, { recursive: true });
  symlinkSync(join(product.home, '.toolkeep'), join(repository, 'state'));
  const { output } = await product.serve();
  for (const server of ['files', 'folders', 'machine', 'library', 'legacy', 'modern'])
    await vi.waitFor(() => expect(output()).toContain(`${server}: ready`), { timeout: 20_000 });
  kit = await attackKit(product);
  agent = await kit.overBridge('Agent', ['--client', 'claude-code']);
});
afterAll(async () => {
  await kit?.close();
  await product.dispose();
});

const attacks: [string, string, () => Record<string, unknown>, RegExp][] = [
  ['files', 'read_text_file', () => ({ path: join(product.home, '.toolkeep/run/core.json') }), /Toolkeep's own files/],
  ['files', 'write_file', () => ({ path: config, content: '{"toolRules":[]}' }), /Toolkeep's own files/],
  ['files', 'move_file', () => ({ source: config, destination: join(product.home, 'x') }), /Toolkeep's own files/],
  // A repository can contain such a link.
  ['files', 'read_text_file', () => ({ path: 'project/docs/run/core.json' }), /Toolkeep's own files/],
  ['files', 'write_file', () => ({ path: 'project/new.mjs', content: 'export default 1' }), /Toolkeep's own files/],
  ['files', 'read_text_file', () => ({ path: 'missing/../project/docs/run/core.json' }), /Toolkeep's own files/],
  ['machine', 'run_command', () => ({ command: 'cat ~/.toolkeep/settings.json' }), /Toolkeep's own files/],
  ['machine', 'get_page', () => ({ url: `${origin()}/#code=a.b` }), /Toolkeep's own address/],
];
const origin = () => readCoreFile(join(product.home, '.toolkeep'))?.httpUrl;

describe("A call that names Toolkeep's files or address", () => {
  it.each(attacks)(
    'needs approval whatever the rules say, asks only once, and gives the reason: %s %s',
    // unit/policy/own-files has the same table, and more.
    { tags: ['exhaustive'] },
    async (server, tool, args, why) => {
      const before = readFileSync(config, 'utf8');
      const call = agent.execute(server, tool, args());
      const { approval } = await kit.question();
      expect(approval?.reasons[0]).toMatch(why);
      expect(approval).toMatchObject({ scopes: ['once'] });
      await kit.answer({ action: 'decline' });
      expect(await call).toContain('APPROVAL_DENIED');
      expect(readFileSync(config, 'utf8')).toBe(before);
      expect(existsSync(join(product.home, '.toolkeep/plugin.mjs'))).toBe(false);
    },
  );

  it('needs approval if its path is relative to a folder that only the client names', async () => {
    const inRepository = await kit.overBridge('Editor', ['--client', 'cursor'], { roots: {} });
    (inRepository.client as Client).setRequestHandler(ListRootsRequestSchema, () => ({
      roots: [{ uri: pathToFileURL(repository).href }],
    }));
    const call = inRepository.execute('folders', 'read_text_file', { path: 'state/run/core.json' });
    expect((await kit.question()).approval?.reasons[0]).toMatch(/Toolkeep's own files/);
    await kit.answer({ action: 'decline' });
    expect(await call).toContain('APPROVAL_DENIED');
    // The same server reads the folder's other files without approval.
    writeFileSync(join(repository, 'notes.txt'), 'of the repository');
    expect(await inRepository.execute('folders', 'read_text_file', { path: 'notes.txt' })).toContain(
      'of the repository',
    );
  });

  it('does not resolve a placeholder in the folder that the client names', async () => {
    writeFileSync(join(product.home, 'canary.txt'), 'CANARY');
    const folder = join(product.home, 'work/${file:~/canary.txt}');
    mkdirSync(folder, { recursive: true });
    const inFolder = await kit.overBridge('Reader', ['--client', 'windsurf'], { roots: {} });
    const uri = pathToFileURL(folder).href;
    (inFolder.client as Client).setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri }] }));
    const allowed = await inFolder.execute('folders', 'list_allowed_directories');
    expect(allowed).toContain(folder);
    expect(allowed).not.toContain('CANARY');
  });

  it.each(['legacy', 'modern'])('does not tell a %s server the folder that its path is relative to', async (server) => {
    const editor = await kit.overBridge('Other editor', ['--client', 'cursor'], { roots: {} });
    const uri = pathToFileURL(repository).href;
    (editor.client as Client).setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri }] }));
    expect(await editor.execute(server, 'roots', { path: 'state/run/core.json' })).not.toContain(uri);
    await editor.client.close();
    const next = await kit.overBridge('Third editor', ['--client', 'cursor'], { roots: {} });
    (next.client as Client).setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri }] }));
    expect(await next.execute(server, 'roots', { path: 'notes.txt' })).toContain(uri);
  });

  it('needs approval again after the user allowed it, even with a longer scope than offered', async () => {
    const path = join(product.home, '.toolkeep/settings.json');
    for (const _ of [1, 2]) {
      const call = agent.execute('files', 'read_text_file', { path });
      await kit.answer({ action: 'accept', scope: 'always' });
      expect(await call).toContain('{');
    }
    expect(await kit.ui.call('grants.list')).toEqual([]);
  });

  it('is refused if it reads a resource', async () => {
    const { resources } = await agent.client.listResources();
    const own = resources.find(({ uri }) => uri.includes('.toolkeep'))?.uri ?? '';
    await expect(agent.client.readResource({ uri: own })).rejects.toThrow("Toolkeep's own files");
  });

  it('is refused if it gets a prompt or a completion', async () => {
    const own = join(product.home, '.toolkeep/run/core.json');
    const { prompts } = await agent.client.listPrompts();
    const name = prompts.find((prompt) => prompt.name.includes('review'))?.name ?? '';
    const get = (genre: string) => agent.client.getPrompt({ name, arguments: { genre } });
    await expect(get(own)).rejects.toThrow("Toolkeep's own files");
    await expect(get('project/docs/run/core.json')).rejects.toThrow("Toolkeep's own files");
    expect((await get('crime')).messages).not.toEqual([]);
    const complete = (value: string) =>
      agent.client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: 'genre', value } });
    await expect(complete(own)).rejects.toThrow("Toolkeep's own files");
    expect((await complete('cr')).completion.values).toBeDefined();
  });

  it('does not run if no UI is open, and cannot be allowed in advance', async () => {
    kit.ui.close();
    await expect
      .poll(() => agent.execute('files', 'read_text_file', { path: config }))
      .toContain('APPROVAL_UNAVAILABLE');
    const refusal = await agent.execute('files', 'read_text_file', { path: config });
    expect(refusal).toContain("Toolkeep's own files");
    expect(refusal).not.toContain('toolkeep allow');
  });

  it('differs from a call that names other files, which needs no approval', async () => {
    product.file('project/notes.txt', 'notes');
    expect(await agent.execute('files', 'read_text_file', { path: join(product.home, 'project/notes.txt') })).toContain(
      'notes',
    );
  });
});
