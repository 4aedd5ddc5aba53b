/** The frame around every view: navigation, banner, question queue and toasts. */
import './zod-setup.ts';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Banner } from './components/banner.tsx';
import { ToastList } from './components/toast-list.tsx';
import { BrowseView } from './features/browse/browse.tsx';
import { BundleView, DroppedBundles } from './features/browse/bundle.tsx';
import { ClientsView } from './features/clients/clients.tsx';
import { HistoryView } from './features/history/history.tsx';
import { HomeView } from './features/home/home.tsx';
import { NotificationsView } from './features/notifications/notifications.tsx';
import { Shortcuts } from './features/palette/shortcuts.tsx';
import { QuestionQueue } from './features/questions/questions.tsx';
import { RulesView } from './features/rules/rules.tsx';
import { ImportView } from './features/servers/import.tsx';
import { ServersView } from './features/servers/servers.tsx';
import { SettingsView } from './features/settings/settings.tsx';
import { ToolsView } from './features/tools/tools.tsx';
import { WelcomeView } from './features/welcome/welcome.tsx';
import { Navigation } from './navigation.tsx';
import { useResource } from './stores/resource.ts';
import { type Route, useRoute, type View } from './stores/route.ts';
import { useStores } from './stores/stores.ts';
import { t } from './text.tsx';
import styles from './window.module.css';

const titles: Record<View, string> = {
  home: t('Home'),
  welcome: t('Welcome'),
  servers: t('Servers'),
  tools: t('Tools'),
  rules: t('Rules'),
  import: t('Import'),
  browse: t('Browse'),
  bundle: t('Bundle'),
  clients: t('Clients'),
  history: t('History'),
  settings: t('Settings'),
  notifications: t('Notifications'),
  question: t('Question'),
};

export function Window() {
  const route = useRoute();
  const { status, link, questions, rules } = useStores();
  const openQuestions = useStore(questions.state, ({ queue }) => queue.length);
  const { data } = useResource(status);
  const connection = useStore(link.state, (state) => state.status);
  const main = useRef<HTMLElement>(null);
  const shownView = useRef<View>(undefined);
  const isFirstRun = data !== undefined && data.setupStep !== 'done' && route.isDefault;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs for each view, which starts at its top
  useLayoutEffect(() => {
    main.current?.scrollTo(0, 0);
    // Otherwise the keyboard would start at the navigation again.
    if (shownView.current !== undefined) main.current?.querySelector('h1')?.focus({ preventScroll: true });
    shownView.current = route.view;
  }, [route.view, isFirstRun]);
  const hasDraft = useStore(rules.state, ({ draft }) => draft !== undefined);
  useEffect(() => {
    if (!hasDraft) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [hasDraft]);
  const title = isFirstRun ? t('Welcome') : titles[route.view];
  useEffect(() => {
    document.title = openQuestions > 0 ? `(${openQuestions}) ${title} · Toolkeep` : `${title} · Toolkeep`;
  }, [title, openQuestions]);

  const isSetup = isFirstRun || route.view === 'welcome';

  return (
    <div className={isSetup ? `${styles.frame} ${styles.frameSetup}` : styles.frame}>
      {/* biome-ignore lint/a11y/useValidAnchor: the URL fragment holds the route, so the skip link moves the focus in code */}
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t('Skip to content')}
      </a>
      {!isSetup && <Navigation view={route.view} />}
      <div className={styles.frameBody}>
        <Banner />
        <main id="main" ref={main} tabIndex={-1} className={styles.frameMain}>
          {connection !== 'refused' && (isFirstRun ? <WelcomeView /> : <CurrentView route={route} />)}
        </main>
      </div>
      <DroppedBundles />
      <QuestionQueue />
      <ToastList />
      <Shortcuts />
    </div>
  );
}

function CurrentView({ route }: { route: Route }) {
  switch (route.view) {
    case 'home':
      return <HomeView />;
    case 'welcome':
      return <WelcomeView />;
    case 'servers':
      return <ServersView segments={route.segments} />;
    case 'tools':
      return <ToolsView segments={route.segments} />;
    case 'rules':
      return <RulesView />;
    case 'import':
      return <ImportView />;
    case 'browse':
      return <BrowseView segments={route.segments} />;
    case 'bundle':
      return <BundleView key={route.segments[0]} segments={route.segments} />;
    case 'clients':
      return <ClientsView segments={route.segments} />;
    case 'history':
      return <HistoryView segments={route.segments} />;
    case 'notifications':
      return <NotificationsView />;
    case 'settings':
    case 'question':
      return <SettingsView segments={route.view === 'settings' ? route.segments : []} />;
  }
}
