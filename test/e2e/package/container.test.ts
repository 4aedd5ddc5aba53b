/**
 * Tests the Dockerfile's image: the same files in the same layout, started with the same command, and, where Docker runs,
 * the image itself.
 *
 * @module-tag exhaustive
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, expect, it } from 'vitest';
import { holdDataFolder } from '../../../electron/host/data-folder.ts';
import { commands } from '../../fixtures/commands.ts';

const root = join(import.meta.dirname, '../../..');
const image = mkdtempSync(join(tmpdir(), 'toolkeep-image-'));
afterAll(() => rmSync(image, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

it('The container image serves MCP on stdin and stdout with only the files of the image', async () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const entry: string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]');
  expect(entry).toEqual(['node', '/app/dist/bridge.cjs']);
  cpSync(join(root, 'dist'), join(image, 'app/dist'), { recursive: true });
  for (const name of /cp -r (.*) \/packages\//.exec(dockerfile)?.[1]?.split(' ') ?? [])
    cpSync(join(root, name), join(image, 'app', name), { recursive: true, dereference: true });
  mkdirSync(join(image, 'data'));
  // A TypeScript config needs the only package in the image.
  const connection = { type: 'stdio', ...commands.github() };
  writeFileSync(
    join(image, 'data/config.ts'),
    `const name: string = 'github';\nexport default { approvals: { ask: 'dangerous', destinations: 'any' }, servers: [{ name, connection: ${JSON.stringify(connection)} }] };\n`,
  );
  const client = new Client({ name: 'container', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: entry.slice(1).map((file) => join(image, file)),
      env: {
        PATH: process.env.PATH ?? '',
        HOME: image,
        TOOLKEEP_HOME: join(image, 'data'),
        TOOLKEEP_NO_SHELL_ENV: '1',
      },
    }),
  );
  const call = { server: 'github', tool: 'create_issue', arguments: { repo: 'o/r', title: 'From a container' } };
  const result = await client.callTool({ name: 'execute_tool', arguments: call });
  expect(JSON.stringify(result)).toContain('From a container');
  const invalid = await client.callTool({ name: 'execute_tool', arguments: { ...call, arguments: { repo: 1 } } });
  expect(JSON.stringify(invalid)).toContain('ARGUMENTS_INVALID');
  await client.close();
  // A container ends with its bridge.
  const { pid } = JSON.parse(readFileSync(join(image, 'data/run/core.json'), 'utf8'));
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => existsSync(join(image, 'data/run/core.json'))).toBe(false);
});

it('The image is built from the Dockerfile, and a client lists its tools', {
  timeout: 600_000,
  tags: ['docker'],
}, async () => {
  const tag = 'toolkeep-test';
  const built = spawnSync('docker', ['build', '--tag', tag, '.'], { cwd: root, encoding: 'utf8' });
  expect(built.status, built.stderr).toBe(0);
  const client = new Client({ name: 'container', version: '1' });
  await client.connect(new StdioClientTransport({ command: 'docker', args: ['run', '-i', '--rm', '--init', tag] }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('execute_tool');
  await client.close();
  spawnSync('docker', ['image', 'rm', '--force', tag]);
});

it('A container with the data folder of another computer says so', async () => {
  const dataDir = join(image, 'shared');
  mkdirSync(join(dataDir, 'run'), { recursive: true });
  const core = { pid: process.pid, computer: 'laptop', socket: '/none' };
  writeFileSync(join(dataDir, 'run/core.json'), JSON.stringify(core));
  const release = holdDataFolder(dataDir);
  const client = new Client({ name: 'container', version: '1' });
  const connecting = client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'dist/bridge.cjs')],
      env: { PATH: process.env.PATH ?? '', HOME: image, TOOLKEEP_HOME: dataDir, TOOLKEEP_START_TIMEOUT: '500' },
    }),
  );
  await expect(connecting).rejects.toThrow(`Toolkeep on "laptop" uses the data folder ${dataDir}`);
  release();
});
