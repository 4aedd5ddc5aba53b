/** All servers with their status, and the selected server next to the list. */
import { Compass, Download, Plus, Server, SlidersHorizontal } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { ServerView } from '../../../shared/model/server.ts';
import { Button } from '../../components/button.tsx';
import { dotted } from '../../components/format.ts';
import { NextStep } from '../../components/next-step.tsx';
import { Page, Split } from '../../components/page.tsx';
import { Empty, Unloaded } from '../../components/states.tsx';
import { onCalls, useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { UpdateView } from '../browse/update.tsx';
import { RemovedServers } from './removed-servers.tsx';
import { ServerDetail } from './server-detail.tsx';
import { ServerDialog } from './server-dialog.tsx';
import { firstIn, ServerList } from './server-list.tsx';

export function ServersView({ segments: [selectedId, ...path] }: { segments: string[] }) {
  const { servers, installs } = useStores();
  const isUnconnected = useResource(installs).data?.every(({ state }) => state !== 'installed') ?? false;
  const { data, failure } = useResource(servers, onCalls);
  const [isAdding, setAdding] = useState(false);
  const preview = usePreview(data);
  const shown = selectedId === undefined ? preview : data?.find(({ id }) => id === selectedId);
  return (
    <Page
      fill
      title={t('Servers')}
      lead={data && data.length > 0 ? summary(data) : undefined}
      actions={
        <>
          <a className="button button-plain" href={hrefOf('import')}>
            <Download className="icon" aria-hidden />
            {t('Import from clients')}
          </a>
          <a className="button button-plain" href={hrefOf('browse')}>
            <Compass className="icon" aria-hidden />
            {t('Browse')}
          </a>
          <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
            {t('Add server')}
          </Button>
        </>
      }
    >
      {isAdding && <ServerDialog onClose={() => setAdding(false)} />}
      {!data && <Unloaded failure={failure} label={t('Loading servers')} onRetry={servers.load} />}
      {data?.length === 0 && (
        <Empty icon={Server} title={t('No servers yet')}>
          <p>{t('Import the servers that your clients already use, browse a registry, or add one.')}</p>
          <a className="button button-primary" href={hrefOf('import')}>
            <Download className="icon" aria-hidden />
            {t('Import servers')}
          </a>
          <a className="button button-plain" href={hrefOf('browse')}>
            <Compass className="icon" aria-hidden />
            {t('Browse servers')}
          </a>
          <Button icon={Plus} onClick={() => setAdding(true)}>
            {t('Add a server')}
          </Button>
          <RemovedServers />
        </Empty>
      )}
      {data && data.length > 0 && isUnconnected && (
        <NextStep
          text={t('Next, connect a client so that it can use your servers.')}
          label={t('Connect a client')}
          href={hrefOf('clients')}
        />
      )}
      {data && data.length > 0 && (
        <Split
          isOpen={selectedId !== undefined}
          backHref={hrefOf('servers')}
          backLabel={t('All servers')}
          detailLabel={shown ? t('Server {server}', { server: shown.id }) : t('Server details')}
          list={
            <>
              <ServerList servers={data} selectedId={shown?.id} />
              <RemovedServers />
            </>
          }
          detail={
            shown && path[0] === 'update' ? (
              <UpdateView key={shown.id} server={shown.id} />
            ) : shown ? (
              <ServerDetail key={shown.id} server={shown} path={path} />
            ) : (
              <Empty icon={SlidersHorizontal} title={t('No server named “{server}”', { server: selectedId ?? '' })} />
            )
          }
        />
      )}
    </Page>
  );
}

/**
 * In a wide window, the details of a server are shown before the user selects one. It stays the same while its status and
 * the list change.
 */
function usePreview(servers: readonly ServerView[] = []): ServerView | undefined {
  const { order } = useStore(useStores().serverList.state);
  const isWide = useIsWide();
  const [id, setId] = useState<string>();
  const preview = servers.find((server) => server.id === id) ?? firstIn(servers, order);
  if (preview && preview.id !== id) setId(preview.id);
  return isWide ? preview : undefined;
}

function summary(servers: readonly ServerView[]): string {
  const failed = servers.filter(({ status }) => status === 'failed').length;
  const running = servers.filter(({ status }) => status === 'ready').length;
  return dotted([
    t('{count, plural, one {# server} other {# servers}}', { count: servers.length }),
    t('{count, number} running', { count: running }),
    failed > 0 && t('{count, plural, one {# needs attention} other {# need attention}}', { count: failed }),
  ]);
}

/** Must match `page.module.css`. */
const wide = matchMedia('(min-width: 47.01rem)');

const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}
