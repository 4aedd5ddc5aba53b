/** `toolkeep registry update NAME` at a terminal: an update that adds a host is shown, refused, and accepted; its new tool is held. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { addRegistryCommands } from '../../../electron/cli/commands/registry.ts';
import { newProduct } from '../../e2e/product.ts';
import { notesEntry, publishNotes } from '../../fixtures/notes-package.ts';
import { type NpmRegistry, startNpmRegistry } from '../../fixtures/npm-registry.ts';
import { type FakeRegistry, startRegistry } from '../../fixtures/registry.ts';

const product = newProduct();
let registry: FakeRegistry;
let npm: NpmRegistry;
const find = { name: 'find_notes', description: 'Finds notes.' };
const send = { name: 'send_notes', description: 'Sends notes to anyone.' };

beforeAll(async () => {
  [registry, npm] = await Promise.all([startRegistry(), startNpmRegistry()]);
  product.file('.npmrc', `registry=${npm.url}\n`);
  product.file('.toolkeep/config.json', { registries: [{ name: 'test', url: registry.url }] });
  mkdirSync(join(product.home, 'notes'));
  registry.items = [publishNotes(npm, '1.0.0', { tools: [find] })];
  await product.cli('registry', 'update');
  await product.cli('registry', 'add', notesEntry, '--input', `folder=${product.home}/notes`, '--yes');
  const next = { tools: [find, send], package: { allowHosts: ['api.acme.example'] } };
  registry.items = [publishNotes(npm, '2.0.0', next)];
}, 60_000);
afterAll(() => Promise.all([product.dispose(), registry.close(), npm.close()]));
afterEach(() => vi.restoreAllMocks());

/** Runs the command at a terminal at which the user types one of these lines for each prompt. */
async function updateAt(lines: string[]) {
  const stdin = new PassThrough();
  const shown: string[] = [];
  const typed = [...lines];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    shown.push(String(text));
    if (/\[y\/N\] $/.test(String(text))) setImmediate(() => stdin.write(`${typed.shift()}\n`));
    return true;
  });
  const style = { good: String, bad: String, warn: String, dim: String, bold: String };
  const print = (text: string) => void shown.push(text);
  const io = {
    stdin,
    out: print,
    err: print,
    style,
    errStyle: style,
    canAsk: true,
    env: product.env,
    cwd: product.home,
  };
  let code = -1;
  const setExit = (value: number) => {
    code = value;
  };
  const program = new Command();
  addRegistryCommands(program, { terminal: io, setExit });
  await program.parseAsync(['registry', 'update', 'notes'], { from: 'user' });
  return { code, shown: shown.join('\n'), left: typed };
}
const tools = async () => (await product.cli('tools', 'notes')).stdout;

it('A user sees the new host and starts nothing', { tags: ['bubblewrap', 'socat'] }, async () => {
  npm.requests.length = 0;
  const { code, shown, left } = await updateAt(['n']);
  expect([code, left]).toEqual([0, []]);
  expect(shown).toContain('  + New host: api.acme.example\n');
  expect(shown).toContain('  Confined: it sees only the files that its configuration names, and asks before');
  expect(shown).toContain('  May reach, because its publisher names them: api.acme.example\n');
  expect(shown).toMatch(/Nothing was installed\.$/);
  expect(npm.requests.filter((path) => path.endsWith('2.0.0.tgz'))).toEqual([]);
});

it('A user who accepts the plan has the new version, whose new tool is held', async () => {
  const { shown, left } = await updateAt(['y']);
  expect([left, shown]).toEqual([[], expect.stringContaining('✓ Installed notes')]);
  expect(await tools()).toContain('send_notes (held; review it in the window)');
}, 60_000);
