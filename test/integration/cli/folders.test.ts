/** Commands in a folder with a configuration, while Core runs elsewhere. */
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newProduct } from '../../e2e/product.ts';
import { runCli } from '../../fixtures/cli-in-process.ts';

const product = newProduct();
const folder = join(realpathSync(product.home), 'shop');

beforeAll(async () => {
  product.file('shop/.toolkeep/config.json', { toolRules: [{ pattern: '*', confirm: 'always' }] });
  await product.serve();
});
afterAll(() => product.dispose());

/** Resolves with the errors of `toolkeep …` in the folder. */
function errorsOf(...words: string[]): Promise<string> {
  const { command, args, env } = product.bridge();
  return new Promise((resolve) => {
    execFile(command, [args[0] as string, ...words], { cwd: folder, env }, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
  });
}

it('A command says that the running Core ignores its folder, before and after the user trusts it', async () => {
  expect((await runCli(product, 'list')).stderr).toBe('');
  const untrusted = await errorsOf('list');
  expect(untrusted).toContain(`Ignored ${join(folder, '.toolkeep/config.json')}. You have not trusted this folder.`);
  const { code, output } = await product.inTerminal('trust', folder, '--yes');
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('It applies after you quit') });
  const trusted = await errorsOf('list');
  expect(trusted).toContain('The running Toolkeep was not started in this folder.');
  expect(trusted).toContain('toolkeep serve');
  expect(await errorsOf('list', '--json')).toContain('Ignored');
});
