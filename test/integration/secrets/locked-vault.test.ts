/** A passphrase that the user sets in Toolkeep keeps the secrets, and each later run needs it once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Core, createCore } from '../../../electron/core/core.ts';
import { sealerOnDemand } from '../../../electron/host/passphrase-on-demand.ts';
import type { Question } from '../../../shared/model/question.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

const canary = 'canary-Zq81xWm';
const passphrase = 'correct horse battery';

let host: TestHost;
let core: Core;
let client: CoreClient;
let asked: Question[];

beforeAll(() => {
  host = testHost();
  const { command, args } = commands.misbehaving('normal');
  host.store.set('servers', [
    serverConfig('hub', { command, args, env: { HUB_TOKEN: '${secret:hub}' } }),
    serverConfig('mail', { command, args, env: { HUB_TOKEN: '${secret:mail}' } }),
  ]);
});
afterEach(() => core.close());
afterAll(() => host.dispose());

/** Starts Core as after a start of the computer: it does not know the passphrase. */
async function start(): Promise<void> {
  core = await createCore({ ...host, sealer: sealerOnDemand(host.dataDir) });
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: true });
  client = connectCore(ours);
  asked = [];
  for (const name of ['hub', 'mail'])
    await expect.poll(async () => viewOf(name)).toMatchObject({ status: expect.stringMatching(/failed|ready|idle/) });
}

/** Answers each question with the next of `answers`; undefined declines. */
function answer(answers: (string | undefined)[]): void {
  const open = new Set<string>();
  client.on('questions.changed', async () => {
    for (const question of await client.call('questions.list')) {
      if (open.has(question.id)) continue;
      open.add(question.id);
      asked.push(question);
      const value = answers.shift();
      const [field] = question.fields;
      await client.call('questions.answer', {
        id: question.id,
        answer:
          value === undefined ? { action: 'decline' } : { action: 'accept', value: { [field?.name ?? '']: value } },
      });
    }
  });
}

const viewOf = async (name: string) => {
  const view = (await client.call('servers.list')).find(({ id }) => id === name);
  return { status: view?.status, code: view?.failure?.code };
};
const vaultOf = async () => (await client.call('core.status')).vault;
async function tokenOf(server: string): Promise<string | undefined> {
  const call = client.call('tools.execute', { server, tool: 'env', arguments: { name: 'HUB_TOKEN' } });
  return ((await call) as { content: { text: string }[] }).content[0]?.text;
}

describe.sequential('Without a keyring', () => {
  it('a passphrase keeps what this run had only in memory, and is nowhere on disk', async () => {
    await start();
    expect(await vaultOf()).toMatchObject({ persistent: false, passphrase: 'unset' });
    await client.call('secrets.set', { name: 'hub', value: canary });
    await expect(client.call('secrets.usePassphrase', { passphrase: 'short' })).rejects.toThrow('at least 8');
    await client.call('secrets.usePassphrase', { passphrase });
    await client.call('secrets.set', { name: 'mail', value: canary });
    expect(await vaultOf()).toEqual({ label: 'passphrase', persistent: true, passphrase: 'entered' });
    expect(await tokenOf('hub')).toBe(canary);
    for (const file of ['vault.json', 'vault-lock.json'])
      expect(readFileSync(join(host.dataDir, file), 'utf8')).not.toMatch(new RegExp(`${canary}|correct horse`));
  });

  it('the next run is locked, loses nothing, and starts the servers that failed after the passphrase', async () => {
    await start();
    expect(await vaultOf()).toEqual({ label: 'passphrase (locked)', persistent: true, passphrase: 'locked' });
    answer([undefined, undefined]);
    for (const server of ['hub', 'mail']) {
      await client.call('servers.restart', { server });
      expect(await viewOf(server)).toEqual({ status: 'failed', code: 'VAULT_LOCKED' });
    }
    expect(await client.call('attention.list')).toEqual([{ kind: 'vault-locked' }]);
    const before = readFileSync(join(host.dataDir, 'vault.json'), 'utf8');
    await expect(client.call('secrets.set', { name: 'hub', value: 'other' })).rejects.toThrow('locked');
    await expect(client.call('secrets.usePassphrase', { passphrase: 'incorrect horse' })).rejects.toThrow('another');
    expect(readFileSync(join(host.dataDir, 'vault.json'), 'utf8')).toBe(before);

    await client.call('secrets.usePassphrase', { passphrase });
    for (const name of ['hub', 'mail']) await expect.poll(() => viewOf(name)).toMatchObject({ status: 'ready' });
    expect(await client.call('attention.list')).toEqual([]);
    expect(await tokenOf('mail')).toBe(canary);
  });

  it('a call asks for the passphrase until it is right, also if two servers need it', async () => {
    await start();
    answer(['incorrect horse', passphrase]);
    expect(await Promise.all([tokenOf('hub'), tokenOf('mail')])).toEqual([canary, canary]);
    expect(asked.map(({ kind, message }) => [kind, message])).toEqual([
      ['form', expect.stringMatching(/needs secrets from the vault, which is locked/)],
      ['form', expect.stringMatching(/another passphrase/)],
    ]);
    expect(asked[0]).toMatchObject({ from: { isToolkeep: true }, fields: [{ kind: 'secret', label: 'Passphrase' }] });
  });

  it('a user who declines is not asked again, and the failure says what to do', async () => {
    await start();
    answer([undefined]);
    for (const _ of [1, 2]) await expect(tokenOf('hub')).rejects.toThrow('The vault is locked');
    expect(asked).toHaveLength(1);
  });
});
