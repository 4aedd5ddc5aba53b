/** `toolkeep doctor`: how Toolkeep runs here, and the checks of the last smoke run. */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { newProduct } from '../../e2e/product.ts';
import { runCli } from '../../fixtures/cli-in-process.ts';

it('toolkeep doctor shows the binary, the session, the keyring and each check of the smoke run, and fails if one failed', async () => {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  mkdirSync(join(product.home, '.toolkeep'));
  Object.assign(product.env, { XDG_SESSION_TYPE: 'wayland', XDG_CURRENT_DESKTOP: 'sway' });
  const before = await runCli(product, 'doctor');
  expect(before).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No smoke run has checked this installation.'),
  });
  expect(before.stdout).toContain(`Binary   ${process.execPath} (Node.js ${process.versions.node})`);
  expect(before.stdout).toMatch(/Session {2}linux .*, wayland, desktop sway/);
  expect(before.stdout).toMatch(/Secrets {2}\S/);

  product.file('.toolkeep/smoke-report.json', {
    subject: '/opt/Toolkeep/toolkeep-app',
    at: '2026-11-25T10:00:00.000Z',
    results: [
      { name: 'The signature is intact', result: 'passed', detail: 'valid', milliseconds: 3 },
      { name: 'The keyring seals secrets', result: 'failed', detail: 'expected true, got false', milliseconds: 4 },
    ],
    notRun: [{ name: 'Everything on macOS', needs: 'macOS' }],
  });
  const after = await runCli(product, 'doctor');
  expect(after.code).toBe(3);
  for (const line of [
    'Smoke run of /opt/Toolkeep/toolkeep-app, 2026-11-25T10:00:00.000Z:',
    '✓ The signature is intact',
    '✗ The keyring seals secrets: expected true, got false',
    '- Everything on macOS: not checked, needs macOS',
  ])
    expect(after.stdout).toContain(line);
  expect(JSON.parse((await runCli(product, 'doctor', '--json')).stdout)).toMatchObject({
    smoke: { results: [{}, {}] },
  });
});

it('toolkeep doctor prints the command that allows what was refused without a window', {
  timeout: 60_000,
  tags: ['bubblewrap', 'socat'],
}, async () => {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  const args = [join(import.meta.dirname, '../../fixtures/confined.mjs')];
  product.file('.toolkeep/config.json', {
    servers: [
      { name: 'notes', command: process.execPath, args, sandbox: 'auto' },
      { name: 'box', command: 'docker', args: ['run', 'image'], enabled: false },
    ],
    approvals: { ask: 'dangerous', destinations: 'any' },
  });
  product.file('Pictures/file', 'a picture');
  await product.serve();
  const folder = join(realpathSync(product.home), 'Pictures');
  const read = () =>
    runCli(product, 'execute', 'notes', 'read', '--args', JSON.stringify({ of: join(folder, 'file') }));
  expect(Object.values(await read()).join()).toContain('ENOENT');
  const command = `toolkeep allow notes --destination files=${folder}`;
  const { stdout } = await runCli(product, 'doctor');
  expect(stdout).toContain(`To allow one:\n  ${command}`);
  expect(stdout).toContain('Servers that are not confined:\n  box: it runs in a container');
  expect(JSON.parse((await runCli(product, 'doctor', '--json')).stdout).refused).toEqual([
    { server: 'notes', destination: `files=${folder}` },
  ]);
  expect((await product.inTerminal(...command.split(' ').slice(1))).code).toBe(0);
  expect((await read()).stdout).toContain('a picture');
  expect((await runCli(product, 'doctor')).stdout).not.toContain('To allow one');
});

it('list, search and doctor say in one sentence why no tool runs, and search names a server that failed', async () => {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  const crasher = { name: 'crasher', command: process.execPath, args: ['-e', 'process.exit(3)'] };
  product.file('.toolkeep/guard.mjs', "export default { name: 'guard', transformTools: (tools) => tools };");
  product.file('.toolkeep/config.json', { servers: [crasher], plugins: [{ path: './guard.mjs', required: true }] });
  await product.serve();
  for (const words of [['list'], ['search', 'issue'], ['doctor']]) {
    const { stdout, stderr } = await runCli(product, ...words);
    expect(`${stdout}${stderr}`).toContain('A required plug-in cannot be used, so Toolkeep hides every tool.');
    if (words[0] !== 'list')
      expect(`${stdout}${stderr}`).toContain('Not searched, because they failed: crasher (SERVER_CRASHED).');
  }
});
