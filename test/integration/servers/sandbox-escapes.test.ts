/** Attempts to leave the sandbox, and kills at each step of a start. Needs Linux with bubblewrap, socat and Python. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endGroup } from '../../../electron/core/servers/process/process-group.ts';
import { confine } from '../../../electron/core/servers/sandbox/sandbox.ts';
import type { Limits } from '../../../electron/core/servers/types.ts';
import { selfSigned } from '../../fixtures/certificate.ts';
import { testHost } from '../../fixtures/host.ts';
import { eventually, isAlive, textOf, tryServer } from './server-harness.ts';

const run = promisify(execFile);
const fixture = (name: string) => join(import.meta.dirname, '../../fixtures', name);
const linux = process.platform === 'linux' ? describe : describe.skip;

const limits: Limits = { files: { read: [], write: [] }, network: { allow: ['api.example.com'] } };

/** Files, sockets, a port and a process outside of the sandbox. */
async function outside() {
  const host = testHost();
  onTestFinished(host.dispose);
  const canary = join(host.homeDir, 'secret', 'canary');
  mkdirSync(dirname(canary));
  writeFileSync(canary, 'canary');
  const socket = join(host.homeDir, 's');
  const abstract = `toolkeep-${process.pid}-${Date.now()}`;
  const listening = [socket, `\0${abstract}`].map((path) => createServer((one) => one.end()).listen(path));
  // Another process, because Toolkeep's own ports are refused for another reason.
  const code =
    "require('net').createServer((one) => one.end()).listen(0, '::', function () { console.log(this.address().port) })";
  const other = spawn(process.execPath, ['-e', code], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(other.stdout, 'data')) as [Buffer];
  onTestFinished(() => {
    for (const one of listening) one.close();
    other.kill();
  });
  const given = { canary, home: host.homeDir, socket, abstract, port: Number(port), group: other.pid, core: other.pid };
  return { host, given };
}

const inherited = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' };

linux('A confined program', () => {
  test.for(['node', 'python', 'sh'])('in %s leaves the sandbox in no way', async (language) => {
    const { host, given } = await outside();
    const args = [fixture('probe.mjs'), language, JSON.stringify(given)];
    const launch = { command: process.execPath, args, cwd: host.homeDir, env: inherited };
    const confined = await confine(launch, undefined, { host, server: 'probe', limits, onProblem: () => undefined });
    onTestFinished(confined.release);
    const { command, args: inside, env, cwd } = confined;
    expect((await run(command, inside, { env, cwd, timeout: 25_000 })).stdout).toBe('');
    expect(existsSync(join(host.homeDir, '.bashrc'))).toBe(false);
    // The attempts can succeed: this test, which is outside, reads the canary and connects to the port.
    expect(readFileSync(given.canary, 'utf8')).toBe('canary');
    const reached = connect(given.port, '127.0.0.1');
    await once(reached, 'connect');
    reached.destroy();
  });

  test.for([0, 5, 15, 30, 60, 120, 250])('that is killed after %i ms leaves nothing', async (afterMs) => {
    const { host } = await outside();
    const args = ['-e', 'setInterval(() => {}, 1000)'];
    const launch = { command: process.execPath, args, cwd: host.homeDir, env: inherited };
    const confined = await confine(launch, undefined, { host, server: 'probe', limits, onProblem: () => undefined });
    const socket = confined.args.find((one) => one.includes('toolkeep-proxy-')) ?? '';
    const child = spawn(confined.command, confined.args, {
      env: confined.env,
      cwd: '/',
      detached: true,
      stdio: 'ignore',
    });
    await delay(afterMs);
    const all = processesWith(socket);
    await killed(child);
    // Like the transport of a server: bubblewrap may have died before its child asked to die with it.
    await endGroup(child.pid ?? 0, 100);
    confined.release();
    await eventually(() => all.filter(isAlive).length === 0 && processesWith(socket).length === 0, 'the end of all');
    await eventually(() => !existsSync(dirname(socket)), 'the removal of the socket');
  });
});

linux('A Core that is killed', () => {
  test('leaves a folder that the next one deletes', async () => {
    const file = join(import.meta.dirname, '../../../electron/core/servers/sandbox/network-proxy.ts');
    const code = `import { startNetworkProxy } from ${JSON.stringify(file)};
      const proxy = await startNetworkProxy({ network: { allow: [] }, onReached() {}, onRefused() {} });
      console.log(proxy.socket); process.kill(process.pid, 'SIGKILL');`;
    const run = () => {
      const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return once(child.stdout, 'data').then(([line]) => dirname(String(line).trim()));
    };
    const first = await run();
    expect(first.startsWith(tmpdir())).toBe(true);
    await run();
    expect(existsSync(first)).toBe(false);
  });
});

linux('A secret of a confined server', () => {
  test('reaches its host, and is nowhere in the server', async () => {
    const token = `ghp_${'Canary0123456789'.repeat(2)}abcd`;
    const host = testHost();
    const { key, cert } = certificateFiles(host.homeDir);
    const upstream = spawn(process.execPath, [fixture('echo-host.mjs'), '127.0.0.2', cert, key], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void upstream.kill());
    let printed = '';
    upstream.stdout.on('data', (chunk) => (printed += chunk));
    const port = await eventually(() => /^\d+/.exec(printed)?.[0], 'the port');
    const sandbox = {
      files: { read: [], write: [] },
      network: { allow: [`127.0.0.2:${port}`] },
      secrets: { API_TOKEN: { hosts: [`127.0.0.2:${port}`] } },
    };
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, readFileSync(cert, 'utf8')]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const trial = tryServer(
      { command: process.execPath, args: [fixture('confined.mjs')], env: { API_TOKEN: token } },
      { host, server: { sandbox } },
    );
    const fake = textOf(await trial.call('environment', { of: 'API_TOKEN' }));
    expect(fake).toMatch(/^ghp_/);
    expect(fake).toHaveLength(token.length);
    for (const pid of processesWith('confined.mjs'))
      for (const file of ['environ', 'cmdline'])
        expect(readFileSync(`/proc/${pid}/${file}`, 'latin1')).not.toContain(token);
    const answer = textOf(await trial.call('authorized', { of: `127.0.0.2:${port}` }));
    expect(printed).toContain(`Bearer ${token}`);
    expect(answer).toBe(`200 Bearer ${fake}`);
  });
});

function certificateFiles(folder: string) {
  const { key, cert } = selfSigned('127.0.0.2');
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
  writeFileSync(files.key, key);
  writeFileSync(files.cert, cert);
  return files;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(child.pid, 'SIGKILL');
  await ended;
}

/** The processes with this text in their command lines. */
function processesWith(text: string): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => row.includes(text)).map((row) => Number.parseInt(row, 10));
}
