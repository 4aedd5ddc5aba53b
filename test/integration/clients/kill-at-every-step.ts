/** Kills processes that edit a client's file, and checks the file and the next run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { applyInstall, installStatus } from '../../../electron/core/clients/install/install.ts';
import { planInstall, planUninstall } from '../../../electron/core/clients/plan-install.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

const editor = join(import.meta.dirname, '../../fixtures/editor.ts');
/** The compile cache makes the many short runs of one script three times as fast. */
const cache = mkdtempSync(join(tmpdir(), 'toolkeep-compiled-'));
/** Deletes the compile cache. Call this at the end, because the killed processes cannot delete it. */
export const forgetCompiled = () => rmSync(cache, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
const client = 'cursor';
const text = `{\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "x" }, // about a\r\n\t\t"long": "${'x'.repeat(20_000)}"\r\n\t}\r\n}\r\n`;

type Action = 'install' | 'uninstall' | 'undo';

export interface Outcome {
  file: 'old' | 'new' | 'damaged';
  /** True if the next run knows the file's state and can still restore the old bytes. */
  isTold: boolean;
  /** True if no temporary file is left after that run. */
  isTidy: boolean;
}

interface Trial {
  host: TestHost;
  file: string;
  entered: Buffer;
  root: string;
}

/** A home folder with a client's file; with `entered`, Toolkeep is already installed in it. */
async function newTrial(isEntered: boolean): Promise<Trial> {
  const root = mkdtempSync(join(tmpdir(), 'toolkeep-killed-'));
  const [homeDir, dataDir] = [join(root, 'home'), join(root, 'data')];
  for (const folder of [homeDir, dataDir]) mkdirSync(folder);
  const spare = testHost();
  const host = { ...spare, homeDir, dataDir, platform: 'linux' as const };
  spare.dispose();
  const { file } = await planInstall(host, client, {});
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  const plan = await planInstall(host, client, {});
  const entered = plan.change.bytes ?? Buffer.alloc(0);
  if (isEntered) await applyInstall(host, plan);
  return { host, file, entered, root };
}

function startEditor({ host, root }: Trial, action: string, step = 0) {
  const child = spawn(process.execPath, [editor, host.homeDir, host.dataDir, client, action, String(step)], {
    env: { ...process.env, TMPDIR: root, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(output)));
  return { child, ended };
}

async function outcomeOf({ host, file, entered }: Trial): Promise<Outcome> {
  const bytes = readFileSync(file);
  const isNew = bytes.equals(entered);
  if (!isNew && bytes.toString() !== text) return { file: 'damaged', isTold: false, isTidy: false };
  const state = (await installStatus(host)).find((status) => status.client === client)?.state;
  const { bytes: left } = (await planUninstall(host, client)).change;
  const isTold = state === (isNew ? 'installed' : 'absent') && left?.toString() === text;
  return { file: isNew ? 'new' : 'old', isTold, isTidy: readdirSync(dirname(file)).length === 1 };
}

async function inTrial<T>(isEntered: boolean, work: (trial: Trial) => Promise<T>): Promise<T> {
  const trial = await newTrial(isEntered);
  try {
    return await work(trial);
  } finally {
    rmSync(trial.root, { recursive: true, force: true });
  }
}

/** The number of disk operations of `action`. */
function stepsOf(action: Action): Promise<number> {
  return inTrial(action !== 'install', async (trial) => Number(await startEditor(trial, action).ended));
}

/** The results of killing `action` at each of its steps, in order. */
export async function killAtEveryStep(action: Action): Promise<Outcome[]> {
  const limit = pLimit(3);
  const steps = Array.from({ length: await stepsOf(action) }, (_, index) => index + 1);
  const kill = (step: number) =>
    inTrial(action !== 'install', async (trial) => {
      const { child, ended } = startEditor(trial, action, step);
      await ended;
      if (child.signalCode !== 'SIGKILL') throw new Error(`Step ${step} of ${action} never came.`);
      return outcomeOf(trial);
    });
  return Promise.all(steps.map((step) => limit(() => kill(step))));
}

/** The results of killing a process that installs and uninstalls continuously, at random moments. */
export async function killAtRandom(times: number): Promise<Outcome[]> {
  const limit = pLimit(3);
  const kill = () =>
    inTrial(false, async (trial) => {
      const { child, ended } = startEditor(trial, 'toggle');
      await once(child.stdout, 'data');
      await delay(Math.random() * 60);
      child.kill('SIGKILL');
      await ended;
      return outcomeOf(trial);
    });
  return Promise.all(Array.from({ length: times }, () => limit(kill)));
}
