/** All stores of the window, created once per page and provided by React context. */
import { createContext, useContext } from 'react';
import { t } from '../text.tsx';
import { type Appearance, createAppearance } from './appearance.ts';
import { clientNameIn } from './client-names.ts';
import { createHistory, type HistoryStore } from './history.ts';
import { createHistoryView, type HistoryFilter } from './history-view.ts';
import { createIcons, type IconsStore } from './icons.ts';
import { createImport, type ImportStore } from './import.ts';
import { createLayout, type LayoutState } from './layout.ts';
import type { Link } from './link.ts';
import { createNotificationList, type NotificationListState } from './notifications.ts';
import { createOverlay, type Overlay } from './overlay.ts';
import { createPrompt, type PromptBridge, type PromptStore } from './prompt.ts';
import { createQuestions, type QuestionsStore } from './questions.ts';
import { createReplay, type Replay } from './replay.ts';
import { createResource } from './resource.ts';
import { hrefOf } from './route.ts';
import { createRules, type RulesStore } from './rules.ts';
import { createServerList, type ServerListState } from './server-list.ts';
import { createToasts, type Toasts } from './toasts.ts';
import { createTools, type ToolsStore } from './tools.ts';
import type { ViewState } from './view-state.ts';

export interface Stores {
  link: Link;
  appearance: Appearance;
  toasts: Toasts;
  overlay: Overlay;
  status: ReturnType<typeof statusResource>;
  servers: ReturnType<typeof serversResource>;
  config: ReturnType<typeof configResource>;
  settings: ReturnType<typeof settingsResource>;
  update: ReturnType<typeof updateResource>;
  installs: ReturnType<typeof installsResource>;
  /** Names of servers that appeared in clients' files since the last scan. */
  newServers: ReturnType<typeof newServersResource>;
  registries: ReturnType<typeof registriesResource>;
  /** The servers that came from a registry or a bundle, with their updates. */
  installed: ReturnType<typeof installedResource>;
  profiles: ReturnType<typeof profilesResource>;
  /** Failed servers, an untrusted folder, held tools and secrets in plain text. */
  attention: ReturnType<typeof attentionResource>;
  notifications: ReturnType<typeof notificationsResource>;
  notificationList: ViewState<NotificationListState>;
  historyView: ViewState<HistoryFilter>;
  layout: ViewState<LayoutState>;
  activeCalls: ReturnType<typeof activeCallsResource>;
  /** The display names of known clients. */
  clientNames: ReturnType<typeof clientNamesResource>;
  recentRecords: ReturnType<typeof recentRecordsResource>;
  week: ReturnType<typeof weekResource>;
  tools: ToolsStore;
  /** The filters and the order of the list of servers. */
  serverList: ViewState<ServerListState>;
  rules: RulesStore;
  replay: Replay;
  imports: ImportStore;
  icons: IconsStore;
  prompt: PromptStore;
  questions: QuestionsStore;
  history: HistoryStore;
}

const statusResource = (link: Link) =>
  createResource(link, () => link.call('core.status'), [
    'core.changed',
    'clients.changed',
    'servers.changed',
    'tools.changed',
    'rules.changed',
  ]);
const serversResource = (link: Link) =>
  createResource(link, () => link.call('servers.list'), ['servers.changed', 'tools.changed', 'rules.changed']);
const configResource = (link: Link) =>
  createResource(link, async () => {
    const [shown, { problems, ...validation }] = await Promise.all([
      link.call('config.show'),
      link.call('config.validate'),
    ]);
    // Leave out an untrusted folder: it is not a mistake in a file, and `attention` contains it.
    return {
      shown,
      validation: { ...validation, problems: problems.filter(({ code }) => code !== 'CONFIG_UNTRUSTED') },
    };
  }, ['config.changed']);

const settingsResource = (link: Link) => createResource(link, () => link.call('settings.show'), ['core.changed']);

const updateResource = (link: Link) => createResource(link, () => link.call('updates.show'), ['updates.changed']);

const installsResource = (link: Link) =>
  createResource(link, () => link.call('install.status'), ['import.changed', 'clients.changed', 'servers.changed']);
const newServersResource = (link: Link) =>
  createResource(link, async () => {
    const { entries } = await link.call('import.plan', {});
    return entries.filter((entry) => entry.isUnseen && entry.state === 'new').map((entry) => entry.server.name);
  }, ['import.changed']);
const registriesResource = (link: Link) =>
  createResource(link, () => link.call('registry.list'), ['registry.changed', 'config.changed']);
const installedResource = (link: Link) =>
  createResource(link, () => link.call('registry.installed'), [
    'registry.changed',
    'servers.changed',
    'config.changed',
  ]);
const profilesResource = (link: Link) =>
  createResource(link, () => link.call('profiles.list'), ['core.changed', 'config.changed', 'tools.changed']);

const attentionResource = (link: Link) =>
  createResource(link, () => link.call('attention.list'), ['servers.changed', 'tools.changed', 'config.changed']);
const notificationsResource = (link: Link) =>
  createResource(link, () => link.call('notifications.list'), ['notifications.changed']);
const clientNamesResource = (link: Link) => createResource(link, () => link.call('clients.names'), []);
const activeCallsResource = (link: Link) => createResource(link, () => link.call('calls.active'), ['calls.changed']);
const recentRecordsResource = (link: Link) =>
  createResource(link, () => link.call('history.list', { limit: 30 }), ['calls.recorded']);
const weekResource = (link: Link) =>
  createResource(link, async () => {
    const [activity, savings] = await Promise.all([
      link.call('stats.activity', { days: 7 }),
      link.call('stats.show', { days: 7 }),
    ]);
    return { activity, savings };
  }, ['calls.recorded', 'clients.changed', 'tools.changed']);

/** `promptBridge` is set only in the app's prompt window. */
export function createStores(link: Link, promptBridge?: PromptBridge): Stores {
  const toasts = createToasts();
  const clientNames = clientNamesResource(link);
  clientNames.retain();
  const prompt = createPrompt(promptBridge);
  link.on('tools.enableRequested', ({ client, server, tool }) =>
    toasts.success(
      t('{client} tried to use {tool} on {server}, which is disabled.', {
        client: clientNameIn(clientNames.state.getState().data, client),
        tool,
        server,
      }),
      {
        href: hrefOf('tools', server, tool),
      },
    ),
  );
  link.on('questions.lifecycle', ({ kind, type, server, tool }) => {
    if (kind !== 'timeout') return;
    const place = tool ?? server ?? t('a server');
    const message =
      type === 'approval'
        ? t('You did not answer in time, so {place} did not run.', { place })
        : t('You did not answer the question from {place} in time.', { place });
    toasts.error({
      code: 'ELICITATION_TIMEOUT',
      message,
      hint: t('To change how long questions wait, go to Settings › Approvals.'),
    });
  });
  return {
    link,
    toasts,
    overlay: createOverlay(),
    appearance: createAppearance(),
    status: statusResource(link),
    servers: serversResource(link),
    config: configResource(link),
    settings: settingsResource(link),
    update: updateResource(link),
    installs: installsResource(link),
    newServers: newServersResource(link),
    registries: registriesResource(link),
    installed: installedResource(link),
    profiles: profilesResource(link),
    attention: attentionResource(link),
    notifications: notificationsResource(link),
    notificationList: createNotificationList(),
    historyView: createHistoryView(),
    layout: createLayout(),
    activeCalls: activeCallsResource(link),
    clientNames,
    recentRecords: recentRecordsResource(link),
    week: weekResource(link),
    tools: createTools(link),
    serverList: createServerList(),
    rules: createRules(link),
    replay: createReplay(),
    imports: createImport(link),
    icons: createIcons(link),
    prompt,
    questions: createQuestions(link, prompt),
    history: createHistory(link),
  };
}

const StoresContext = createContext<Stores | undefined>(undefined);
export const StoresProvider = StoresContext.Provider;

export function useStores(): Stores {
  const stores = useContext(StoresContext);
  if (!stores) throw new Error('useStores() needs a StoresProvider.');
  return stores;
}
