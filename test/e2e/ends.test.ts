/** However Toolkeep ends in an orderly way, the next one starts every server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commands } from '../fixtures/commands.ts';
import { newProduct, type Product } from './product.ts';

/** More than start at the same time. */
const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const connection = { type: 'stdio', ...commands.misbehaving('normal') };

/** A new home whose servers are listed at each start. */
function newHome(): Product {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  product.file('.toolkeep/config.json', {
    cache: { enabled: false },
    servers: names.map((name) => ({ name, connection })),
  });
  return product;
}

const markFile = ({ home }: Product) => join(home, '.toolkeep/run/starting.json');

function marksOf(product: Product): string[] {
  return existsSync(markFile(product)) ? JSON.parse(readFileSync(markFile(product), 'utf8')).servers : [];
}

async function expectAllStart(product: Product): Promise<void> {
  const { stdout } = await product.cli('list', '--json');
  const { servers } = JSON.parse(stdout) as { servers: { failure?: unknown }[] };
  expect(servers.map(({ failure }) => failure)).toEqual(names.map(() => undefined));
}

const short = ['doctor', 'history', 'config validate', 'grants list'];
it.each(short)('toolkeep %s ends while servers start: none is marked as a crash', async (line) => {
  const product = newHome();
  const { stderr } = await product.cli(...line.split(' '));
  expect(stderr).not.toContain('unexpectedly');
  expect(marksOf(product)).toEqual([]);
  await expectAllStart(product);
});

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
it.each(signals)('%s ends toolkeep serve while servers start: none is marked as a crash', async (signal) => {
  const product = newHome();
  const core = await product.serve();
  core.kill(signal);
  await once(core, 'exit');
  expect(marksOf(product)).toEqual([]);
  await expectAllStart(product);
});

it('SIGINT ends a command that waits for its servers: none is marked as a crash, and none goes on', async () => {
  const product = newHome();
  const { command, args } = product.bridge();
  const launcher = args[0] ?? '';
  const child = spawn(command, [launcher, 'list'], { env: product.env, stdio: 'ignore' });
  await expect.poll(() => existsSync(markFile(product))).toBe(true);
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(130);
  expect(marksOf(product)).toEqual([]);
  await product.nothingLeft();
  await expectAllStart(product);
});

it('An import on the command line ends while the servers start, and leaves no mark and no damaged settings', async () => {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  const { command, args } = commands.misbehaving('normal');
  product.file('.cursor/mcp.json', {
    mcpServers: Object.fromEntries(names.map((name) => [name, { command, args: [...args, `name=${name}`] }])),
  });
  const { stdout } = await product.cli('import', '--all', '--yes');
  expect(stdout).toContain('Imported 8 servers');
  expect(marksOf(product)).toEqual([]);
  await expectAllStart(product);
  const status = await product.cli('status');
  expect(`${status.stdout}${status.stderr}`).not.toMatch(/damaged|unexpectedly/);
});
