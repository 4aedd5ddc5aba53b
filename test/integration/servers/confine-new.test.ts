/**
 * Which servers are confined without a choice of their own, and the trial that confines one that ran without. Needs bubblewrap and socat.
 *
 * @module-tag bubblewrap
 * @module-tag socat
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../shared/model/server.ts';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

const script = join(import.meta.dirname, '../../fixtures/confined.mjs');
const connection: Connection = { type: 'stdio', command: process.execPath, args: [script], env: {} };
const added = (name: string, more: object = {}) => ({ server: { name, enabled: true, connection, ...more } });

describe('A server that the user adds', () => {
  it('is confined, unless the user chose otherwise or it probably needs more', async () => {
    const { core, host, view } = await startCore([]);
    const save = core.handlers['servers.save'];
    await save(added('plain'));
    await save(added('free', { sandbox: false }));
    await save(added('container', { enabled: false, connection: { ...connection, command: 'docker' } }));
    const sandboxes = Object.fromEntries(host.store.get('servers').map(({ name, sandbox }) => [name, sandbox]));
    expect(sandboxes).toEqual({ plain: 'auto', free: false, container: undefined });
    await expect.poll(() => view('plain')).toMatchObject({ status: 'ready', isConfined: true });
    // A later edit without the key is the user's choice.
    await save(added('plain'));
    expect(host.store.get('servers').find(({ name }) => name === 'plain')?.sandbox).toBeUndefined();
  });

  it('is confined whatever its name says, from a file of a stranger too, and one of a client stays unchanged', async () => {
    const host = testHost();
    const { core } = await startCore([], { host });
    const stranger = join(host.cwd, '.mcp.json');
    const program = join(host.cwd, 'notes-desktop.mjs');
    writeFileSync(program, '');
    const mcpServers = {
      plain: { command: process.execPath, args: [program] },
      free: { command: process.execPath, args: [program, 'http://localhost:1/'], sandbox: false },
      wide: {
        command: process.execPath,
        args: [program, 'x'],
        sandboxEnabled: true,
        sandbox: { filesystem: { allowRead: ['/srv'] } },
      },
    };
    writeFileSync(stranger, JSON.stringify({ mcpServers }));
    mkdirSync(join(host.homeDir, '.cursor'));
    const mine = { mine: { command: process.execPath, args: [script] } };
    writeFileSync(join(host.homeDir, '.cursor/mcp.json'), JSON.stringify({ mcpServers: mine }));
    for (const sources of [[stranger], ['cursor']]) {
      const { entries } = await core.handlers['import.plan']({ sources });
      await core.handlers['import.apply']({ entries: entries.map(({ id }) => id), sources, moveSecrets: false });
    }
    const sandboxes = Object.fromEntries(host.store.get('servers').map(({ name, sandbox }) => [name, sandbox]));
    expect(sandboxes).toEqual({ plain: 'auto', free: 'auto', wide: 'auto', mine: undefined });
  });

  it('is not confined if the setting is off, or where bubblewrap is missing', async () => {
    for (const [config, env] of [
      [{ sandbox: { newServers: 'off' } }, {}],
      [{}, { PATH: '/none' }],
    ] as const) {
      const host = testHost({ env });
      const { core, view } = await startCore([], { config, host });
      await core.handlers['servers.save'](added('plain', { enabled: false }));
      expect(host.store.get('servers')[0]?.sandbox).toBeUndefined();
      const missing = 'bubblewrap was not found. Install it (Debian, Ubuntu: `sudo apt install bubblewrap`).';
      expect(view('plain').unconfined?.reason).toBe('PATH' in env ? missing : undefined);
    }
  });
});

describe('A server that has run unconfined', () => {
  it('is offered confinement after five good starts, and one command undoes it', async () => {
    const { core, view } = await startCore([added('notes').server]);
    for (let start = 0; start < 5; start += 1) {
      expect(view('notes').unconfined).toEqual({ isOffered: false });
      await core.handlers['servers.restart']({ server: 'notes' });
    }
    expect(view('notes').unconfined).toEqual({ isOffered: true });
    const trial = await core.handlers['servers.confine']({ server: 'notes', isWanted: true });
    expect(trial).toEqual({ different: [], same: 11 });
    await core.handlers['servers.restart']({ server: 'notes' });
    expect(view('notes')).toMatchObject({ isConfined: true });
    expect(view('notes').unconfined).toBeUndefined();
    await core.handlers['servers.confine']({ server: 'notes', isWanted: false });
    await core.handlers['servers.restart']({ server: 'notes' });
    expect(view('notes').isConfined).toBeUndefined();
    expect(view('notes').unconfined).toEqual({ isOffered: false });
  });

  it('stays unconfined if it lists other tools or does not start', async () => {
    const host = testHost();
    mkdirSync(join(host.homeDir, '.notes'));
    const server = join(host.cwd, 'server.mjs');
    writeFileSync(server, homeServer);
    const { core } = await startCore([added('notes', { connection: { ...connection, args: [server] } }).server], {
      host,
    });
    const trial = await core.handlers['servers.confine']({ server: 'notes', isWanted: true });
    expect(trial).toEqual({ different: ['notes'], same: 0 });
    expect(host.store.get('servers')[0]?.sandbox).toBeUndefined();
  });
});

/** Lists a tool only if it sees a folder in the home folder. */
const homeServer = `import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tools = existsSync(process.env.HOME + '/.notes') ? [{ name: 'notes', inputSchema: { type: 'object' } }] : [];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const serverInfo = { name: 'n', version: '1' };
  const result = { initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo }, 'tools/list': { tools } }[method];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }));
});`;
