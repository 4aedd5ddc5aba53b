/** Every server in one table: what it is doing and how its calls went. */

import { useResource } from '../stores/resource.ts';
import { hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { StatusBadge } from './badge.tsx';
import { duration } from './format.ts';
import { ScrollRegion } from './scroll-region.tsx';
import { VisibleText } from './server-text.tsx';

export function StatusTable({ technical, now }: { technical: boolean; now: number }) {
  const { servers } = useStores();
  const { data } = useResource(servers);
  if (!data) return null;
  if (data.length === 0) return <p className="muted">No servers yet.</p>;
  return (
    <ScrollRegion className="table-scroll" label="Server status">
      <table>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Status</th>
            <th scope="col" className="number">
              Tools
            </th>
            <th scope="col" className="number">
              Calls
            </th>
            <th scope="col" className="number">
              Average
            </th>
            {technical && (
              <>
                <th scope="col" className="number">
                  Process
                </th>
                <th scope="col" className="number">
                  Up
                </th>
                <th scope="col" className="number">
                  Restarts
                </th>
                <th scope="col">Breaker</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {data.map((server) => (
            <tr key={server.id}>
              <th scope="row">
                <a href={hrefOf('servers', server.id)}>
                  <VisibleText text={server.id} />
                </a>
                {technical && server.failure && (
                  <p className="table-problem">
                    <VisibleText text={server.failure.message} />
                  </p>
                )}
              </th>
              <td>
                <StatusBadge server={server} />
              </td>
              <td className="number">{server.toolCount.toLocaleString('en')}</td>
              <td className="number">
                {server.calls.failed > 0 ? `${server.calls.total} (${server.calls.failed} failed)` : server.calls.total}
              </td>
              <td className="number">{server.calls.total > 0 ? duration(server.calls.averageMs) : '–'}</td>
              {technical && (
                <>
                  <td className="number">{server.pid ?? '–'}</td>
                  <td className="number">
                    {server.startedAt && server.status === 'ready'
                      ? duration(Math.max(0, now - server.startedAt))
                      : '–'}
                  </td>
                  <td className="number">{server.restarts}</td>
                  <td>{server.breaker}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
