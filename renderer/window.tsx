/** The frame around every view: navigation, connection banner, the question queue and short notices. */
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Banner } from './parts/banner.tsx';
import { Navigation } from './parts/navigation.tsx';
import { NoticeList } from './parts/notice-list.tsx';
import { useResource } from './stores/resource.ts';
import { type Place, type Route, useRoute } from './stores/route.ts';
import { useStores } from './stores/stores.ts';
import { ClientsView } from './views/clients.tsx';
import { HistoryView } from './views/history.tsx';
import { ImportView } from './views/import.tsx';
import { QuestionQueue } from './views/questions.tsx';
import { RulesView } from './views/rules.tsx';
import { ServersView } from './views/servers.tsx';
import { SettingsView } from './views/settings.tsx';
import { ToolsView } from './views/tools.tsx';
import { WelcomeView } from './views/welcome.tsx';

const titles: Record<Place, string> = {
  servers: 'Servers',
  tools: 'Tools',
  rules: 'Rules',
  import: 'Import',
  clients: 'Clients',
  history: 'History',
  settings: 'Settings',
  question: 'Question',
};

export function Window() {
  const route = useRoute();
  const { status, link } = useStores();
  const { data } = useResource(status);
  const connection = useStore(link.state, (state) => state.status);
  const main = useRef<HTMLElement>(null);
  const isFirstStart = data?.fresh === true && route.place === 'servers' && route.parts.length === 0;

  useEffect(() => {
    document.title = isFirstStart ? 'Welcome · Gatehouse' : `${titles[route.place]} · Gatehouse`;
    main.current?.scrollTo(0, 0);
  }, [route.place, isFirstStart]);

  return (
    <div className="frame">
      {/* biome-ignore lint/a11y/useValidAnchor: the part after # is the route, so the jump is made by hand */}
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <Navigation place={route.place} />
      <div className="frame-body">
        <Banner />
        <main id="main" ref={main} tabIndex={-1} className="frame-main">
          {connection !== 'refused' && (isFirstStart ? <WelcomeView /> : <View route={route} />)}
        </main>
      </div>
      <QuestionQueue />
      <NoticeList />
    </div>
  );
}

function View({ route }: { route: Route }) {
  switch (route.place) {
    case 'servers':
      return <ServersView parts={route.parts} />;
    case 'tools':
      return <ToolsView parts={route.parts} />;
    case 'rules':
      return <RulesView />;
    case 'import':
      return <ImportView />;
    case 'clients':
      return <ClientsView parts={route.parts} />;
    case 'history':
      return <HistoryView parts={route.parts} />;
    case 'settings':
    case 'question':
      return <SettingsView parts={route.place === 'settings' ? route.parts : []} />;
  }
}
