/** Everything the window remembers, made once per page and handed down by context. */
import { createContext, useContext } from 'react';
import { type Choices, createChoices } from './choices.ts';
import { createHistory, type HistoryStore } from './history.ts';
import { createImport, type ImportStore } from './import.ts';
import type { Link } from './link.ts';
import { createNotices, type Notices } from './notices.ts';
import { createPrompt, type PromptBridge, type PromptStore } from './prompt.ts';
import { createQuestions, type QuestionsStore } from './questions.ts';
import { createResource } from './resource.ts';
import { hrefOf } from './route.ts';
import { createRules, type RulesStore } from './rules.ts';
import { createTools, type ToolsStore } from './tools.ts';

export interface Stores {
  link: Link;
  choices: Choices;
  notices: Notices;
  status: ReturnType<typeof statusResource>;
  servers: ReturnType<typeof serversResource>;
  config: ReturnType<typeof configResource>;
  settings: ReturnType<typeof settingsResource>;
  apps: ReturnType<typeof appsResource>;
  /** Names of servers that turned up in other apps since the last look. */
  offers: ReturnType<typeof offersResource>;
  profiles: ReturnType<typeof profilesResource>;
  tools: ToolsStore;
  rules: RulesStore;
  importing: ImportStore;
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
    const [shown, validation] = await Promise.all([link.call('config.show'), link.call('config.validate')]);
    return { shown, validation };
  }, ['config.changed']);

const settingsResource = (link: Link) => createResource(link, () => link.call('settings.show'), ['core.changed']);

const appsResource = (link: Link) =>
  createResource(link, () => link.call('install.status'), ['import.changed', 'clients.changed', 'servers.changed']);
const offersResource = (link: Link) =>
  createResource(link, async () => {
    const { entries } = await link.call('import.plan', {});
    return entries.filter((entry) => entry.isOffer && entry.state === 'new').map((entry) => entry.server.name);
  }, ['import.changed']);
const profilesResource = (link: Link) =>
  createResource(link, () => link.call('profiles.list'), ['core.changed', 'config.changed', 'tools.changed']);

/** `promptBridge` only for a page that is the app's prompt window. */
export function createStores(link: Link, promptBridge?: PromptBridge): Stores {
  const notices = createNotices();
  const prompt = createPrompt(promptBridge);
  link.on('tools.wanted', ({ client, server, tool }) =>
    notices.good(`${client} looked for ${tool} on ${server}, which is off.`, hrefOf('tools', server, tool)),
  );
  return {
    link,
    notices,
    choices: createChoices(),
    status: statusResource(link),
    servers: serversResource(link),
    config: configResource(link),
    settings: settingsResource(link),
    apps: appsResource(link),
    offers: offersResource(link),
    profiles: profilesResource(link),
    tools: createTools(link),
    rules: createRules(link),
    importing: createImport(link),
    prompt,
    questions: createQuestions(link, prompt),
    history: createHistory(link),
  };
}

const StoresContext = createContext<Stores | undefined>(undefined);
export const StoresProvider = StoresContext.Provider;

export function useStores(): Stores {
  const stores = useContext(StoresContext);
  if (!stores) throw new Error('The window was mounted without its stores.');
  return stores;
}
