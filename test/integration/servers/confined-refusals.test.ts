/**
 * Servers that cannot be confined are not started, on any system: each test has programs in place of the real ones.
 *
 * @module-tag exhaustive
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../shared/model/sandbox.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { failureOf, tryServer } from './server-harness.ts';

const command = { command: process.execPath, args: [join(import.meta.dirname, '../../fixtures/confined.mjs')] };

describe('A server that cannot be confined', () => {
  /** The folder of these programs, which run instead of the real ones. */
  function folderWith(host: TestHost, programs: Record<string, string>): string {
    const folder = join(host.cwd, 'bin');
    mkdirSync(folder);
    for (const [name, content] of Object.entries(programs))
      writeFileSync(join(folder, name), `#!/bin/sh\n${content}\n`, { mode: 0o755 });
    return folder;
  }

  async function refusal(sandbox: Sandbox, programs: Record<string, string>, platform: NodeJS.Platform = 'linux') {
    const host = testHost({ platform });
    const env = { ...host.env, PATH: folderWith(host, programs) };
    const trial = tryServer(command, { host: { ...host, env }, server: { sandbox } });
    const failure = await failureOf(trial.handle.start());
    expect(failure.code).toBe('SERVER_SPAWN_FAILED');
    expect(trial.handle.state).toMatchObject({ status: 'failed', failure });
    expect(trial.states.flatMap(({ pid }) => pid ?? [])).toEqual([]);
    return `${failure.message} ${failure.hint}`;
  }
  const cannot = '"trial" cannot be confined, so it was not started: ';
  const remove = "remove `sandbox` from the server's configuration";
  const works = { bwrap: 'exit 0' };

  test('is not started without bubblewrap or socat, and says how to install it', async () => {
    const install = (name: string) => `Install it (Debian, Ubuntu: \`sudo apt install ${name}\`), or ${remove}.`;
    expect(await refusal(true, {})).toBe(`${cannot}bubblewrap was not found. ${install('bubblewrap')}`);
    const network: Sandbox = { files: { read: [], write: [] }, network: { allow: ['example.com'] } };
    expect(await refusal(network, works)).toBe(`${cannot}socat was not found. ${install('socat')}`);
  });

  test('is not started where the system forbids namespaces, and says why', async () => {
    const bwrap = 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1';
    const text = await refusal(true, { bwrap });
    expect(text).toContain(`${cannot}bubblewrap does not work here (setting up uid map: Permission denied).`);
    expect(text).toContain('sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict');
  });

  test('is not started if its command starts a container', async () => {
    const host = testHost();
    const env = { ...host.env, PATH: folderWith(host, { ...works, docker: 'exit 0' }) };
    const docker = { command: 'docker', args: ['run', 'image'] };
    const trial = tryServer(docker, { host: { ...host, platform: 'linux', env }, server: { sandbox: true } });
    expect((await failureOf(trial.handle.start())).message).toContain('it runs in a container');
  });

  test('is not started with a variable that would end an argument of bubblewrap', async () => {
    const host = testHost();
    const env = { ...host.env, PATH: folderWith(host, works) };
    const injecting = { ...command, env: { A: 'x\0--bind\0/\0/' } };
    const trial = tryServer(injecting, { host: { ...host, platform: 'linux', env }, server: { sandbox: true } });
    expect((await failureOf(trial.handle.start())).message).toContain('the variable "A" contains a NUL character');
  });

  test('is not started on macOS and Windows', async () => {
    for (const platform of ['darwin', 'win32'] as const)
      expect(await refusal(true, works, platform)).toContain('Toolkeep can confine servers only on Linux');
  });

  test('is not started with paths that do not exist, or that contain the home folder or files of Toolkeep', async () => {
    const reading = (path: string): Sandbox => ({ files: { read: [path], write: [] }, network: { allow: [] } });
    expect(await refusal(reading('~/missing'), works)).toContain('/missing does not exist');
    const contains = 'contains your home folder or files of Toolkeep';
    for (const path of ['/', tmpdir(), '~/.', '~/../data', '~/../data/run'])
      expect(await refusal(reading(path), works), path).toContain(contains);
  });

  test('is stopped by an engine that fails after its first check, and does not run', async () => {
    const host = testHost();
    const marker = join(host.cwd, 'checked');
    const bwrap = `[ -e '${marker}' ] && { echo 'bwrap: out of memory' >&2; exit 1; }\necho > '${marker}'`;
    const env = { ...host.env, PATH: `${folderWith(host, { bwrap })}${delimiter}${host.env.PATH}` };
    const { handle } = tryServer(command, { host: { ...host, platform: 'linux', env }, server: { sandbox: true } });
    const failure = await failureOf(handle.start());
    expect(failure).toMatchObject({
      code: 'SERVER_CRASHED',
      message: expect.stringContaining('out of memory'),
      hint: expect.stringContaining('It ran confined.'),
    });
    expect(handle.state).not.toHaveProperty('isConfined');
  });
});
