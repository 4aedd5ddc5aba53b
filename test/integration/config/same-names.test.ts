/** Two sources may have servers with the same name: Toolkeep keeps both, under distinct names. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

const server = (prefix: string) => {
  const { command, args } = commands.misbehaving('normal', `prefix=${prefix}`);
  return { command, args };
};

test('Two different servers with the same name are kept from two sources, and the validation reports their names', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const file = (name: string, servers: object) => {
    const path = join(host.homeDir, name);
    writeFileSync(path, JSON.stringify({ mcpServers: servers }));
    return path;
  };
  const desktop = file('desktop.json', { github: server('work'), shared: server('same'), mine: server('theirs') });
  const cursor = file('cursor.json', { github: server('private'), shared: server('same') });
  const team = file('team.json', { github: server('team') });
  const sources = [
    { type: 'claude-desktop', path: desktop },
    { type: 'cursor', path: cursor },
    { type: 'cursor', path: team },
  ];
  const t = await startCore([], { host, config: { sources, servers: { mine: server('mine') } } });
  const names = async () => (await t.core.handlers['servers.list']()).map(({ id }) => id).sort();
  expect(await names()).toEqual(['github', 'github-cursor', 'github-cursor-2', 'mine', 'shared']);
  expect(t.view('github').target).toContain('prefix=work');
  expect(t.view('github-cursor').target).toContain('prefix=private');
  expect(t.view('github-cursor-2').target).toContain('prefix=team');
  expect(t.view('mine').target).toContain('prefix=mine');
  const { valid, warnings } = await t.core.handlers['config.validate']();
  expect(valid).toBe(true);
  const sentence = (path: string, name: string) =>
    `The server "github" of cursor (${path}) is named "${name}" here, because claude-desktop has a different server with that name.`;
  expect(warnings).toEqual([sentence(cursor, 'github-cursor'), sentence(team, 'github-cursor-2')]);
});
