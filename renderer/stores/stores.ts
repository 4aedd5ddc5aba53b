/** All stores of the window, created once per page and provided by React context. */
import { createContext, useContext } from 'react';
import { t } from '../text.tsx';
import { createAppearance } from './appearance.ts';
import { clientNameIn } from './client-names.ts';
import { createHistory } from './history.ts';
import { createHistoryView } from './history-view.ts';
import { createIcons } from './icons.ts';
import { createImport } from './import.ts';
import { createLayout } from './layout.ts';
import type { Link } from './link.ts';
import { createNotificationList } from './notifications.ts';
import { createOverlay } from './overlay.ts';
import { createPrompt, type PromptBridge } from './prompt.ts';
import { createQuestions } from './questions.ts';
import { createResources } from './resources.ts';
import { hrefOf } from './route.ts';
import { createRules } from './rules.ts';
import { createServerList } from './server-list.ts';
import { createToasts } from './toasts.ts';
import { createTools } from './tools.ts';

export type Stores = ReturnType<typeof createStores>;

/** `promptBridge` is set only in the app's prompt window. */
export function createStores(link: Link, promptBridge?: PromptBridge) {
  const toasts = createToasts();
  const resources = createResources(link);
  const { clientNames } = resources;
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
  link.on('questions.lifecycle', ({ kind, type, server, tool, action }) => {
    const place = tool ?? server ?? t('a server');
    if (kind === 'responded' && action === 'cancel')
      toasts.success(t('The question about {place} is closed, because its call was canceled.', { place }));
    if (kind !== 'timeout') return;
    const [code, message] =
      type === 'approval'
        ? (['APPROVAL_TIMEOUT', t('You did not answer in time, so {place} did not run.', { place })] as const)
        : (['ELICITATION_TIMEOUT', t('You did not answer the question from {place} in time.', { place })] as const);
    toasts.error({
      code,
      message,
      hint: t('To change how long questions wait, go to Settings › Approvals.'),
    });
  });
  return {
    link,
    ...resources,
    toasts,
    overlay: createOverlay(),
    appearance: createAppearance(),
    notificationList: createNotificationList(),
    historyView: createHistoryView(),
    layout: createLayout(),
    tools: createTools(link),
    /** The filters and the order of the list of servers. */
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

interface ReplayedCall {
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
}

interface Replay {
  start(call: ReplayedCall): void;
  /** The arguments for the form of a tool. */
  argumentsFor(server: string, tool: string): Record<string, unknown> | undefined;
  end(): void;
}

function createReplay(): Replay {
  let current: ReplayedCall | undefined;
  return {
    start(call) {
      current = call;
    },
    argumentsFor: (server, tool) =>
      current?.server === server && current.tool === tool ? current.arguments : undefined,
    end() {
      current = undefined;
    },
  };
}
