/** A client that connects gives its servers to Toolkeep, except those that never started there. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { installChoiceSchema } from '../../../shared/model/install.ts';
import { type Command, commands } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';

test('A server that never started in Toolkeep stays in the file of its client', async () => {
  const { core, host, view } = await startCore([]);
  const crasher = { command: process.execPath, args: ['-e', 'process.exit(3)'] };
  mkdirSync(join(host.homeDir, '.cursor'), { recursive: true });
  const file = join(host.homeDir, '.cursor/mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { memory: commands.memory(), crasher } }));
  const { entries } = await core.handlers['import.plan']({});
  await core.handlers['import.apply']({ entries: entries.map(({ id }) => id), moveSecrets: false });
  await expect.poll(() => view('crasher').status).toBe('failed');
  await expect.poll(() => view('memory').toolCount).toBeGreaterThan(0);

  const choice = installChoiceSchema.parse({ client: 'cursor', moveServers: true });
  const plan = await core.handlers['install.plan'](choice);
  expect(plan).toMatchObject({
    moved: ['memory'],
    warnings: ['Stays in Cursor until it starts in Toolkeep: crasher.'],
  });
  await core.handlers['install.apply']({ ...choice, token: plan.token });
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
  expect(mcpServers).toEqual({ crasher, toolkeep: expect.anything() });
});

test('The servers of both places in the file of opencode move to Toolkeep', async () => {
  const { core, host, view } = await startCore([]);
  const file = join(host.homeDir, '.config/opencode/opencode.json');
  mkdirSync(dirname(file), { recursive: true });
  const local = ({ command, args }: Command) => ({ type: 'local', command: [command, ...args] });
  const servers = { inner: local(commands.github()) };
  writeFileSync(file, JSON.stringify({ mcp: { outer: local(commands.memory()), servers, timeout: 9_000 } }));
  const { entries } = await core.handlers['import.plan']({});
  await core.handlers['import.apply']({ entries: entries.map(({ id }) => id), moveSecrets: false });
  for (const name of entries.map(({ server }) => server.name))
    await expect.poll(() => view(name).toolCount).toBeGreaterThan(0);

  const choice = installChoiceSchema.parse({ client: 'opencode', moveServers: true });
  const { token } = await core.handlers['install.plan'](choice);
  await core.handlers['install.apply']({ ...choice, token });
  const { mcp } = JSON.parse(readFileSync(file, 'utf8'));
  expect(mcp).toEqual({ servers: {}, timeout: 9_000, toolkeep: expect.anything() });
});

test('Servers of one name in two clients both move, although Toolkeep renamed one of them', async () => {
  const { core, host, view } = await startCore([]);
  const files = ['.cursor/mcp.json', '.codeium/windsurf/mcp_config.json'].map((path) => join(host.homeDir, path));
  for (const [index, file] of files.entries()) {
    mkdirSync(dirname(file), { recursive: true });
    const notes = commands.misbehaving('normal', `name=notes${index}`);
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { notes, Toolkeep: commands.misbehaving('normal', `name=${index}`) } }),
    );
  }
  const { entries } = await core.handlers['import.plan']({});
  await core.handlers['import.apply']({ entries: entries.map(({ id }) => id), moveSecrets: false });
  const names = (await core.handlers['servers.list']()).map(({ id }) => id);
  expect(names).toContain('notes-2');
  for (const name of names) await expect.poll(() => view(name).toolCount).toBeGreaterThan(0);

  for (const [index, client] of ['cursor', 'windsurf'].entries()) {
    const choice = installChoiceSchema.parse({ client, moveServers: true });
    const { token, moved } = await core.handlers['install.plan'](choice);
    expect(moved).toContain('notes');
    await core.handlers['install.apply']({ ...choice, moveServers: moved, token });
    const { mcpServers } = JSON.parse(readFileSync(files[index] ?? '', 'utf8'));
    expect(Object.keys(mcpServers)).not.toContain('notes');
  }
});
