/** A process that edits a client's file is killed at random moments: the file is always the old one or the new one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { applyInstall, installStatus, planInstall, planUninstall } from '../../electron/core/install/install.ts';
import { clientFile, editorHost } from './places.ts';

const original = '{\n  // kept\n  "mcpServers": { "one": { "command": "one" } },\n  "other": [1, 2]\n}\n';
const kills = Number(process.env.GATEHOUSE_KILLS) || 12;
const atOnce = 4;

const started: ChildProcess[] = [];
const roots: string[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function newRoot(text: string): { root: string; file: string } {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-kill-'));
  roots.push(root);
  const file = join(root, clientFile);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return { root, file };
}

function startEditor(role: 'gatehouse' | 'client', root: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'editor.ts'), role, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  return {
    child,
    output: () => output,
    /** Resolves when that many lines were printed. */
    async lines(count: number): Promise<void> {
      while (output.split('\n').length <= count) await once(child.stdout, 'data');
    },
  };
}

async function killAndLook(): Promise<void> {
  const { root, file } = newRoot(original);
  const host = editorHost(root);
  const installed = (await planInstall(host, 'claude-desktop', {})).change.bytes?.toString();
  const editor = startEditor('gatehouse', root);
  await editor.lines(2);
  await delay(Math.random() * 40);
  editor.child.kill('SIGKILL');
  await once(editor.child, 'exit');

  const left = readFileSync(file, 'utf8');
  expect([original, installed]).toContain(left);
  const status = (await installStatus(host)).find(({ client }) => client === 'claude-desktop');
  expect(status?.state).toBe(left === original ? 'absent' : 'installed');
  // And the next one works from there, and cleans up.
  await applyInstall(host, await planInstall(host, 'claude-desktop', {}));
  expect(readFileSync(file, 'utf8')).toBe(installed);
  await applyInstall(host, await planUninstall(host, 'claude-desktop'));
  expect(readFileSync(file, 'utf8')).toBe(original);
  expect(readdirSync(dirname(file))).toEqual(['claude_desktop_config.json']);
}

test(`killed ${kills} times at any moment, the file is the old or the new one, and the next run tells the truth (N5)`, async () => {
  for (let done = 0; done < kills; done += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, kills - done) }, killAndLook));
}, 600_000);

test('two processes of ours and the app itself edit one file at once, and nobody loses what the app wrote', async () => {
  const { root, file } = newRoot('{ "mcpServers": {} }\n');
  const editors = [startEditor('gatehouse', root), startEditor('gatehouse', root)];
  const app = startEditor('client', root);
  await app.lines(120);
  app.child.kill('SIGTERM');
  await once(app.child, 'exit');
  for (const { child } of editors) child.kill('SIGKILL');
  expect(app.output()).not.toContain('lost');
  const counted = [...app.output().matchAll(/^counted (\d+)$/gm)].at(-1)?.[1];
  expect(JSON.parse(readFileSync(file, 'utf8')).count).toBe(Number(counted));
  // They did work beside it, rather than only give way.
  for (const { output } of editors) expect(output()).toContain('written');
});
