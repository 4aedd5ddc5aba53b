/** The entries of the palette: open questions, views, actions, servers and tools. */
import type { Question } from '../../../shared/model/question.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import type { CommandInput } from '../../../shared/protocol/contract.ts';
import { copyText } from '../../components/copy-block.tsx';
import { duration, listOf } from '../../components/format.ts';
import { timedPauses } from '../../components/timed-pauses.ts';
import { textSizes } from '../../stores/appearance.ts';
import { noHistoryFilter } from '../../stores/history-view.ts';
import { navigate, type View } from '../../stores/route.ts';
import type { Stores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import type { PaletteEntry } from './match.ts';

const places: readonly [label: string, view: View, segment?: string, keywords?: string][] = [
  [t('Home'), 'home', undefined, t('start overview status')],
  [t('Servers'), 'servers'],
  [t('Tools'), 'tools'],
  [t('Rules'), 'rules'],
  [t('Clients'), 'clients', undefined, t('apps connect install claude cursor')],
  [t('Profiles'), 'clients', 'profiles'],
  [t('History'), 'history', undefined, t('activity calls audit log')],
  [t('Changes'), 'history', 'changes', t('undo timeline')],
  [t('Browse servers'), 'browse', undefined, t('registry install find')],
  [t('Open a bundle'), 'bundle', undefined, t('mcpb dxt install file')],
  [t('Import servers'), 'import', undefined, t('scan find')],
  [t('Settings'), 'settings', undefined, t('preferences options appearance')],
  [t('Approvals'), 'settings', 'approvals', t('grants settings')],
  [t('Secrets'), 'settings', 'secrets', t('vault keys passwords settings')],
  [t('Trusted folders'), 'settings', 'folders', t('trust project config settings')],
  [t('Search settings'), 'settings', 'search', t('feedback')],
  [t('Status'), 'settings', 'status', t('health processes settings')],
  [t('Notifications'), 'notifications', undefined, t('inbox bell alerts missed unread')],
  [t('Setup'), 'welcome', undefined, t('first run welcome')],
];

export function goToEntries(): PaletteEntry[] {
  return places.map(([label, view, segment, keywords]) => ({
    id: `go ${label}`,
    kind: 'view',
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
    kind: 'action',
    label,
    keywords,
    run,
  });
  const setPause = (input: CommandInput<'core.pause'>) => void toasts.attempt(() => link.call('core.pause', input));
  const { density, textSize } = appearance.state.getState();
  const size = textSizes.indexOf(textSize);
  const [smaller, larger] = [textSizes[size - 1], textSizes[size + 1]];
  return [
    action(t('Add a server…'), t('new command url paste'), () => overlay.show('add-server')),
    ...(isPaused
      ? [action(t('Resume Toolkeep'), t('unpause'), () => setPause({ paused: false }))]
      : [
          action(t('Pause Toolkeep'), t('stop'), () => setPause({ paused: true })),
          ...timedPauses.map(({ label, minutes }) =>
            action(label, t('stop'), () => setPause({ paused: true, minutes: minutes() })),
          ),
        ]),
    action(
      t('Reload config file'),
      t('refresh'),
      () =>
        void toasts.attempt(
          () => link.call('config.reload').then(() => config.load()),
          t('The config file was reloaded.'),
        ),
    ),
    action(t('Use light theme'), t('appearance color'), () => appearance.set({ theme: 'light' })),
    action(t('Use dark theme'), t('appearance color'), () => appearance.set({ theme: 'dark' })),
    action(t('Use system theme'), t('appearance color'), () => appearance.set({ theme: 'system' })),
    density === 'compact'
      ? action(t('Use comfortable density'), t('appearance spacing'), () => appearance.set({ density: 'comfortable' }))
      : action(t('Use compact density'), t('appearance spacing dense'), () => appearance.set({ density: 'compact' })),
    ...(larger
      ? [action(t('Make text larger'), t('appearance zoom font size'), () => appearance.set({ textSize: larger }))]
      : []),
    ...(smaller
      ? [action(t('Make text smaller'), t('appearance zoom font size'), () => appearance.set({ textSize: smaller }))]
      : []),
    action(t('Keyboard shortcuts'), t('keys help'), () => overlay.show('shortcuts')),
  ];
}

export function serverEntries({ link, toasts }: Stores, servers: readonly ServerView[]): PaletteEntry[] {
  return servers.flatMap(({ id, status, target }): PaletteEntry[] => {
    const isDisabled = status === 'disabled';
    return [
      {
        id: `server ${id}`,
        kind: 'server',
        label: id,
        detail: target,
        run: () => navigate('servers', id),
      },
      {
        id: `toggle ${id}`,
        kind: 'action',
        label: isDisabled ? t('Enable {server}', { server: id }) : t('Disable {server}', { server: id }),
        keywords: t('server'),
        run: () =>
          void toasts.attempt(
            () => link.call('servers.setEnabled', { server: id, enabled: isDisabled }),
            isDisabled ? t('Enabled {server}.', { server: id }) : t('Disabled {server}.', { server: id }),
          ),
      },
      ...(isDisabled ? [] : [testEntry({ link, toasts }, id)]),
    ];
  });
}

/** Lists the tools of a server, which starts it if necessary. */
const testEntry = ({ link, toasts }: Pick<Stores, 'link' | 'toasts'>, server: string): PaletteEntry => ({
  id: `test ${server}`,
  kind: 'action',
  label: t('Test {server}', { server }),
  keywords: t('server'),
  async run() {
    const [result] = (await toasts.attempt(() => link.call('servers.discover', { server })))?.results ?? [];
    if (result?.failure) return toasts.error(result.failure);
    if (!result) return;
    const { toolCount: count, durationMs } = result;
    const facts = { server, count, duration: duration(durationMs) };
    toasts.success(t('{server} works: {count, plural, one {# tool} other {# tools}}, listed in {duration}.', facts));
  },
});

export const questionEntries = (
  { questions }: Stores,
  queue: readonly Question[],
  clientName: (name: string) => string,
): PaletteEntry[] =>
  queue.map(({ id, from: { client, server, tool } }) => ({
    id: `question ${id}`,
    kind: 'question',
    label: t('Answer {place}', { place: tool ?? server ?? '' }),
    detail: listOf([client && clientName(client), server].filter((name) => name !== undefined)),
    run: () => questions.show(id),
  }));

/** Each opens the last call of a tool that did not succeed. */
export const whyEntries = ({ link, toasts, historyView }: Stores, tools: readonly ToolSummary[]): PaletteEntry[] =>
  tools.map(({ key, server, name }) => ({
    id: `why ${key}`,
    kind: 'action',
    label: t('Last failed or refused call of {tool}', { tool: name }),
    detail: server,
    async run() {
      const calls = await toasts.attempt(() =>
        link.call('history.list', { server, kind: 'call', text: name, limit: 1000 }),
      );
      const stopped = calls?.find(({ tool, outcome }) => tool === name && outcome !== 'ok');
      historyView.set(noHistoryFilter);
      if (stopped) navigate('history', stopped.id);
      else if (calls) toasts.success(t('No recent call of {tool} failed or was refused.', { tool: name }));
    },
  }));

/** Opens the dialog that adds a server with the pasted text. Core reads it there. */
export const pastedEntry = ({ overlay }: Stores, text: string): PaletteEntry => ({
  id: 'pasted',
  kind: 'action',
  label: t('Add this server…'),
  detail: text.trim().slice(0, 80),
  run: () => overlay.show('add-server', text),
});

export const toolActionEntries = ({ link, toasts }: Stores, tools: readonly ToolSummary[]): PaletteEntry[] =>
  tools.flatMap(({ key, server, name, enabled }): PaletteEntry[] => [
    {
      id: `policy ${key}`,
      kind: 'action',
      label: enabled ? t('Disable {tool}', { tool: name }) : t('Enable {tool}', { tool: name }),
      detail: server,
      run: () =>
        void toasts.attempt(
          () => link.call('tools.setPolicy', { server, tool: name, enabled: !enabled }),
          enabled ? t('Disabled {tool}.', { tool: name }) : t('Enabled {tool}.', { tool: name }),
        ),
    },
    {
      id: `copy ${key}`,
      kind: 'action',
      label: t('Copy name of {tool}', { tool: name }),
      detail: server,
      run: () => void toasts.attempt(() => copyText(name), t('Copied.')),
    },
  ]);

export const toolEntries = (tools: readonly ToolSummary[]): PaletteEntry[] =>
  tools.map(({ key, server, name, title }) => ({
    id: `tool ${key}`,
    kind: 'tool',
    label: name,
    detail: server,
    ...(title !== name && { keywords: title }),
    run: () => navigate('tools', server, name),
  }));
