/** `toolkeep serve`: what its terminal reports, and that it goes on without the terminal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import coreFlags from '../../electron/core-flags.json' with { type: 'json' };
import { commands } from '../fixtures/commands.ts';
import { newProduct, type Product } from './product.ts';

let product: Product;
beforeEach(() => {
  product = newProduct();
});
afterEach(() => product.dispose());

const file = '.toolkeep/config.json';
const good = { servers: [{ name: 'github', connection: { type: 'stdio', ...commands.github() } }] };
const broken = (mode: string) => JSON.stringify({ ...good, approvals: { mode } }, null, 2);
const linesOf = (output: string) => output.split('\n').filter((line) => line.startsWith('Config: '));

it('A configuration error at run time is reported once with its location and effect, and so is its fix', async () => {
  product.file(file, good);
  const { output } = await product.serve();
  await expect.poll(output).toContain('github: ready');
  expect(product.coreFlags()).toEqual(coreFlags);
  const lines = () => linesOf(output());
  expect(lines()).toEqual([]);

  product.file(file, broken('\u001b[31mred'));
  await expect.poll(() => lines().length).toBe(1);
  expect(lines()[0]).toMatch(
    /^Config: approvals\.mode: .*config\.json, line \d+\)\. The last valid configuration stays/,
  );
  expect(output()).not.toContain('\u001b');
  expect((await product.cli('tools', 'github')).code).toBe(0);

  // The same error is not reported again, but a different one is.
  expect((await product.cli('config', 'reload')).code).toBe(2);
  product.file(file, '{ "servers": [');
  await expect.poll(() => lines().length).toBe(2);
  expect(lines()[1]).toMatch(/config\.json is not valid JSON: on line 1 .* The last valid/);

  product.file(file, good);
  await expect.poll(() => lines().length).toBe(3);
  expect(lines()[2]).toBe('Config: valid again and applied.');
});

it('A configuration error at the start is reported with its effect, without the welcome message', async () => {
  product.file(file, broken('maybe'));
  const { output } = await product.serve();
  await expect.poll(() => linesOf(output()).length).toBe(1);
  expect(linesOf(output())[0]).toMatch(/line \d+\)\. Until you fix it, its servers do not run/);
  expect(output()).not.toContain('No servers yet');
  product.file(file, good);
  await expect.poll(output).toContain('github: ready');
  expect(linesOf(output())).toHaveLength(2);
});

it('Output that is not a terminal has an address without a code, and says which command prints the complete one', async () => {
  const { output } = await product.serve();
  await expect.poll(output).toContain('Run `toolkeep serve` in a terminal: it prints the complete address.');
  expect(output()).not.toContain('#code=');
});

it('Core goes on quietly if the terminal has gone', async () => {
  product.file(file, good);
  const { stdout, stderr } = await product.serve();
  stdout?.destroy();
  stderr?.destroy();
  const log = () => readFileSync(join(product.home, '.toolkeep/logs/toolkeep.log'), 'utf8');
  const gone = { name: 'gone', connection: { type: 'stdio', command: '/nonexistent' } };
  product.file(file, { servers: [...good.servers, gone] });
  await expect.poll(log).toContain('"gone"');
  product.file(file, broken('red'));
  await expect.poll(log).toContain('approvals.mode');
  expect((await product.cli('tools', 'github')).code).toBe(0);
  expect(log()).not.toContain('EPIPE');
});
