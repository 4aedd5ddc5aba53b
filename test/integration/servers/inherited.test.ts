/**
 * The programs of a confined server inherit little from Core, at each of its steps: the question for its version, the installation
 * of its package, and its start.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runToEnd } from '../../../electron/core/servers/sandbox/run-inside.ts';
import { confine } from '../../../electron/core/servers/sandbox/sandbox.ts';
import type { Limits } from '../../../electron/core/servers/types.ts';
import { testHost } from '../../fixtures/host.ts';

const linux = process.platform === 'linux' ? describe : describe.skip;
const folderOfSandbox = join(import.meta.dirname, '../../../electron/core/servers/sandbox');

/** Writes what it finds to a file of the step: `version`, `install` or `start`. */
const report = (folder: string) => `#!/bin/sh
case "$*" in --version) step=version;; *--package*) step=install;; *) step=start;; esac
{
  echo "environment $(/usr/bin/env | /usr/bin/cut -d= -f1 | /usr/bin/sort | /usr/bin/tr '\\n' ' ')"
  echo "variables $FROM_CORE $FROM_ENTRY"
  read -r _ _ _ _ _ _ terminal _ < /proc/self/stat
  echo "terminal $terminal"
  echo "umask $(umask)"
  echo "folder $(/bin/pwd)"
  while read -r name value; do case $name in SigBlk:|SigIgn:|CapEff:|NoNewPrivs:) echo "$name $value";; esac; done < /proc/$$/status
} > ${folder}/$step 2>&1
`;

async function reports() {
  process.env.FROM_CORE = 'of-core';
  const host = testHost({ env: { FROM_CORE: 'of-core' } });
  const folder = join(host.cwd, 'reports');
  const programs = join(host.cwd, 'programs');
  const keeps = join(host.dataDir, 'kept');
  for (const one of [folder, programs, keeps]) mkdirSync(one);
  for (const name of ['node', 'npx']) writeFileSync(join(programs, name), report(folder), { mode: 0o755 });
  const limits: Limits = { files: { read: [], write: [folder] }, network: { allow: ['api.example.com'] }, keeps };
  const env = { PATH: `${programs}:${process.env.PATH}`, FROM_ENTRY: 'of-entry' };
  const launch = { command: join(programs, 'npx'), args: ['-y', 'some-package'], cwd: folder, env };
  const confined = await confine(launch, folder, { host, server: 'probe', limits, onProblem: () => undefined });
  await runToEnd(confined, 20_000);
  confined.release();
  const found = Object.fromEntries(
    readdirSync(folder).map((step) => {
      const lines = readFileSync(join(folder, step), 'utf8').trim().split('\n');
      return [step, Object.fromEntries(lines.map((line) => line.split(/:?\s(.*)/s).map((one) => one.trim())))];
    }),
  );
  host.dispose();
  return { found, folder };
}

linux('A program of a confined server inherits', { tags: ['bubblewrap', 'socat'] }, () => {
  let given: Awaited<ReturnType<typeof reports>>;
  beforeAll(async () => {
    given = await reports();
  });
  const each = (name: string) =>
    Object.fromEntries(Object.entries(given.found).map(([step, all]) => [step, all[name]]));
  const same = (value: unknown) => ({ version: value, install: value, start: value });

  test('no variable of Core, and for its version none of its entry', () => {
    expect(each('variables')).toEqual({ version: '', install: 'of-entry', start: 'of-entry' });
    expect(given.found.version?.environment).toBe(
      'HOME PATH PWD TMPDIR XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME UV_CACHE_DIR npm_config_cache'
        .split(' ')
        .sort()
        .join(' '),
    );
  });
  test('no terminal', () => expect(each('terminal')).toEqual(same('0')));
  test("the user's umask", () =>
    expect(each('umask')).toEqual(same(`0${process.umask().toString(8).padStart(3, '0')}`)));
  test('its own working folder', () =>
    expect(each('folder')).toMatchObject({ install: given.folder, start: given.folder }));
  test('no blocked or ignored signal', () => {
    for (const name of ['SigBlk', 'SigIgn']) expect(each(name), name).toEqual(same('0000000000000000'));
  });
});

linux('A file that is open where Core starts', { tags: ['bubblewrap'] }, () => {
  test('is open in no server', () => {
    const host = testHost();
    onTestFinished(host.dispose);
    writeFileSync(join(host.homeDir, 'open'), 'canary');
    const file = openSync(join(host.homeDir, 'open'), 'r+');
    onTestFinished(() => closeSync(file));
    const module = JSON.stringify(join(folderOfSandbox, 'run-inside.ts'));
    const code = `import { insideLaunch, runToEnd } from ${module};
      const options = ['--ro-bind', '/', '/', '--proc', '/proc'];
      const command = ['/bin/sh', '-c', 'cat /proc/self/fd/[3-9] /proc/self/fd/??*; ls -l /proc/self/fd; exit 0'];
      console.log(await runToEnd(insideLaunch({ bubblewrap: '/usr/bin/bwrap', options, env: {}, command }), 9_000));`;
    const stdio = ['ignore', 'pipe', 'inherit', file, 'ignore', file, ...Array(10).fill('ignore'), file];
    const inside = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', code], { stdio });
    expect(String(inside)).not.toMatch(/canary|home/);
    expect(String(inside)).toContain(' 0 -> ');
  });
});

test('Only one file of the sandbox starts processes', () => {
  const starting = readdirSync(folderOfSandbox).filter((name) =>
    /child_process|cross-spawn|spawnInGroup\(|worker_threads|process\.execve/.test(
      readFileSync(join(folderOfSandbox, name), 'utf8'),
    ),
  );
  expect(starting).toEqual(['run-inside.ts']);
});
