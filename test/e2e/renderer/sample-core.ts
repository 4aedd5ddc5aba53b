/** A scripted Core with sample data: implements the contract, applies changes and emits events. */

import { EventEmitter } from 'node:events';
import { serversInText } from '../../../electron/core/clients/snippet.ts';
import { tellDay } from '../../../electron/core/history/story.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { Answer, Question } from '../../../shared/model/question.ts';
import type { SecretsView } from '../../../shared/model/secret.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import type { CommandHandlers, EventData, EventName } from '../../../shared/protocol/contract.ts';
import type { Subscribe } from '../../../shared/protocol/rpc.ts';
import { createSampleChanges } from './sample-changes.ts';
import { createSampleClients } from './sample-clients.ts';
import { createSampleFolders, untrustedFolder } from './sample-folders.ts';
import { createSampleHome } from './sample-home.ts';
import { createSampleNotifications } from './sample-notifications.ts';
import { createSamplePrompts } from './sample-prompts.ts';
import { type SampleQuestion, sampleQuestion } from './sample-questions.ts';
import { createSampleRegistry } from './sample-registry.ts';
import { createSampleRules } from './sample-rules.ts';
import { createSampleServers } from './sample-server-commands.ts';
import { server } from './sample-servers.ts';
import { createSampleSettings } from './sample-settings.ts';
import { type SampleOptions, sampleState } from './sample-state.ts';
import { summaryOf, usageIn } from './sample-tools.ts';

export interface SampleCore {
  handlers: CommandHandlers;
  subscribe: Subscribe;
  emit<N extends EventName>(name: N, data: EventData<N>): void;
  /** Asks a question and resolves with the answer. */
  ask(name: SampleQuestion, lifeMs?: number): Promise<Answer>;
  record(record: Partial<CallRecord>): void;
  answers: { question: Question; answer: Answer }[];
  executed: { tool: string; arguments: Record<string, unknown> }[];
  /** Servers that were saved. */
  saved: ServerConfig[];
  state: ReturnType<typeof sampleState>;
  secrets: SecretsView;
}

export function createSampleCore(options: SampleOptions = {}): SampleCore {
  const events = new EventEmitter().setMaxListeners(0);
  const state = sampleState(options, Date.now());
  const answers: SampleCore['answers'] = [];
  const executed: SampleCore['executed'] = [];
  const saved: SampleCore['saved'] = [];
  const emit: SampleCore['emit'] = (name, data) => void events.emit('event', name, data);
  const settings = createSampleSettings({ isEmpty: options.empty ?? false, now: state.now, tools: state.tools, emit });
  const guard = () => {
    if (options.broken) throw fail('INTERNAL', 'The catalog could not be read: unexpected end of file.');
  };

  function findTool(serverId: string, name: string): ToolView {
    const found = state.tools.find((tool) => tool.server === serverId && tool.name === name);
    if (!found) throw fail('TOOL_NOT_FOUND', `The server “${serverId}” has no tool “${name}”.`);
    return found;
  }
  function lastImport(): string[] {
    const known = state.plan.entries.filter((entry) => entry.state === 'known').map((entry) => entry.server.name);
    return state.servers.map(({ id }) => id).filter((id) => known.includes(id));
  }

  const sampleRules = createSampleRules({ state, isEmpty: options.empty ?? false, findTool, emit });
  const clients = createSampleClients({ isEmpty: options.empty ?? false, now: state.now, emit }).handlers;
  const handlers: CommandHandlers = {
    ...settings.handlers,
    ...createSampleRegistry(emit, options.empty ?? false),
    ...clients,
    ...createSampleChanges({ isEmpty: options.empty ?? false, now: state.now, emit, clients }),
    ...createSampleFolders({ isEmpty: options.empty ?? false, now: state.now, emit }),
    'tokens.list': () => [
      {
        name: 'n8n',
        kind: 'client',
        profile: 'work',
        createdAt: state.now - 86_400_000,
        lastUsedAt: state.now - 60_000,
      },
      { name: 'monitor', kind: 'status', createdAt: state.now - 3_600_000 },
    ],
    'tokens.create': () => ({ token: 'toolkeep_sample' }),
    'tokens.revoke': () => undefined,
    'tokens.rotate': () => ({ token: 'toolkeep_sample' }),
    'core.status': () => ({
      discovery: 'enabled' as const,
      version: '0.1.0',
      paused: state.paused,
      pausedUntil: state.pausedUntil,
      standstill: [],
      startedAt: state.now - 7_200_000,
      dataDir: '/home/ada/.toolkeep',
      homeDir: '/home/ada',
      bridge: { command: '/opt/Toolkeep/toolkeep', args: ['/home/ada/.toolkeep/bridge.cjs'] },
      vault: { label: 'Secret Service keyring', persistent: true },
      network: { certificates: 'bundled' },
      http: { url: 'http://127.0.0.1:7777/mcp' },
      parkedCalls: 0,
      clients: settings.clients,
      servers: state.servers.length,
      tools: state.tools.length,
      enabledTools: state.tools.filter(({ enabled, held }) => enabled && !held).length,
      setupStep: state.setupStep ?? (state.servers.length === 0 ? 'welcome' : 'done'),
    }),
    'updates.show': () => state.update,
    'updates.check': () => undefined,
    'updates.restart': ({ wanted }) => {
      if (state.update) state.update = { ...state.update, state: wanted ? 'waiting' : 'ready' };
      emit('updates.changed', {});
    },
    'core.diagnostics': () => ({ text: 'Toolkeep diagnostics\n\nServers (1)\n-----------\ngithub: ready\n' }),
    'core.installation': () => ({
      facts: [
        { name: 'binary', value: '/opt/Toolkeep/toolkeep-app (Electron 45.4.1)', isProblem: false },
        { name: 'session', value: 'linux 6.8.0 x64, wayland, desktop GNOME', isProblem: false },
        { name: 'sandbox', value: 'enabled', isProblem: false },
        { name: 'tray', value: 'shows no icons, so closing the window quits Toolkeep', isProblem: true },
        { name: 'secrets', value: 'Secret Service keyring', isProblem: false },
      ],
      smoke: {
        subject: '/opt/Toolkeep/toolkeep-app',
        at: '2026-11-25T10:00:00.000Z',
        results: [
          { name: 'The command line prints its version', result: 'passed', detail: '0.1.0' },
          { name: 'The keyring seals secrets', result: 'failed', detail: 'expected true, got false' },
        ],
        notRun: [
          { name: 'The icon is visible in the tray or the menu bar, and its menu works', needs: 'a user at a desktop' },
        ],
      },
    }),
    'core.setup': ({ step }) => {
      state.setupStep = step;
      emit('core.changed', {});
    },
    ...createSamplePrompts(emit),
    ...createSampleNotifications(state, emit),
    ...createSampleHome(state, settings.secrets, emit),
    'core.pause': ({ paused, minutes }) => {
      state.paused = paused;
      state.pausedUntil = minutes === undefined ? undefined : Date.now() + minutes * 60_000;
      emit('core.changed', {});
    },
    ...createSampleServers({ state, saved, guard, emit }),
    'tools.list': ({ server: id, offset = 0, limit = state.tools.length }) => {
      guard();
      const listed = state.tools.filter(({ server: owner }) => id === undefined || owner === id);
      const sorted = listed.map(summaryOf).sort((a, b) => a.name.localeCompare(b.name));
      return sorted.slice(offset, offset + limit);
    },
    'tools.usage': () => usageIn(state.records),
    'tools.details': ({ server: id, tool }) => findTool(id, tool),
    'tools.compatibility': () => state.fits,
    'tools.executeMany': () => ({ content: [] }),
    'tools.execute': async ({ server: id, tool, arguments: given }) => {
      findTool(id, tool);
      executed.push({ tool, arguments: given });
      if (tool === 'write_file') throw fail('APPROVAL_DENIED', 'The user denied the call of “write_file”.');
      return {
        content: [
          { type: 'text', text: `Read ${String(given.path)}:\n\nHello, world.` },
          {
            type: 'image',
            mimeType: 'image/png',
            data: 'iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAIAAADYYG7QAAAAU0lEQVR42u3XMQ0AIAwEQBQgEQOYRgADEpBQmhBYLvn5e1vbMtYMU3sLc6unAAEBAQEBJUEvh530AAEBAQEBZUG2PRAQEBCQv8z5AQQEBAT0FbQBkXEWcf7z6hIAAAAASUVORK5CYII=',
          },
          { type: 'resource_link', uri: 'file:///home/ada/notes.md', name: 'notes.md' },
        ],
        structuredContent: { lines: 2 },
      };
    },
    'tools.cancel': () => undefined,
    'tools.accept': ({ server: id, tool, fingerprint }) => {
      const found = findTool(id, tool);
      if (fingerprint !== found.held?.fingerprint) throw fail('TOOL_HELD_BACK', 'The user saw another definition.');
      delete found.held;
      emit('tools.changed', { servers: [id] });
    },
    ...sampleRules,
    'config.show': () => ({
      enabled: true,
      cache: { enabled: true, ttl: 3600 },
      settings: [],
      ...(options.empty
        ? {}
        : {
            file: '/home/ada/.toolkeep/config.yaml',
            folder: { ...untrustedFolder, status: 'untrusted' as const },
          }),
      sources: options.empty
        ? []
        : [
            {
              type: 'claude-desktop',
              path: '~/.config/Claude/claude_desktop_config.json',
              files: [],
              found: true,
              servers: 3,
            },
          ],
      rules: sampleRules['rules.list'](),
      servers: { configured: state.servers.length, connected: 2 },
      tools: { total: state.tools.length, enabled: state.tools.length },
    }),
    'config.validate': () => ({
      valid: true,
      inEffect: 'file' as const,
      problems: [],
      warnings: options.empty ? [] : ['Rule 6 never decides anything: rule 1 comes first.'],
    }),
    'config.reload': () => ({ added: [], removed: [], changed: ['github'], durationMs: 31 }),
    'import.parse': ({ text }) => ({
      servers: serversInText(
        text,
        state.servers.map(({ id }) => id),
      ),
    }),
    'import.plan': () => ({ ...state.plan, lastImport: lastImport() }),
    'import.apply': ({ entries }) => {
      const taken = state.plan.entries.filter(({ id }) => entries.includes(id));
      for (const entry of taken) {
        entry.state = 'known';
        state.servers.push(server({ id: entry.server.name, status: 'idle' }));
      }
      emit('servers.changed', { servers: taken.map((entry) => entry.server.name) });
      return { imported: taken.map((entry) => entry.server.name), moved: [], plain: [], confined: [] };
    },
    'import.undo': () => {
      const removed = lastImport();
      state.servers = state.servers.filter(({ id }) => !removed.includes(id));
      for (const entry of state.plan.entries) if (removed.includes(entry.server.name)) entry.state = 'new';
      emit('servers.changed', { servers: removed });
      return { removed };
    },
    'import.dismiss': () => {
      for (const entry of state.plan.entries) delete entry.isUnseen;
      emit('import.changed', {});
    },
    'questions.list': () => state.questions.map(({ question }) => question),
    'questions.upload': ({ name, size, part }) => {
      state.uploads.push({ name, size, part });
      return { id: crypto.randomUUID(), file: `/home/me/.toolkeep/uploads/${name}` };
    },
    'questions.answer': ({ id, answer }) => {
      const found = state.questions.find(({ question }) => question.id === id);
      if (!found) return { accepted: false };
      if (answer.action === 'accept' && answer.value === 'refuse-me')
        return {
          accepted: false,
          problems: { '': 'The server does not take this.', [found.question.fields[0]?.name ?? '']: 'Not this one.' },
        };
      state.questions = state.questions.filter((entry) => entry !== found);
      answers.push({ question: found.question, answer });
      found.resolve(answer);
      emit('questions.changed', { pending: state.questions.length });
      return { accepted: true };
    },
    'grants.list': () => state.grants,
    'grants.allowActs': () => undefined,
    'grants.destinations': () => state.destinations,
    'grants.allowDestinations': () => undefined,
    'grants.usedDestinations': () => [{ kind: 'place', value: 'repo engine' }],
    'grants.limit': ({ id }) => {
      state.grants = state.grants.map((grant) => (grant.id === id ? { ...grant, destinations: 'known' } : grant));
    },
    'grants.forget': ({ id }) => {
      state.destinations = state.destinations.filter((destination) => destination.id !== id);
    },
    'grants.revoke': ({ id }) => {
      state.grants = state.grants.filter((grant) => grant.id !== id);
    },
    'history.list': () => {
      guard();
      return state.records;
    },
    'history.story': () => tellDay(state.records),
    'history.page': () => ({ records: state.records.toReversed() }),
  };

  return {
    handlers,
    state,
    secrets: settings.secrets,
    answers,
    executed,
    saved,
    emit,
    subscribe(listener) {
      events.on('event', listener);
      return () => void events.off('event', listener);
    },
    ask(name, lifeMs) {
      return new Promise((resolve) => {
        state.questions.push({ question: sampleQuestion(name, lifeMs), resolve });
        emit('questions.changed', { pending: state.questions.length });
      });
    },
    record(record) {
      const full = {
        id: `live-${Math.random()}`,
        at: Date.now(),
        kind: 'call',
        client: 'Claude Desktop',
        server: 'memory',
        tool: 'search_nodes',
        arguments: '{}',
        outcome: 'ok',
        durationMs: 4,
        ...record,
      } as CallRecord;
      state.records.unshift(full);
      emit('calls.recorded', full);
    },
  };
}
