/** Which AI apps are connected, and how to connect another one. */
import { PlugZap } from 'lucide-react';
import { useState } from 'react';
import type { ClientView, Mode, Routing } from '../../shared/model.ts';
import { Badge } from '../parts/badge.tsx';
import { type Option, Select } from '../parts/controls.tsx';
import { CopyBlock } from '../parts/copy-block.tsx';
import { moment } from '../parts/format.ts';
import { ModeChoice } from '../parts/mode-choice.tsx';
import { Page, Section } from '../parts/page.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { Empty, FailureBox, Skeleton } from '../parts/states.tsx';
import { type Tab, Tabs } from '../parts/tabs.tsx';
import { useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';
import { ClientApps } from './client-apps.tsx';
import { type ClientId, clientSteps, clientWords } from './client-steps.ts';
import { Profiles } from './profiles.tsx';

const tabs: readonly Tab[] = [
  { id: '', label: 'Apps' },
  { id: 'profiles', label: 'Profiles' },
];

export function ClientsView({ parts: [wanted = ''] }: { parts: string[] }) {
  const { status } = useStores();
  const { data, failure } = useResource(status);
  return (
    <Page title="Clients" lead="AI apps that reach your tools through Gatehouse.">
      <Tabs place="clients" tabs={tabs} chosen={wanted === 'profiles' ? 'profiles' : ''} />
      {wanted === 'profiles' && <Profiles />}
      {failure && !data && <FailureBox failure={failure} onRetry={() => void status.load()} />}
      {!data && !failure && <Skeleton label="clients" rows={2} />}
      {data && wanted !== 'profiles' && (
        <>
          <Section title="Connected now">
            {data.clients.length === 0 ? (
              <Empty icon={PlugZap} title="No app is connected">
                <p>Connect one below. From then on it connects by itself when it starts.</p>
              </Empty>
            ) : (
              <ul className="rows rows-card">
                {data.clients.map((client) => (
                  <li key={client.id}>
                    <ClientRow client={client} />
                  </li>
                ))}
              </ul>
            )}
          </Section>
          <ClientApps />
          <Connect http={data.http} />
        </>
      )}
    </Page>
  );
}

const modeWords = { lazy: 'five tools', full: 'all tools', hybrid: 'pinned tools' };

const allRoutings: readonly Option[] = [
  ['here', 'Questions: asked here'],
  ['client', 'Questions: asked in the app'],
  ['both', 'Questions: asked in both'],
];

function ClientRow({ client }: { client: ClientView }) {
  const { link, notices } = useStores();
  return (
    <div className="row row-still">
      <span className="row-main">
        <span className="row-title">
          <VisibleText text={client.name} />
          <span className="muted small">
            <VisibleText text={client.version} />
          </span>
        </span>
        <span className="row-sub">Connected since {moment(client.connectedAt)}</span>
      </span>
      <span className="row-answers">
        <Select
          bare
          label={`Who answers the questions of tools that ${client.name} runs`}
          value={client.routing}
          options={client.canAnswer ? allRoutings : [allRoutings[0] as Option]}
          onChange={(routing) =>
            void notices.attempt(() =>
              link.call('clients.setRouting', { client: client.name, routing: routing as Routing }),
            )
          }
        />
      </span>
      <span className="row-end row-badges">
        <Badge>{client.transport === 'bridge' ? 'stdio' : 'HTTP'}</Badge>
        {client.era && <Badge>{client.era} protocol</Badge>}
        <Badge tone="accent">{modeWords[client.mode]}</Badge>
      </span>
    </div>
  );
}

function Connect({ http }: { http: { url: string; tokenFile: string } | undefined }) {
  const [client, setClient] = useState<ClientId>('claude-desktop');
  const [mode, setMode] = useState<Mode>('lazy');
  const steps = clientSteps(client, mode, http);
  return (
    <Section title="By hand">
      <div className="connect">
        <Select label="App" value={client} options={clientWords} onChange={(next) => setClient(next as ClientId)} />
        <ModeChoice value={mode} onChange={setMode} />
      </div>
      <ol className="steps">
        {steps.map(({ text, code }) => (
          <li key={text}>
            <p>{text}</p>
            {code && <CopyBlock text={code} label={text} />}
          </li>
        ))}
      </ol>
    </Section>
  );
}
