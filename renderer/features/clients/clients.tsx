/** The connected clients, and how to connect another one. */
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ClientView, Mode, Routing } from '../../../shared/model/call.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { Badge } from '../../components/badge.tsx';
import { ClientLogo } from '../../components/client-logo.tsx';
import { ClientName, useClientName } from '../../components/client-name.tsx';
import { type Option, Select } from '../../components/controls.tsx';
import { CopyBlock } from '../../components/copy-block.tsx';
import { moment } from '../../components/format.ts';
import { Page, Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Unloaded } from '../../components/states.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { Access } from './access.tsx';
import styles from './clients.module.css';
import { Installs } from './installs.tsx';
import { ModeChoice } from './mode-choice.tsx';
import { Profiles } from './profiles.tsx';
import { type ClientId, clientOptions, setupSteps } from './setup-steps.ts';
import { Tokens } from './tokens.tsx';

const tabs: readonly Tab[] = [
  { id: '', label: t('Clients') },
  { id: 'access', label: t('Access') },
  { id: 'profiles', label: t('Profiles') },
  { id: 'tokens', label: t('HTTP tokens') },
];

export function ClientsView({ segments: [requestedTab = ''] }: { segments: string[] }) {
  const { status } = useStores();
  const { data, failure } = useResource(status);
  const tab = tabs.some(({ id }) => id === requestedTab) ? requestedTab : '';
  return (
    <Page title={t('Clients')} lead={t('Apps that use your tools through Toolkeep, such as Claude Desktop or Cursor.')}>
      <Tabs view="clients" tabs={tabs} current={tab} />
      {tab === 'profiles' && <Profiles />}
      {tab === 'access' && <Access />}
      {tab === 'tokens' && data && <Tokens url={data.http?.url} />}
      {!data && <Unloaded failure={failure} label={t('Loading clients')} rows={2} onRetry={status.load} />}
      {data && tab === '' && (
        <>
          <Section title={t('Connected now')}>
            {data.clients.length === 0 ? (
              <p className="muted">
                {t(
                  'No client is connected. After you connect one below, it connects automatically whenever it starts.',
                )}
              </p>
            ) : (
              <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
                {data.clients.map((client) => (
                  <li key={client.id}>
                    <ClientRow client={client} />
                  </li>
                ))}
              </ul>
            )}
          </Section>
          <Installs />
          <Connect bridge={data.bridge} http={data.http} />
        </>
      )}
    </Page>
  );
}

const modeLabels = { lazy: t('five tools'), full: t('all tools'), hybrid: t('pinned tools') };

const allRoutings: readonly Option[] = [
  ['toolkeep', t('Ask questions in Toolkeep')],
  ['client', t('Ask questions in the client')],
  ['both', t('Ask questions in both')],
];

const callsAtOnce: readonly Option[] = [
  ['one', t('One call at a time')],
  ['many', t('Many calls at once')],
];

function ClientRow({ client }: { client: ClientView }) {
  const { link, toasts, appearance } = useStores();
  const showTechnicalDetails = useStore(appearance.state, (state) => state.showTechnicalDetails);
  const nameOf = useClientName();
  return (
    <div className={`${rowsStyles.row} ${rowsStyles.rowStill}`}>
      <ClientLogo name={nameOf(client.name)} />
      <span className={rowsStyles.rowMain}>
        <span className={rowsStyles.rowTitle}>
          <ClientName name={client.name} />
          <VisibleText
            as="span"
            className={`muted small ellipsis ${styles.version}`}
            title={client.version}
            text={client.version}
          />
        </span>
        <span className="ellipsis muted small">
          {t('Connected since {time}', { time: moment(client.connectedAt) })}
        </span>
      </span>
      <span className={rowsStyles.rowAnswers}>
        <Select
          bare
          label={t('Where to show questions from tools that {client} runs', { client: nameOf(client.name) })}
          value={client.routing}
          options={client.canAnswer ? allRoutings : [allRoutings[0] as Option]}
          onChange={(routing) =>
            void toasts.attempt(() =>
              link.call('clients.setRouting', { client: client.name, routing: routing as Routing }),
            )
          }
        />
        {client.mode !== 'full' && (
          <Select
            bare
            label={t('How many calls {client} may send at once', { client: nameOf(client.name) })}
            value={client.batch ? 'many' : 'one'}
            options={callsAtOnce}
            onChange={(next) =>
              void toasts.attempt(() =>
                link.call('clients.setBatch', { client: client.name, enabled: next === 'many' }),
              )
            }
          />
        )}
      </span>
      <span className={`${rowsStyles.rowEnd} ${rowsStyles.rowBadges}`}>
        <Badge>{client.transport === 'bridge' ? 'stdio' : 'HTTP'}</Badge>
        {showTechnicalDetails && client.era && <Badge>{t('{era} protocol', { era: client.era })}</Badge>}
        <Badge tone="accent">{modeLabels[client.mode]}</Badge>
      </span>
    </div>
  );
}

type Status = CommandOutput<'core.status'>;

function Connect({ bridge, http }: Pick<Status, 'bridge' | 'http'>) {
  const [client, setClient] = useState<ClientId>('claude-desktop');
  const [mode, setMode] = useState<Mode>('lazy');
  const steps = setupSteps(client, mode, bridge, http);
  return (
    <Section title={t('Manual setup')}>
      <div className={styles.connect}>
        <Select
          label={t('Client')}
          value={client}
          options={clientOptions}
          onChange={(next) => setClient(next as ClientId)}
        />
        <ModeChoice value={mode} onChange={setMode} />
      </div>
      <ol className={`${styles.steps} stack`}>
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
