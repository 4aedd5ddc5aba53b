/** Servers from registries: a searchable list, and the selected entry with its installation plan. */
import { Compass, LibraryBig } from 'lucide-react';
import { useState } from 'react';
import type { RegistryView } from '../../../shared/model/registry.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { dotted, listOf, moment } from '../../components/format.ts';
import { Page, Split } from '../../components/page.tsx';
import { Empty, FailureBox, Unloaded } from '../../components/states.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import { EntryDetail } from './entry-detail.tsx';
import { EntryList } from './entry-list.tsx';

export function BrowseView({ segments: [registry, name, version] }: { segments: string[] }) {
  const { registries } = useStores();
  const { data, failure } = useResource(registries);
  const [query, setQuery] = useState('');
  const isLoaded = data?.some(({ entries }) => entries > 0);
  const isOpen = registry !== undefined && name !== undefined;
  return (
    <Page
      fill
      title={t('Browse')}
      back={{ href: hrefOf('servers'), label: t('Servers') }}
      lead={data && isLoaded ? summary(data) : undefined}
      actions={isLoaded && <LoadButton />}
    >
      {!data && <Unloaded failure={failure} label={t('Loading registries')} onRetry={registries.load} />}
      {data && !isLoaded && <NotLoaded registries={data} />}
      {data && isLoaded && (
        <Split
          isOpen={isOpen}
          backHref={hrefOf('browse')}
          backLabel={t('All servers')}
          detailLabel={isOpen ? t('Server {name}', { name }) : t('Server details')}
          list={<EntryList query={query} onQuery={setQuery} selected={isOpen ? `${registry} ${name}` : undefined} />}
          detail={
            isOpen ? (
              <EntryDetail
                key={`${registry} ${name} ${version}`}
                start={{ registry, name, ...(version !== undefined && { version }) }}
              />
            ) : (
              <Empty
                icon={LibraryBig}
                title={t('Select a server')}
                text={t('Before anything runs, you see what the installation will do.')}
              />
            )
          }
        />
      )}
    </Page>
  );
}

/** The first time, the user decides whether Toolkeep contacts the registries. */
function NotLoaded({ registries }: { registries: readonly RegistryView[] }) {
  const hosts = listOf(registries.map(({ url }) => URL.parse(url)?.host ?? url));
  const failed = registries.find(({ failure }) => failure !== undefined);
  return (
    <Empty icon={Compass} title={t('Find servers in a registry')}>
      <p>{t('Toolkeep downloads the list from {hosts} and searches it on this computer.', { hosts })}</p>
      <LoadButton isFirst />
      <p>
        <T
          text="You can also <import>import the servers of your clients</import>, or <add>add one yourself</add>."
          import={(text) => <a href={hrefOf('import')}>{text}</a>}
          add={(text) => <a href={hrefOf('servers')}>{text}</a>}
        />
      </p>
      {failed?.failure && <FailureBox failure={{ code: 'REGISTRY_UNREACHABLE', message: failed.failure }} />}
    </Empty>
  );
}

function LoadButton({ isFirst = false }: { isFirst?: boolean }) {
  const { link, registries } = useStores();
  const isSyncing = useResource(registries).data?.some((one) => one.isSyncing) ?? false;
  return (
    <ActionButton look={isFirst ? 'primary' : 'plain'} busy={isSyncing} run={() => link.call('registry.sync', {})}>
      {isFirst ? t('Load list') : t('Update list')}
    </ActionButton>
  );
}

function summary(registries: readonly RegistryView[]): string {
  const entries = registries.reduce((sum, one) => sum + one.entries, 0);
  const times = registries.flatMap(({ syncedAt }) => syncedAt ?? []);
  const failed = registries.find(({ failure }) => failure !== undefined);
  const age = times.length > 0 ? t('list from {time}', { time: moment(Math.min(...times)) }) : t('list incomplete');
  return dotted([t('{count, plural, one {# server} other {# servers}}', { count: entries }), age, failed?.failure]);
}
