/** What the gateway saved in tokens, per client and day: an honest sum, with what searching itself cost. */

import { ChartNoAxesColumn } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SavingsRow } from '../../shared/model.ts';
import { Segments } from '../parts/controls.tsx';
import { count, tokens } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { Empty, FailureBox, Skeleton } from '../parts/states.tsx';
import { createResource, useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';

export function Savings() {
  const { link } = useStores();
  const [days, setDays] = useState('30');
  const resource = useMemo(
    () =>
      createResource(link, () => link.call('stats.show', { days: Number(days) }), [
        'calls.recorded',
        'clients.changed',
      ]),
    [link, days],
  );
  const { data, failure } = useResource(resource);
  if (failure && !data) return <FailureBox failure={failure} onRetry={() => void resource.load()} />;
  if (!data) return <Skeleton label="savings" />;
  if (data.length === 0)
    return (
      <Empty icon={ChartNoAxesColumn} title="Nothing counted yet">
        <p>When an app connects, Gatehouse counts what its list of tools costs and what it would have cost.</p>
      </Empty>
    );
  const total = (key: 'without' | 'list' | 'answers' | 'saved') => data.reduce((sum, row) => sum + row[key], 0);
  const carried = total('list') + total('answers');
  return (
    <>
      <div className="tiles">
        <div className="tile">
          <strong>{tokens(total('saved'))}</strong>
          <span>tokens saved</span>
        </div>
        <div className="tile">
          <strong>{tokens(total('without'))}</strong>
          <span>with every tool in the list</span>
        </div>
        <div className="tile">
          <strong>{tokens(carried)}</strong>
          <span>carried, searches included</span>
        </div>
      </div>
      <Section
        title="By app and day"
        aside={
          <Segments
            label="Time"
            value={days}
            options={[
              ['7', '7 days'],
              ['30', '30 days'],
              ['365', '1 year'],
            ]}
            onChange={setDays}
          />
        }
      >
        <ScrollRegion className="table-scroll" label="Savings by app and day">
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">App</th>
                <th scope="col" className="number">
                  Sessions
                </th>
                <th scope="col" className="number">
                  Every tool
                </th>
                <th scope="col" className="number">
                  Its list
                </th>
                <th scope="col" className="number">
                  Searches
                </th>
                <th scope="col" className="number">
                  Saved
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((row) => (
                <SavingsLine key={`${row.day} ${row.client}`} row={row} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
        <p className="muted small">
          Estimated tokens. Every tool: the definitions of all enabled tools, once for each session. Its list: what the
          app got instead. Searches: what it asked and was told afterwards.
        </p>
      </Section>
    </>
  );
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

function SavingsLine({ row }: { row: SavingsRow }) {
  return (
    <tr>
      <td>{dayFormat.format(new Date(`${row.day}T12:00`))}</td>
      <th scope="row">
        <VisibleText text={row.client} />
      </th>
      <td className="number">{row.sessions}</td>
      <td className="number">{tokens(row.without)}</td>
      <td className="number">{tokens(row.list)}</td>
      <td className="number" title={count(row.lookups, 'lookup')}>
        {tokens(row.answers)}
      </td>
      <td className={row.saved < 0 ? 'number saved saved-not' : 'number saved'}>{tokens(row.saved)}</td>
    </tr>
  );
}
