/**
 * The main window and the prompt window on real display servers: X11 with a window manager, sway and weston. The stand-in opens
 * them as windows of Chromium.
 *
 * @module-tag stand-in
 * @module-tag exhaustive
 * @module-tag displays
 */

import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../../build/chromium.mjs';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { connectClient } from './client.ts';
import { press } from './driver.ts';
import { testApps } from './test-apps.ts';

const { closers, start } = testApps();
const browser = findBrowser() ?? '';
const run = promisify(execFile);

interface Display {
  env: Record<string, string>;
  /** The titles of the windows, and of the one with the focus; undefined if the display server does not tell. */
  windows?(): Promise<{ titles: string[]; focused: string | undefined }>;
}

function runtimeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-display-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return folder;
}

function startDisplay(
  program: string,
  args: string[],
  env: Record<string, string>,
  stdio: StdioOptions = 'ignore',
): ChildProcess {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio });
  closers.push(() => child.kill());
  return child;
}

/** Xvfb picks a free display and writes its number to descriptor 3 when it is ready. */
async function x11(): Promise<Display> {
  // Without -noreset, the server restarts when its last client leaves, and a client that connects at that moment is lost.
  const options = ['-displayfd', '3', '-noreset', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'];
  const server = startDisplay('Xvfb', options, {}, ['ignore', 'ignore', 'ignore', 'pipe']);
  const [number] = await once(server.stdio[3] as Readable, 'data');
  const env = { DISPLAY: `:${String(number).trim()}`, XDG_SESSION_TYPE: 'x11' };
  const ask = async (program: string, ...args: string[]) =>
    (await run(program, args, { env: { ...process.env, ...env } }).catch(() => ({ stdout: '' }))).stdout;
  startDisplay('openbox', [], env);
  await eventually(async () => (await ask('wmctrl', '-m')).includes('Openbox'), 'the window manager');
  return {
    env,
    async windows() {
      const titles = (await ask('wmctrl', '-l')).trim().split('\n');
      return { titles, focused: (await ask('xdotool', 'getactivewindow', 'getwindowname')).trim() };
    },
  };
}

async function wayland(program: 'sway' | 'weston'): Promise<Display> {
  const XDG_RUNTIME_DIR = runtimeFolder();
  const base = { XDG_RUNTIME_DIR, XDG_SESSION_TYPE: 'wayland' };
  if (program === 'weston') {
    startDisplay('weston', ['--backend=headless-backend.so', '--socket=wl-test', '--idle-time=0'], base);
  } else {
    const config = join(XDG_RUNTIME_DIR, 'config');
    writeFileSync(config, 'focus_on_window_activation focus\n');
    const headless = { WLR_BACKENDS: 'headless', WLR_RENDERER: 'pixman', WLR_LIBINPUT_NO_DEVICES: '1' };
    // sway refuses to run as root.
    const nobody = 65_534;
    const asNobody =
      process.getuid?.() === 0 ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
    if (asNobody.length > 0) chownSync(XDG_RUNTIME_DIR, nobody, nobody);
    const [first = 'sway', ...args] = [...asNobody, 'sway', '-c', config];
    startDisplay(first, args, { ...base, ...headless });
  }
  const socket = await eventually(
    () => readdirSync(XDG_RUNTIME_DIR).find((name) => /^(?:wayland-\d+|wl-test)$/.test(name)),
    'the compositor',
  );
  const env = { ...base, WAYLAND_DISPLAY: socket, DISPLAY: '' };
  if (program === 'weston') return { env };
  return {
    env,
    async windows() {
      const SWAYSOCK = join(XDG_RUNTIME_DIR, readdirSync(XDG_RUNTIME_DIR).find((name) => /^sway-ipc/.test(name)) ?? '');
      const { stdout } = await run('swaymsg', ['-t', 'get_tree', '-r'], { env: { ...process.env, SWAYSOCK } });
      const all: { name?: string; pid?: number; focused: boolean }[] = [];
      const collect = (node: { nodes?: object[]; floating_nodes?: object[] }) => {
        all.push(node as never);
        for (const inner of [...(node.nodes ?? []), ...(node.floating_nodes ?? [])]) collect(inner);
      };
      collect(JSON.parse(stdout));
      const shown = all.filter(({ pid }) => pid !== undefined);
      return { titles: shown.map(({ name }) => String(name)), focused: shown.find(({ focused }) => focused)?.name };
    },
  };
}

describe.each([
  ['X11', 'x11', x11],
  ['sway', 'wayland', () => wayland('sway')],
  ['weston', 'wayland', () => wayland('weston')],
] as const)('On %s', (_name, ozone, open) => {
  it('both windows appear, and the question is in front', { timeout: 120_000 }, async () => {
    const display = await open();
    const connection = { type: 'stdio', ...commands.elicit('legacy') };
    const app = await start({
      env: { ...display.env, TOOLKEEP_STAND_IN_OZONE: ozone, TOOLKEEP_CHROMIUM: browser },
      config: {
        servers: [{ name: 'asker', connection }],
        toolRules: [{ server: 'asker', confirm: 'never', destinations: 'any' }],
      },
    });
    const main = await app.page();
    const look = 'document.visibilityState';
    await expect.poll(() => main.evaluate(look)).toBe('visible');
    if (display.windows)
      await expect.poll(async () => (await display.windows?.())?.titles.join()).toContain('Toolkeep');

    const [window] = await app.desk('windows');
    await app.desk('blurWindow', window?.id ?? 0);
    const client = await connectClient(app);
    closers.push(client.close);
    const result = client.run('asker', 'text');
    const prompt = await app.page('view=questions');
    await prompt.getByRole('button', { name: 'Decline', exact: true }).waitFor();
    await expect.poll(() => prompt.evaluate(look)).toBe('visible');
    if (display.windows)
      await expect.poll(async () => (await display.windows?.())?.focused).toMatch(/question|asker|Toolkeep/i);
    await press(prompt, 'Decline');
    await result;
  });
});
