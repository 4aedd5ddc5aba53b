/** The entries of the palette: views, actions, servers and tools. */
import type { ServerView } from '../../../shared/model/server.ts';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { textSizes } from '../../stores/appearance.ts';
import { navigate, type View } from '../../stores/route.ts';
import type { Stores } from '../../stores/stores.ts';
import type { PaletteEntry } from './match.ts';

const places: readonly [label: string, view: View, segment?: string, keywords?: string][] = [
  ['Home', 'home', undefined, 'start overview status'],
  ['Servers', 'servers'],
  ['Tools', 'tools'],
  ['Rules', 'rules'],
  ['Clients', 'clients', undefined, 'apps connect install claude cursor'],
  ['Profiles', 'clients', 'profiles'],
  ['History', 'history', undefined, 'activity calls audit log'],
  ['Token savings', 'history', 'savings', 'statistics'],
  ['Browse servers', 'browse', undefined, 'registry install find'],
  ['Open a bundle', 'bundle', undefined, 'mcpb dxt install file'],
  ['Import servers', 'import', undefined, 'scan find'],
  ['Settings', 'settings', undefined, 'preferences options appearance'],
  ['Approvals', 'settings', 'approvals', 'grants settings'],
  ['Secrets', 'settings', 'secrets', 'vault keys passwords settings'],
  ['Trusted folders', 'settings', 'folders', 'trust project config settings'],
  ['Search settings', 'settings', 'search', 'feedback'],
  ['Status', 'settings', 'status', 'health processes settings'],
  ['Notifications', 'notifications', undefined, 'inbox bell alerts missed unread'],
  ['Setup', 'welcome', undefined, 'first run welcome'],
];

export function goToEntries(): PaletteEntry[] {
  return places.map(([label, view, segment, keywords]) => ({
    id: `go ${label}`,
    group: 'Go to',
    label,
    ...(keywords && { keywords }),
    run: () => navigate(view, ...(segment ? [segment] : [])),
  }));
}

export function actionEntries(
  { link, toasts, appearance, config, overlay }: Stores,
  isPaused: boolean,
): PaletteEntry[] {
  const action = (label: string, keywords: string, run: () => void): PaletteEntry => ({
    id: `action ${label}`,
    group: 'Action',
    label,
    keywords,
    run,
  });
  const { density, textSize } = appearance.state.getState();
  const size = textSizes.indexOf(textSize);
  const [smaller, larger] = [textSizes[size - 1], textSizes[size + 1]];
  return [
    action('Add a server…', 'new command url paste', () => overlay.show('add-server')),
    isPaused
      ? action(
          'Resume Gatehouse',
          'unpause',
          () => void toasts.attempt(() => link.call('core.pause', { paused: false })),
        )
      : action('Pause Gatehouse', 'stop', () => void toasts.attempt(() => link.call('core.pause', { paused: true }))),
    action(
      'Reload the config file',
      'refresh',
      () =>
        void toasts.attempt(
          () => link.call('config.reload').then(() => config.load()),
          'The config file was reloaded.',
        ),
    ),
    action('Use the light theme', 'appearance color', () => appearance.set({ theme: 'light' })),
    action('Use the dark theme', 'appearance color', () => appearance.set({ theme: 'dark' })),
    action('Use the system theme', 'appearance color', () => appearance.set({ theme: 'system' })),
    density === 'compact'
      ? action('Use comfortable density', 'appearance spacing', () => appearance.set({ density: 'comfortable' }))
      : action('Use compact density', 'appearance spacing dense', () => appearance.set({ density: 'compact' })),
    ...(larger
      ? [action('Make the text larger', 'appearance zoom font size', () => appearance.set({ textSize: larger }))]
      : []),
    ...(smaller
      ? [action('Make the text smaller', 'appearance zoom font size', () => appearance.set({ textSize: smaller }))]
      : []),
    action('Keyboard shortcuts', 'keys help', () => overlay.show('shortcuts')),
  ];
}

export function serverEntries({ link, toasts }: Stores, servers: readonly ServerView[]): PaletteEntry[] {
  return servers.flatMap(({ id, status, target }): PaletteEntry[] => {
    const isDisabled = status === 'disabled';
    return [
      { id: `server ${id}`, group: 'Server', label: id, detail: target, run: () => navigate('servers', id) },
      {
        id: `toggle ${id}`,
        group: 'Action',
        label: `${isDisabled ? 'Enable' : 'Disable'} ${id}`,
        keywords: 'server',
        run: () =>
          void toasts.attempt(
            () => link.call('servers.setEnabled', { server: id, enabled: isDisabled }),
            `${isDisabled ? 'Enabled' : 'Disabled'} ${id}.`,
          ),
      },
    ];
  });
}

export const toolEntries = (tools: readonly ToolSummary[]): PaletteEntry[] =>
  tools.map(({ key, server, name, title }) => ({
    id: `tool ${key}`,
    group: 'Tool',
    label: name,
    detail: server,
    ...(title !== name && { keywords: title }),
    run: () => navigate('tools', server, name),
  }));
