/** The part of the sample Core for clients: installs and profiles. */
import { fail } from '../../../shared/failure.ts';
import type { InstallStatus } from '../../../shared/model/install.ts';
import type { Profile } from '../../../shared/model/profile.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { SampleCore } from './sample-core.ts';

type Handlers = Pick<
  CommandHandlers,
  | 'install.status'
  | 'install.plan'
  | 'install.apply'
  | 'install.planRemoval'
  | 'install.removeAll'
  | 'install.undo'
  | 'access.show'
  | 'access.set'
  | 'profiles.list'
  | 'profiles.save'
  | 'profiles.remove'
  | 'setup.export'
  | 'setup.import'
>;

interface Given {
  isEmpty: boolean;
  now: number;
  emit: SampleCore['emit'];
}

export function createSampleClients({ isEmpty, now, emit }: Given): { handlers: Handlers; apps: InstallStatus[] } {
  const apps = sampleApps(now, isEmpty);
  let removed: string[] = [];
  let profiles: Profile[] = isEmpty ? [] : [sampleProfile];
  const find = (client: string): InstallStatus => {
    const found = apps.find((status) => status.client === client);
    if (!found) throw fail('CLIENT_UNKNOWN', `Toolkeep cannot be installed in "${client}".`);
    return found;
  };

  const handlers: Handlers = {
    'install.status': () => structuredClone(apps),
    'install.plan': ({ client, action, mode, readTool, profile, moveServers }) => {
      const { app, file } = find(client);
      const args = [
        'connect',
        ...(mode && mode !== 'lazy' ? ['--mode', mode] : []),
        ...(readTool ? ['--read-tool'] : []),
        ...(profile ? ['--profile', profile] : []),
      ];
      const entry = [
        '    "toolkeep": {',
        '      "command": "/usr/local/bin/toolkeep",',
        `      "args": ${JSON.stringify(args)}`,
        '    },',
      ];
      const sign = action === 'install' ? '+' : '-';
      return {
        client,
        app,
        file,
        action,
        unchanged: false,
        running: client === 'claude-desktop',
        diff: [
          `--- ${file}`,
          `+++ ${file}`,
          '@@ -1,6 +1,10 @@',
          ' {',
          '   "mcpServers": {',
          ...entry.map((line) => `${sign}${line}`),
          ...['    "filesystem": {', '      "command": "npx"', '    },'].map(
            (line) => `${moveServers ? '-' : ' '}${line}`,
          ),
          '     "notes": {',
          '',
        ].join('\n'),
        moved: moveServers ? ['filesystem'] : [],
        warnings:
          client === 'claude-desktop'
            ? ['Claude Desktop is running and may overwrite its file. Quit it first, or check afterwards.']
            : [],
        afterwards: `Quit ${app} completely and start it again.`,
        token: `${client} ${args.join(' ')} ${Boolean(moveServers)}`,
      };
    },
    'install.apply': ({ token, ...choice }) => {
      const plan = handlers['install.plan'](choice);
      if (plan instanceof Promise || plan.token !== token)
        throw fail('CLIENT_FILE_CHANGED', 'The file has changed since the preview.');
      const status = find(choice.client);
      status.state = choice.action === 'install' ? 'installed' : 'absent';
      delete status.connectedAt;
      emit('import.changed', {});
      return { file: status.file, changed: true };
    },
    'install.planRemoval': async () => {
      const installed = apps.filter(({ state }) => state === 'installed');
      const plans = installed.map(({ client }) => handlers['install.plan']({ client, action: 'uninstall' }));
      return { plans: await Promise.all(plans), problems: [] };
    },
    'install.removeAll': ({ changes }) => {
      for (const { client } of changes) find(client).state = 'absent';
      removed = changes.map(({ client }) => client);
      emit('import.changed', {});
      return { removed, problems: [] };
    },
    'install.undo': ({ client, dryRun }) => {
      const status = find(client);
      if (!dryRun) status.state = removed.includes(client) ? 'installed' : 'absent';
      return {
        file: status.file,
        restored: 'file',
        diff: dryRun ? '@@ -1 +1 @@\n-  "toolkeep": {}\n+  "github": {}\n' : '',
      };
    },
    'access.show': () => ({
      servers: ['filesystem', 'github', 'memory'],
      clients: [
        {
          id: 'claude-desktop',
          name: 'Claude Desktop',
          profile: 'work',
          all: 'usual',
          cells: ['usual', 'harmless', 'free'],
        },
        { id: 'scripts', name: 'scripts', all: 'harmless', cells: ['off', 'usual', 'custom'] },
      ],
    }),
    'access.set': () => ({ before: 'usual' }),
    'profiles.list': () => profiles.map((profile) => ({ ...profile, origin: 'own', tools: 35, unknown: [] })),
    'profiles.save': ({ profile }) => {
      profiles = [...profiles.filter(({ name }) => name !== profile.name), profile];
    },
    'profiles.remove': ({ name }) => {
      profiles = profiles.filter((profile) => profile.name !== name);
    },
    'setup.export': () => ({
      toolkeep: 'setup',
      version: 1,
      servers: [
        {
          name: 'filesystem',
          enabled: true,
          connection: { type: 'stdio', command: 'npx', args: ['-y', 'fs'], env: {} },
        },
      ],
      rules: [],
      profiles,
    }),
    'setup.import': () => ({ servers: [], rules: [], profiles: [], missing: [] }),
  };
  return { handlers, apps };
}

const sampleProfile: Profile = {
  name: 'work',
  description: 'Code and issues only',
  servers: ['github', 'filesystem'],
  tags: [],
  mode: 'lazy',
};

const sampleApps = (now: number, isFresh: boolean): InstallStatus[] => [
  {
    client: 'claude-desktop',
    app: 'Claude Desktop',
    file: '~/.config/Claude/claude_desktop_config.json',
    ...(isFresh
      ? { found: true, state: 'absent' }
      : {
          found: true,
          state: 'installed',
          access: { mode: 'hybrid', profile: 'work' },
          connectedAt: now - 3_600_000,
        }),
  } as InstallStatus,
  { client: 'cursor', app: 'Cursor', file: '/home/ada/.cursor/mcp.json', found: true, state: 'absent' },
  {
    client: 'vscode',
    app: 'VS Code',
    file: '~/.config/Code/User/mcp.json',
    found: true,
    state: isFresh ? 'absent' : 'wiped',
  },
  {
    client: 'windsurf',
    app: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    found: true,
    state: 'unreadable',
    problem: { code: 'CLIENT_FILE_INVALID', message: 'Line 12: expected a comma or a closing brace.' },
  },
  { client: 'zed', app: 'Zed', file: '~/.config/zed/settings.json', found: false, state: 'absent' },
  { client: 'codex', app: 'Codex', file: '~/.codex/config.toml', found: false, state: 'absent' },
];
