/** A scripted Core with sample data: implements the contract, applies changes and emits events. */
import { EventEmitter } from 'node:events';
import { changeTags, tagsOf } from '../../../electron/core/commands/server-tags.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { Answer, Question } from '../../../shared/model/question.ts';
import type { SecretsView } from '../../../shared/model/secret.ts';
import type { ServerConfig, ServerView } from '../../../shared/model/server.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import type { CommandHandlers, EventData, EventName } from '../../../shared/protocol/contract.ts';
import type { Subscribe } from '../../../shared/protocol/rpc.ts';
import { createSampleClients } from './sample-clients.ts';
import { createSampleFolders, untrustedFolder } from './sample-folders.ts';
import { createSampleHome } from './sample-home.ts';
import { createSampleNotifications } from './sample-notifications.ts';
import { samplePrompts } from './sample-prompts.ts';
import { type SampleQuestion, sampleQuestion } from './sample-questions.ts';
import { createSampleRegistry } from './sample-registry.ts';
import { createSampleRules } from './sample-rules.ts';
import { sampleIcon, server } from './sample-servers.ts';
import { createSampleSettings } from './sample-settings.ts';
import { configRules, type SampleOptions, sampleState } from './sample-state.ts';
import { summaryOf } from './sample-tools.ts';

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
  const removed: ServerView[] = [];
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
  function findServer(id: string) {
    const found = state.servers.find((entry) => entry.id === id);
    if (!found) throw fail('SERVER_NOT_FOUND', `There is no server “${id}”.`);
    return found;
  }

  const handlers: CommandHandlers = {
    ...settings.handlers,
    ...createSampleRegistry(emit, options.empty ?? false),
    ...createSampleClients({ isEmpty: options.empty ?? false, now: state.now, emit }).handlers,
    ...createSampleFolders({ isEmpty: options.empty ?? false, now: state.now, emit }),
    'tokens.list': () => [],
    'tokens.create': () => ({ token: 'toolkeep_sample' }),
    'tokens.revoke': () => undefined,
    'tokens.rotate': () => ({ token: 'toolkeep_sample' }),
    'core.status': () => ({
      discovery: 'enabled' as const,
      version: '0.1.0',
      paused: state.paused,
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
      enabledTools: state.tools.filter(({ enabled }) => enabled).length,
      setupStep: state.setupStep ?? (state.servers.length === 0 ? 'welcome' : 'done'),
    }),
    'updates.show': () => state.update,
    'updates.check': () => undefined,
    'updates.restart': ({ wanted }) => {
      if (state.update) state.update = { ...state.update, state: wanted ? 'waiting' : 'ready' };
      emit('updates.changed', {});
    },
    'core.diagnostics': () => ({ text: 'Toolkeep diagnostics\n\nServers (1)\n-----------\ngithub: ready\n' }),
    'core.setup': ({ step }) => {
      state.setupStep = step;
      emit('core.changed', {});
    },
    ...samplePrompts,
    ...createSampleNotifications(state, emit),
    ...createSampleHome(state, settings.secrets, emit),
    'core.pause': ({ paused }) => {
      state.paused = paused;
      emit('core.changed', {});
    },
    'servers.list': () => {
      guard();
      return state.servers;
    },
    'servers.save': ({ server: config }) => {
      saved.push(config);
      state.servers = state.servers.filter(({ id }) => id !== config.name);
      const target =
        config.connection.type === 'stdio'
          ? [config.connection.command, ...config.connection.args].join(' ')
          : config.connection.url;
      state.servers.push(
        server({
          id: config.name,
          status: 'idle',
          target,
          transport: config.connection.type,
          origins: [{ source: 'Toolkeep' }],
        }),
      );
      emit('servers.changed', { servers: [config.name] });
    },
    'servers.test': ({ server: config }) =>
      config.connection.type === 'stdio' && config.connection.command === 'missing'
        ? {
            toolCount: 0,
            durationMs: 12,
            failure: { code: 'SERVER_SPAWN_FAILED', message: 'The command “missing” was not found on PATH.' },
          }
        : { toolCount: 9, durationMs: 812, version: '1.4.0' },
    'servers.rename': ({ server: id, name }) => {
      Object.assign(findServer(id), { id: name });
      emit('servers.changed', { servers: [id, name] });
    },
    'servers.copies': ({ server: id }) => ({ files: findServer(id).origins.flatMap(({ file }) => file ?? []) }),
    'servers.remove': ({ server: id }) => {
      removed.push(...state.servers.filter((entry) => entry.id === id));
      state.servers = state.servers.filter((entry) => entry.id !== id);
      emit('servers.changed', { servers: [id] });
    },
    'servers.icon': ({ server: id, icon }) => ({ src: findServer(id).icon === icon ? sampleIcon : undefined }),
    'servers.config': ({ server: id }) => {
      findServer(id);
      return (
        saved.findLast(({ name }) => name === id) ?? {
          name: id,
          enabled: true,
          connection: {
            type: 'stdio',
            command: 'npx',
            args: ['-y', 'server with space'],
            env: { API_KEY: '«hidden-1»', MODE: 'fast' },
            cwd: '/srv',
          },
          lifecycle: { timeoutMs: 5000 },
        }
      );
    },
    'servers.restore': ({ server: id }) => {
      const found = removed.find((entry) => entry.id === id);
      if (found) state.servers.push(found);
      emit('servers.changed', { servers: [id] });
    },
    'servers.setEnabled': ({ server: id, enabled }) => {
      findServer(id).status = enabled ? 'idle' : 'disabled';
      emit('servers.changed', { servers: [id] });
    },
    'servers.discover': () => ({ discovered: state.servers.length, failed: [] }),
    'servers.restart': ({ server: id }) => {
      const found = findServer(id);
      if (!found.failure) found.status = 'ready';
      emit('servers.changed', { servers: [id] });
      return found;
    },
    'servers.tag': (change) => {
      const before = state.servers.map(({ id, tags = [] }) => ({ server: id, tags }));
      const after = changeTags(before, change);
      for (const entry of state.servers) {
        const tags = tagsOf(after, entry.id);
        entry.tags = tags.length > 0 ? [...tags] : undefined;
      }
      emit('servers.changed', { servers: change.servers });
    },
    'servers.stop': ({ server: id }) => {
      findServer(id).status = 'idle';
      emit('servers.changed', { servers: [id] });
    },
    'servers.signIn': ({ server: id }) => {
      const found = findServer(id);
      found.status = 'ready';
      found.signIn = 'signedIn';
      emit('servers.changed', { servers: [id] });
      return found;
    },
    'servers.cancelSignIn': ({ server: id }) => {
      delete findServer(id).signInPage;
      emit('servers.changed', { servers: [id] });
    },
    'servers.signOut': ({ server: id }) => {
      const found = findServer(id);
      found.status = 'idle';
      delete found.signIn;
      emit('servers.changed', { servers: [id] });
    },
    'servers.log': ({ server: id, after = 0 }) => {
      findServer(id);
      return { entries: state.log.filter((entry) => entry.id > after), more: false };
    },
    'tools.list': ({ offset = 0, limit = state.tools.length }) => {
      guard();
      const sorted = state.tools.map(summaryOf).sort((a, b) => a.name.localeCompare(b.name));
      return sorted.slice(offset, offset + limit);
    },
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
    'tools.accept': ({ server: id, tool }) => {
      delete findTool(id, tool).held;
      emit('tools.changed', { servers: [id] });
    },
    ...createSampleRules({ state, isEmpty: options.empty ?? false, findTool, emit }),
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
      rules: options.empty ? [] : configRules,
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
    'import.plan': () => ({ ...state.plan, lastImport: lastImport() }),
    'import.apply': ({ entries }) => {
      const taken = state.plan.entries.filter(({ id }) => entries.includes(id));
      for (const entry of taken) {
        entry.state = 'known';
        state.servers.push(server({ id: entry.server.name, status: 'idle' }));
      }
      emit('servers.changed', { servers: taken.map((entry) => entry.server.name) });
      return { imported: taken.map((entry) => entry.server.name), moved: [], plain: [] };
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
