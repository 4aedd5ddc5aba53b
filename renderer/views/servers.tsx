/** All servers with their live status; the one that is open beside the list. */
import { Download, Plus, Server, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import type { ServerView } from '../../shared/model.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { count } from '../parts/format.ts';
import { Page, Split } from '../parts/page.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { Empty, FailureBox, Skeleton } from '../parts/states.tsx';
import { useResource } from '../stores/resource.ts';
import { hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { AddServer } from './add-server.tsx';
import { ServerDetail } from './server-detail.tsx';

/** What needs attention comes first; within a status by name. */
const statusOrder: Record<ServerView['status'], number> = { failed: 0, starting: 1, ready: 2, idle: 2, disabled: 3 };

export function ServersView({ parts: [openId] }: { parts: string[] }) {
  const { servers } = useStores();
  const { data, failure } = useResource(servers);
  const [isAdding, setAdding] = useState(false);
  const open = data?.find(({ id }) => id === openId);
  return (
    <Page
      fill
      title="Servers"
      lead={data && data.length > 0 ? summary(data) : undefined}
      actions={
        <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
          Add server
        </Button>
      }
    >
      {isAdding && <AddServer onClose={() => setAdding(false)} />}
      {failure && !data && <FailureBox failure={failure} onRetry={() => void servers.load()} />}
      {!data && !failure && <Skeleton label="servers" />}
      {data?.length === 0 && (
        <Empty icon={Server} title="No servers yet">
          <p>Bring over the ones your other apps already use, or add one by hand.</p>
          <a className="button button-primary" href={hrefOf('import')}>
            <Download className="icon" aria-hidden />
            Import from other apps
          </a>
        </Empty>
      )}
      {data && data.length > 0 && (
        <Split
          isOpen={openId !== undefined}
          backHref={hrefOf('servers')}
          backLabel="All servers"
          detailLabel={open ? `Server ${open.id}` : 'Server details'}
          list={<ServerList servers={data} openId={openId} />}
          detail={
            open ? (
              <ServerDetail key={open.id} server={open} />
            ) : (
              <Empty
                icon={SlidersHorizontal}
                title={openId ? `There is no server “${openId}” any more` : 'Choose a server to see its details'}
              />
            )
          }
        />
      )}
    </Page>
  );
}

function ServerList({ servers, openId }: { servers: readonly ServerView[]; openId: string | undefined }) {
  const sorted = servers.toSorted(
    (a, b) => statusOrder[a.status] - statusOrder[b.status] || a.id.localeCompare(b.id, undefined, { numeric: true }),
  );
  return (
    <ul className="rows">
      {sorted.map((server) => (
        <li key={server.id}>
          <a
            className="row row-server"
            href={hrefOf('servers', server.id)}
            aria-current={server.id === openId ? 'true' : undefined}
          >
            <span className="row-line">
              <span className="row-title">
                <VisibleText text={server.id} />
              </span>
              <StatusBadge server={server} />
            </span>
            <span className="row-line">
              <span className="row-sub mono">
                <VisibleText text={server.target} />
              </span>
              <span className="row-count">{toolCount(server)}</span>
            </span>
            {server.failure && (
              <span className="row-problem">
                <VisibleText text={server.failure.message} />
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

function toolCount({ toolCount: total, enabledCount }: ServerView): string {
  if (total === 0) return '';
  return enabledCount === total ? count(total, 'tool') : `${enabledCount} of ${count(total, 'tool')} on`;
}

function summary(servers: readonly ServerView[]): string {
  const failed = servers.filter(({ status }) => status === 'failed').length;
  const running = servers.filter(({ status }) => status === 'ready').length;
  return [count(servers.length, 'server'), `${running} running`, failed > 0 && `${failed} failed`]
    .filter(Boolean)
    .join(' · ');
}
