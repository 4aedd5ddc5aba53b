/** A table of all servers with their status and call statistics. */

import { useResource } from '../stores/resource.ts';
import { hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { StatusBadge } from './badge.tsx';
import { duration } from './format.ts';
import { ScrollRegion } from './scroll-region.tsx';
import tableStyles from './table.module.css';
import { VisibleText } from './untrusted-text.tsx';

export function StatusTable({ showTechnicalDetails, now }: { showTechnicalDetails: boolean; now: number }) {
  const { servers } = useStores();
  const { data } = useResource(servers);
  if (!data) return null;
  if (data.length === 0) return <p className="muted">No servers yet.</p>;
  return (
    <ScrollRegion className={tableStyles.tableScroll} label="Server status">
      <table>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Status</th>
            <th scope="col" className={tableStyles.number}>
              Tools
            </th>
            <th scope="col" className={tableStyles.number}>
              Calls
            </th>
            <th scope="col" className={tableStyles.number}>
              Average
            </th>
            {showTechnicalDetails && (
              <>
                <th scope="col" className={tableStyles.number}>
                  Process
                </th>
                <th scope="col" className={tableStyles.number}>
                  Up
                </th>
                <th scope="col" className={tableStyles.number}>
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
                {showTechnicalDetails && server.failure && (
                  <p className={tableStyles.tableProblem}>
                    <VisibleText text={server.failure.message} />
                  </p>
                )}
              </th>
              <td>
                <StatusBadge server={server} />
              </td>
              <td className={tableStyles.number}>{server.toolCount.toLocaleString('en')}</td>
              <td className={tableStyles.number}>
                {server.calls.failed > 0 ? `${server.calls.total} (${server.calls.failed} failed)` : server.calls.total}
              </td>
              <td className={tableStyles.number}>{server.calls.total > 0 ? duration(server.calls.averageMs) : '–'}</td>
              {showTechnicalDetails && (
                <>
                  <td className={tableStyles.number}>{server.pid ?? '–'}</td>
                  <td className={tableStyles.number}>
                    {server.startedAt && server.status === 'ready'
                      ? duration(Math.max(0, now - server.startedAt))
                      : '–'}
                  </td>
                  <td className={tableStyles.number}>{server.restarts}</td>
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
