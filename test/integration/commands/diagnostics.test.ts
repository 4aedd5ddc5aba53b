/** Diagnostics: useful for a bug report, without private data in any part. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Core, createCore } from '../../../electron/core/core.ts';
import type { Sealer } from '../../../electron/core/host.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { memorySealer, type TestHost, testHost } from '../../fixtures/host.ts';

const user = 'zaphodb';
const keyring: Sealer = { ...memorySealer(), persistent: true, label: 'test keyring' };
/** Prints its arguments, then fails. */
const talkative = ['-e', 'console.error(process.argv.slice(1).join(" | ")); process.exit(3)', '--'];
/** None of these looks like a secret, so only their location shows that they are private. */
const given = {
  ...{ argument: 'blue-mountain', flagValue: 'green-valley', env: 'quiet river', header: 'red forest' },
  ...{ path: 'black-castle', query: 'white tower', inVault: 'yellow meadow', userInfo: 'gray-harbor' },
};
const servers: ServerConfig[] = [
  {
    name: 'talks',
    enabled: true,
    connection: {
      type: 'stdio',
      command: process.execPath,
      args: [...talkative, given.argument, `--name=${given.flagValue}`, '${secret:mine}'],
      env: { GREETING: given.env },
    },
  },
  {
    name: 'remote',
    enabled: true,
    connection: {
      type: 'http',
      url: `http://me:${given.userInfo}@127.0.0.1:1/${given.path}?place=${encodeURIComponent(given.query)}`,
      headers: { 'X-Place': given.header },
    },
  },
];

interface Setup {
  sealer?: Sealer;
  env?: Record<string, string>;
  prepare?(host: TestHost): void;
}

async function withCore(setup: Setup, use: (core: Core, host: TestHost) => Promise<void>): Promise<void> {
  const root = testHost();
  const homeDir = join(root.homeDir, user);
  const dataDir = join(homeDir, '.toolkeep');
  mkdirSync(dataDir, { recursive: true });
  const env = { HOME: homeDir, USER: user, ...setup.env };
  const host = testHost({ homeDir, dataDir, sealer: setup.sealer ?? keyring, env });
  host.store.set('servers', servers);
  setup.prepare?.(host);
  const core = await createCore(host);
  try {
    await use(core, host);
  } finally {
    await core.close();
    host.dispose();
    root.dispose();
  }
}

async function report(core: Core): Promise<string> {
  return (await core.handlers['core.diagnostics']()).text;
}
const settled = (core: Core) =>
  expect
    .poll(async () => (await core.handlers['servers.list']()).map(({ status }) => status))
    .toEqual(['failed', 'failed']);

describe('Diagnostics', () => {
  it('contain no data from the configuration, the vault, the arguments of calls or the user, wherever it occurs', async () => {
    const call: CallRecord = {
      ...{ id: 'a', at: Date.now(), kind: 'call', client: 'Cursor', server: 'talks', tool: 'greet', durationMs: 5 },
      ...{ outcome: 'failed', code: 'CALL_TIMEOUT', arguments: '{"to":"orange desert"}', message: 'No orange desert.' },
    };
    await withCore(
      {
        prepare({ dataDir, homeDir }) {
          mkdirSync(join(dataDir, 'history'));
          const month = new Date().toISOString().slice(0, 7);
          writeFileSync(join(dataDir, 'history', `${month}.jsonl`), `${JSON.stringify(call)}\n`);
          writeFileSync(join(dataDir, 'config.json'), JSON.stringify({ sources: [{ type: 'x', path: homeDir }] }));
        },
      },
      async (core, host) => {
        await core.handlers['secrets.set']({ name: 'mine', value: given.inVault });
        await core.handlers['servers.restart']({ server: 'talks' });
        await settled(core);
        for (const value of Object.values(given)) host.log('warn', `Something about ${value} failed`);
        host.log('error', `Cannot read C:\\Users\\${user}\\x, /home/trillian/y or ${encodeURIComponent(host.homeDir)}`);
        host.log('warn', `token=${'abc123'.repeat(6)} and \u001b[2J${host.homeDir}/notes.txt`);

        const text = await report(core);
        for (const secret of [...Object.values(given), encodeURIComponent(given.query), 'orange desert', 'abc123'])
          expect(text).not.toContain(secret);
        expect(text).not.toMatch(new RegExp(`${user}|trillian`, 'i'));
        expect(text).not.toContain('\u001b');
        expect(text).toContain('Toolkeep 0.0.0-test');
        expect(text).toContain('~/notes.txt');
        expect(text).toContain('talks: failed, stdio');
        expect(text).toContain('environment: GREETING');
        expect(text).toContain('http://127.0.0.1:1, headers: X-Place');
        expect(text).toContain('Something about •••••• failed');
        expect(text).toContain('talks/greet by Cursor: failed CALL_TIMEOUT, 5 ms');
      },
    );
  });

  it.each(['HTTPS_PROXY', 'http_proxy', 'ALL_PROXY'])('do not contain the password in %s', async (name) => {
    for (const url of [
      'http://gray:blue-lake@proxy.corp:80:90',
      '://gray:blue-lake@proxy.corp',
      'gray:blue-lake@proxy',
    ])
      await withCore({ env: { [name]: url } }, async (core, host) => {
        host.log('warn', `The URL ${url} and the password blue-lake`);
        const text = await report(core);
        expect(text).not.toContain('blue-lake');
        expect(text).toContain('and the password ••••••');
      });
  });

  it("omit the log and the failures' messages while the vault cannot be read", async () => {
    const locked = { ...keyring, unseal: () => Promise.reject(new Error('locked')) };
    await withCore({ sealer: locked }, async (core, host) => {
      await core.handlers['secrets.set']({ name: 'mine', value: given.inVault });
      await settled(core);
      host.log('warn', `Something about ${given.inVault}`);
      const text = await report(core);
      expect(text).not.toContain(given.inVault);
      expect(text).toContain('withheld, because the vault cannot be read');
      expect(text).toContain('talks: failed, stdio');
    });
  });

  it('name the package that npx runs, and no other argument', async () => {
    const npx = (...args: string[]): ServerConfig => ({
      ...{ name: args.join(' '), enabled: false },
      connection: { type: 'stdio', command: '/usr/bin/npx', args, env: {} },
    });
    const prepare = (host: TestHost) =>
      host.store.set('servers', [
        npx('-y', '@modelcontextprotocol/server-filesystem@2026.1.0', 'first'),
        npx('--node-options', 'second', 'a-package'),
      ]);
    await withCore({ prepare }, async (core) => {
      const targets = (await report(core)).split('\n').filter((line) => line.startsWith('  npx'));
      expect(targets).toEqual([
        '  npx @modelcontextprotocol/server-filesystem@2026.1.0, 3 arguments',
        '  npx, 3 arguments',
      ]);
    });
  });
});
