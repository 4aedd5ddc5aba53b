import { describe, expect, it } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { type CommandHandlers, commands, type EventName } from '../../../shared/protocol/contract.ts';
import { connectCore, serveWire, withoutDecisions } from '../../../shared/protocol/rpc.ts';
import { linkedWires, type Wire } from '../../../shared/protocol/wire.ts';

/** A Wire that carries text, as sockets do. */
function overJson(wire: Wire): Wire {
  return {
    ...wire,
    send: (frame) => wire.send(JSON.stringify(frame)),
    onFrame: (listener) => wire.onFrame((text) => listener(JSON.parse(String(text)))),
  };
}

function pair(handlers: Partial<CommandHandlers>) {
  const [ours, theirs] = linkedWires();
  let emit: (name: EventName, data: unknown) => void = () => undefined;
  let subscribers = 0;
  serveWire(overJson(theirs), handlers as CommandHandlers, (listener) => {
    emit = listener;
    subscribers += 1;
    return () => {
      subscribers -= 1;
    };
  });
  return {
    core: connectCore(overJson(ours)),
    raw: overJson(ours),
    emit: (name: EventName, data: unknown) => emit(name, data),
    subscribers: () => subscribers,
  };
}

describe('Calls over a Wire', () => {
  it('may have no input and no output', async () => {
    const { core } = pair({
      'core.pause': () => undefined,
      'rules.list': () => [],
      'servers.stop': ({ server }) => {
        expect(server).toBe('git');
      },
    });
    expect(await core.call('rules.list')).toEqual([]);
    expect(await core.call('core.pause', { paused: true })).toBeUndefined();
    await core.call('servers.stop', { server: 'git' });
  });

  it('are refused before the command runs if the input does not match the contract', async () => {
    const { core } = pair({ 'core.pause': () => expect.unreachable() as never });
    await expect(core.call('core.pause', { paused: 'yes' as never })).rejects.toMatchObject({
      failure: { code: 'INPUT_INVALID' },
    });
    await expect(core.call('no.such' as 'rules.list')).rejects.toMatchObject({ failure: { code: 'COMMAND_UNKNOWN' } });
  });

  it("fail with the failure's code and location", async () => {
    const { core } = pair({
      'rules.list': () => {
        throw fail('CONFIG_INVALID', 'wrong', { file: '/c.json', line: 3 });
      },
    });
    await expect(core.call('rules.list')).rejects.toMatchObject({
      failure: { code: 'CONFIG_INVALID', message: 'wrong', file: '/c.json', line: 3 },
    });
  });

  it('fail when the Wire closes, and events end', async () => {
    const { core, subscribers } = pair({ 'rules.list': () => new Promise(() => undefined) });
    const waiting = core.call('rules.list');
    core.close();
    await expect(waiting).rejects.toMatchObject({ failure: { code: 'CORE_UNREACHABLE' } });
    await expect(core.call('rules.list')).rejects.toMatchObject({ failure: { code: 'CORE_UNREACHABLE' } });
    expect(subscribers()).toBe(0);
  });
});

describe('Events over a Wire', () => {
  it('reach their listeners only while these listen', async () => {
    const { core, emit } = pair({ 'rules.list': () => [] });
    const heard: unknown[] = [];
    const stop = core.on('questions.changed', (data) => heard.push(data));
    emit('questions.changed', { pending: 2 });
    emit('questions.changed', { pending: 'two' });
    await core.call('rules.list');
    stop();
    emit('questions.changed', { pending: 0 });
    await core.call('rules.list');
    expect(heard).toEqual([{ pending: 2 }]);
  });
});

describe('A Wire without a user', () => {
  it('refuses commands that only the user may run, and forwards all others', async () => {
    const [ours, theirs] = linkedWires();
    const saved: unknown[] = [];
    const nothingFound = {
      status: 'none' as const,
      files: [],
      isCode: false,
      codeHash: '',
      hash: '',
      accepted: [],
      problems: [],
    };
    const needs = { secrets: 0, inputs: 0, files: 0 };
    const about = { description: '', version: '2.0.0', isDeprecated: false, options: [], needs };
    const shown = { registry: 'official', name: 'io.github.acme/notes', ...about };
    const handlers: Partial<CommandHandlers> = {
      'rules.list': () => [],
      'rules.save': ({ rules }) => void saved.push(rules),
      'questions.answer': () => ({ accepted: true }),
      'core.pause': ({ paused }) => void saved.push(paused),
      'tools.setPolicy': ({ enabled }) => void saved.push(enabled),
      'registry.show': () => shown,
      'trust.review': ({ folder }) => ({ ...nothingFound, folder }),
    };
    serveWire(withoutDecisions(theirs), handlers as CommandHandlers, () => () => undefined);
    const core = connectCore(ours);
    await expect(core.call('rules.save', { rules: [] })).rejects.toMatchObject({ failure: { code: 'UI_REQUIRED' } });
    await expect(core.call('questions.answer', { id: 'q', answer: { action: 'decline' } })).rejects.toMatchObject({
      failure: { code: 'UI_REQUIRED' },
    });
    const place = { server: 'github', tool: 'delete_repo' };
    await expect(core.call('core.pause', { paused: false })).rejects.toMatchObject({
      failure: { code: 'UI_REQUIRED' },
    });
    await expect(core.call('tools.setPolicy', { ...place, destinations: 'any' })).rejects.toMatchObject({
      failure: { code: 'UI_REQUIRED' },
    });
    for (const change of [{ confirm: 'never' }, { confirm: null }, { enabled: true }, { enabled: null }] as const)
      await expect(core.call('tools.setPolicy', { ...place, ...change })).rejects.toMatchObject({
        failure: { code: 'UI_REQUIRED' },
      });
    const setup = { setup: {}, replace: false, dryRun: false };
    for (const more of [{ accept: ['rule-1'] }, { replace: true }])
      await expect(core.call('setup.import', { ...setup, ...more })).rejects.toMatchObject({
        failure: { code: 'UI_REQUIRED' },
      });
    await expect(core.call('trust.review', { folder: '/clone', runCode: 'c' })).rejects.toMatchObject({
      failure: { code: 'UI_REQUIRED' },
    });
    await expect(core.call('trust.save', { folder: '/clone', hash: 'h', codeHash: 'c' })).rejects.toMatchObject({
      failure: { code: 'UI_REQUIRED' },
    });
    await expect(core.call('trust.restore', { folder: '/clone' })).rejects.toMatchObject({
      failure: { code: 'UI_REQUIRED' },
    });
    const choice = { registry: 'official', name: 'io.github.acme/notes' };
    for (const decided of [
      core.call('registry.sync', {}),
      core.call('registry.install', { ...choice, hash: 'h' }),
      core.call('registry.revert', { server: 'notes' }),
      core.call('registry.plan', { ...choice, check: true }),
      core.call('registry.plan', { ...choice, version: '1.0.0' }),
      core.call('registry.show', { ...choice, version: '1.0.0' }),
      core.call('bundle.receive', { part: '' }),
      core.call('bundle.plan', { file: '/etc/passwd' }),
      core.call('bundle.install', { file: '/x.mcpb', hash: 'h' }),
    ])
      await expect(decided).rejects.toMatchObject({ failure: { code: 'UI_REQUIRED' } });
    const [script, endpoint] = linkedWires();
    serveWire(withoutDecisions(endpoint, { mayInstall: true }), handlers as CommandHandlers, () => () => undefined);
    const installer = connectCore(script);
    expect(await installer.call('registry.show', { ...choice, version: '1.0.0' })).toEqual(shown);
    await expect(installer.call('rules.save', { rules: [] })).rejects.toMatchObject({
      failure: { code: 'UI_REQUIRED', message: expect.not.stringContaining('rules.save') },
    });
    expect(await core.call('rules.list')).toEqual([]);
    expect(await core.call('registry.show', choice)).toEqual(shown);
    expect(await core.call('trust.review', { folder: '/clone' })).toMatchObject({ status: 'none' });
    await core.call('tools.setPolicy', { ...place, enabled: false, confirm: 'always' });
    expect(saved).toEqual([false]);
  });

  it('forwards only these commands, without inputs that need a decision', async () => {
    const [ours, theirs] = linkedWires();
    const forwarded: unknown[] = [];
    withoutDecisions(theirs).onFrame((frame) => forwarded.push((frame as { name: string }).name));
    for (const name of Object.keys(commands)) ours.send({ kind: 'call', id: 1, name, input: {} });
    const harmless = `
      core.status core.installation core.diagnostics core.setup
      attention.list
      clients.names
      settings.show
      servers.list servers.config servers.icon servers.copies servers.removed servers.tag servers.restart servers.discover servers.stop servers.signIn servers.cancelSignIn servers.signOut servers.log
      tools.search tools.list tools.usage tools.details tools.compatibility tools.execute tools.executeMany tools.cancel tools.setPolicy
      search.feedback.list search.feedback.add search.feedback.remove
      prompts.list prompts.get prompts.complete
      resources.list resources.read
      trust.review trust.list trust.revoke
      rules.list rules.preview rules.overrides
      access.show
      config.show config.validate config.reload
      import.plan import.parse import.apply import.undo import.dismiss
      install.status install.plan install.apply install.planRemoval install.removeAll install.undo
      registry.list registry.search registry.show registry.plan registry.installed
      secrets.list secrets.set secrets.remove secrets.moveToVault
      profiles.list profiles.save profiles.remove
      setup.export setup.import
      tokens.list tokens.create tokens.revoke tokens.rotate
      questions.list
      grants.list grants.revoke grants.destinations grants.forget grants.usedDestinations
      stats.unused stats.activity
      history.list history.story history.page
      changes.list
      calls.active calls.result calls.cancel
      updates.show updates.check updates.restart
      notifications.list notifications.read notifications.clear
    `;
    await expect.poll(() => new Set(forwarded)).toEqual(new Set(harmless.trim().split(/\s+/)));
  });
});
