/**
 * Attempts to leave the sandbox, and kills at each step of a start. Needs Linux with bubblewrap, socat and Python.
 *
 * @module-tag exhaustive
 * @module-tag bubblewrap
 * @module-tag socat
 * @module-tag openssl
 */

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runToEnd } from '../../../electron/core/servers/sandbox/run-inside.ts';
import { confine } from '../../../electron/core/servers/sandbox/sandbox.ts';
import type { Limits } from '../../../electron/core/servers/types.ts';
import { selfSigned } from '../../fixtures/certificate.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { isAlive, textOf, tryServer } from './server-harness.ts';

const run = promisify(execFile);
const fixture = (name: string) => join(import.meta.dirname, '../../fixtures', name);

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

describe('A confined program', () => {
  test.for(['node', 'python', 'sh'])('in %s leaves the sandbox in no way', async (language) => {
    const { host, given } = await outside();
    const args = [fixture('probe.mjs'), language, JSON.stringify(given)];
    const launch = { command: process.execPath, args, cwd: host.homeDir, env: inherited };
    const confined = await confine(launch, undefined, { host, server: 'probe', limits, onProblem: () => undefined });
    onTestFinished(confined.release);
    expect(await runToEnd(confined, 25_000)).toBe('');
    expect(existsSync(join(host.homeDir, '.bashrc'))).toBe(false);
    // The attempts can succeed: this test, which is outside, reads the canary and connects to the port.
    expect(readFileSync(given.canary, 'utf8')).toBe('canary');
    const reached = connect(given.port, '127.0.0.1');
    await once(reached, 'connect');
    reached.destroy();
  });
});

/** The processes of a confined start, in the order in which they appear. */
const steps = ['launcher', 'namespace', 'relay', 'server'] as const;
const victims = [...steps, 'Core'] as const;

describe('A kill', () => {
  const cases = ['node', 'python', 'sh'].flatMap((language) => victims.map((victim) => ({ language, victim })));
  test.for(cases)(
    'of the $victim at each step releases nothing in $language',
    { timeout: 90_000 },
    async ({ language, victim }) => {
      const { host, given } = await outside();
      const { homeDir, dataDir } = host;
      for (const step of victim === 'Core' ? steps : steps.slice(steps.indexOf(victim))) {
        const args = [fixture('confining-core.ts'), JSON.stringify({ language, outside: given, homeDir, dataDir })];
        const core = spawn(process.execPath, args, { env: inherited, stdio: ['ignore', 'pipe', 'inherit'] });
        let printed = '';
        core.stdout.on('data', (chunk) => (printed += chunk));
        // All processes that the sandbox has write to this output.
        const ended = once(core, 'close');
        const line = await eventually(() => /^.*\n/.exec(printed)?.[0], 'the launcher');
        const { launcher, socket } = JSON.parse(line) as { launcher: number; socket: string };
        while (isAlive(launcher) && processAt(step, launcher) === undefined) await setImmediate();
        kill(victim === 'Core' ? core.pid : processAt(victim, launcher));
        await ended;
        expect(printed, `after ${step}`).toBe(line);
        const folder = dirname(socket);
        await eventually(() => processesWith(folder).length === 0, `the end of all after ${step}`);
        if (victim === 'Core') await startNextCore(dataDir);
        await eventually(() => !existsSync(folder), `the removal of the socket after ${step}`);
        for (const file of ['/proc/net/unix', '/proc/self/mountinfo'])
          expect(readFileSync(file, 'utf8')).not.toContain(folder);
      }
      expect(existsSync(join(homeDir, '.bashrc'))).toBe(false);
    },
  );
});

/** A Core deletes what killed ones have left, and is killed itself. */
async function startNextCore(dataDir: string): Promise<void> {
  const file = join(import.meta.dirname, '../../../electron/core/servers/sandbox/network-proxy.ts');
  const code = `import { startNetworkProxy } from ${JSON.stringify(file)};
    await startNetworkProxy({ host: { dataDir: ${JSON.stringify(dataDir)} }, network: { allow: [] }, onReached() {}, onRefused() {}, onUnknown() {} });
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: 'ignore',
  });
  await once(child, 'exit');
}

describe('A name server that answers none of the hosts of a confined server', () => {
  test('delays no other lookup', async () => {
    const host = testHost();
    onTestFinished(host.dispose);
    const files = {
      '/etc/resolv.conf': 'nameserver 127.0.0.1\noptions timeout:5 attempts:1\n',
      '/etc/nsswitch.conf': 'hosts: files dns\n',
    };
    const binds = Object.entries(files).flatMap(([path, text]) => {
      const file = join(host.homeDir, basename(path));
      writeFileSync(file, text);
      return ['--ro-bind', file, realpathSync(path)];
    });
    const asRoot = ['--unshare-user', '--uid', '0', '--unshare-net', '--cap-add', 'CAP_NET_BIND_SERVICE'];
    const program = [process.execPath, fixture('silent-names.ts'), host.dataDir];
    const { stdout } = await run('bwrap', [...asRoot, '--dev-bind', '/', '/', ...binds, ...program], {
      timeout: 30_000,
    });
    const [address, took] = stdout.split(' ');
    expect([address, Number(took) < 3_000]).toEqual(['192.0.2.1', true]);
  });
});

describe('A secret of a confined server', () => {
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
    expect(textOf(await trial.call('agents', { of: `127.0.0.2:${port}` }))).toBe('200 200');
    expect(printed.split(`Bearer ${token}`)).toHaveLength(4);
  });
});

function certificateFiles(folder: string) {
  const { key, cert } = selfSigned('127.0.0.2');
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
  writeFileSync(files.key, key);
  writeFileSync(files.cert, cert);
  return files;
}

/** Undefined if it does not run yet, or no more. */
function processAt(step: (typeof steps)[number], launcher: number): number | undefined {
  if (step === 'launcher') return programOf(launcher) === 'bwrap' ? launcher : undefined;
  const [program, among] =
    step === 'namespace'
      ? ['bwrap', childrenOf(launcher)]
      : [step === 'relay' ? 'socat' : basename(process.execPath), descendantsOf(launcher)];
  return among.find((pid) => programOf(pid) === program);
}

const programOf = (pid: number) => basename(readProcess(pid, 'cmdline').split('\0', 1)[0] ?? '');
const childrenOf = (pid: number) => readProcess(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
const descendantsOf = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

/** Empty if the process has ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** The processes with this text in their command lines. */
function processesWith(text: string): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => row.includes(text)).map((row) => Number.parseInt(row, 10));
}
