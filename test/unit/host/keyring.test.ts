/**
 * The real Secret Service on a separate session bus: unlocked, locked and absent. Needs gnome-keyring and dbus-run-session.
 *
 * @module-tag keyring
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), 'toolkeep-keyring-'));
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const script = join(home, 'read.mjs');
writeFileSync(
  script,
  `import { createRequire } from 'node:module';
   const { readKeyring } = await import(${JSON.stringify(join(import.meta.dirname, '../../../electron/host/keyring.ts'))});
   const keepAlive = setTimeout(() => {}, 20_000);
   const answer = await readKeyring('/data', process.argv[2]);
   const loaded = Object.keys(createRequire(import.meta.url).cache);
   console.log(JSON.stringify({ ...answer, hasNativeModule: loaded.some((file) => file.includes('keyring')) }));
   clearTimeout(keepAlive);
   process.exit();`,
);

/** The answer of the keyring, after `daemon` has run in the session. */
async function read(daemon: string, newKey: string, config: string[] = []) {
  const command = `${daemon}; exec ${process.execPath} ${script} ${newKey}`;
  const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_RUNTIME_DIR: home };
  const { stdout } = await run('dbus-run-session', [...config, '--', 'sh', '-c', command], { env, timeout: 30_000 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}
const unlocked = 'printf ci | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
const locked = 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1';

describe('The key of the vault', () => {
  it('is kept in the keyring across sessions', async () => {
    expect(await read(unlocked, 'first')).toMatchObject({ state: 'ready', key: 'first' });
    const again = await read(unlocked, 'second');
    expect(again).toMatchObject({ state: 'ready', key: 'first' });
    // The native calls run in a worker, where they cannot block Core.
    expect(again.hasNativeModule).toBe(false);
  });

  it('in a locked keyring is reported as locked and is not replaced', async () => {
    expect(await read(locked, 'third')).toMatchObject({ state: 'locked' });
    expect(await read(unlocked, 'fourth')).toMatchObject({ state: 'ready', key: 'first' });
  });

  it("is absent without Secret Service, and is not stored in the kernel's keyring", async () => {
    const config = join(home, 'bus.conf');
    writeFileSync(
      config,
      `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
       <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
       <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
    );
    const answer = await read('true', 'fifth', [`--config-file=${config}`]);
    expect(answer).toMatchObject({ state: 'absent', reason: expect.stringContaining('org.freedesktop.secrets') });
  });
});

it('The key of the vault is absent if there is no session bus', async () => {
  const { stdout } = await run(process.execPath, [script, 'key'], {
    env: { PATH: process.env.PATH ?? '', HOME: home, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' },
  });
  expect(JSON.parse(stdout)).toMatchObject({ state: 'absent' });
});
