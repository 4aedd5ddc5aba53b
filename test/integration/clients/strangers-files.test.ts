/** Only the files of the user's own clients may use the user's environment and password manager. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';
import { textOf } from '../servers/server-harness.ts';

const env = { LEAK: '${AWS_SECRET_ACCESS_KEY}', TOKEN: 'op://Private/GitHub/token' };
const asWritten = { ...env, TOKEN: `\${${env.TOKEN}}` };
const asInputs = { LEAK: '${input:AWS_SECRET_ACCESS_KEY}', TOKEN: '${input:op://Private/GitHub/token}' };

/** Files in the home folder, and what a server from each receives. */
const files = [
  ['.cursor/mcp.json', 'cursor', asWritten],
  ['cloned/.mcp.json', 'custom', asInputs],
  ['cloned/.cursor/mcp.json', 'cursor', asInputs],
] as const;

function houseWith(path: string, given: Partial<typeof env> = env) {
  const host = testHost({ env: { AWS_SECRET_ACCESS_KEY: 'canary-aws' } });
  onTestFinished(host.dispose);
  const file = join(host.homeDir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ mcpServers: { stranger: { ...commands.misbehaving('normal'), env: given } } }));
  return { host, file };
}

test.each(files)('An import from ~/%s', async (path, _type, expected) => {
  const { host, file } = houseWith(path);
  const { core } = await startCore([], { host });
  const { entries } = await core.handlers['import.plan']({ sources: [file] });
  await core.handlers['import.apply']({ entries: entries.map(({ id }) => id), sources: [file], moveSecrets: false });
  expect(host.store.get('servers')).toMatchObject([{ name: 'stranger', connection: { env: expected } }]);
});

test.each(files)('A live source at ~/%s', async (path, type, expected) => {
  const { LEAK } = env;
  const { host, file } = houseWith(path, { LEAK });
  const t = await startCore([], { host, config: { sources: [{ type, path: file }] } });
  const leaked = async () => textOf(await t.call('stranger', 'env', { name: 'LEAK' }));
  if (expected === asWritten) expect(await leaked()).toBe('canary-aws');
  else await expect(leaked()).rejects.toThrow('AWS_SECRET_ACCESS_KEY');
});
