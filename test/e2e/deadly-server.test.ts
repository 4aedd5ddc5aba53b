/** A server during whose start Core ends cannot end Core at every start. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { commands } from '../fixtures/commands.ts';
import { newProduct } from './product.ts';

/** Kills its Core once. */
const deadly = `const fs = require('node:fs');
if (!fs.existsSync('killed')) {
  fs.writeFileSync('killed', '');
  // The parent of an orphan is the system's first process.
  if (process.ppid > 1) process.kill(process.ppid, 'SIGKILL');
}
process.exit();`;

it('Core ends while a server starts: the next Core starts the others, and this one once the user restarts it', async () => {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  product.file('.toolkeep/config.json', {
    approvals: { ask: 'dangerous', destinations: 'any' },
    servers: [
      {
        name: 'deadly',
        connection: { type: 'stdio', command: process.execPath, args: ['-e', deadly], cwd: product.home },
      },
    ],
  });
  const first = await product.serve();
  if (first.exitCode === null && first.signalCode === null) await once(first, 'exit');
  const marks = () => JSON.parse(readFileSync(join(product.home, '.toolkeep/run/starting.json'), 'utf8')).servers;
  expect(marks()).toEqual(['deadly']);

  const configured = JSON.parse(readFileSync(join(product.home, '.toolkeep/config.json'), 'utf8'));
  configured.servers.push({ name: 'good', connection: { type: 'stdio', ...commands.misbehaving('normal') } });
  product.file('.toolkeep/config.json', configured);
  await product.serve();
  const text = async () => {
    const { stdout } = await product.cli('execute', 'good', 'echo', '--args', '{"text":"served"}');
    return stdout;
  };
  expect(await text()).toContain('served');
  const { stdout } = await product.cli('status');
  expect(stdout).toContain('Toolkeep ended unexpectedly while "deadly" started');
  const { stdout: stdout2 } = await product.cli('restart', 'deadly');
  expect(stdout2).not.toContain('ended unexpectedly');
  while (marks().length > 0) await delay(20);
});
