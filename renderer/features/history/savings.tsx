/** Estimated tokens that the gateway saved, per client and day, net of the cost of searching. */
import { ChartNoAxesColumn } from 'lucide-react';
import { useState } from 'react';
import type { SavingsRow } from '../../../shared/model/search.ts';
import { ClientName } from '../../components/client-name.tsx';
import { Segments } from '../../components/controls.tsx';
import { tokens } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Empty, Unloaded } from '../../components/states.tsx';
import tableStyles from '../../components/table.module.css';
import tilesStyles from '../../components/tiles.module.css';
import { useCommand } from '../../stores/use-command.ts';
import { t } from '../../text.tsx';

export function Savings() {
  const [days, setDays] = useState('30');
  const { data, failure, load } = useCommand('stats.show', ['calls.recorded', 'clients.changed'], {
    days: Number(days),
  });
  if (!data) return <Unloaded failure={failure} label={t('Loading savings')} onRetry={load} />;
  if (data.length === 0)
    return (
      <Empty
        icon={ChartNoAxesColumn}
        title={t('No data yet')}
        text={t(
          'When a client connects, Toolkeep estimates how many tokens its tool list uses, and how many the full list would use.',
        )}
      />
    );
  const total = (key: 'without' | 'list' | 'answers' | 'saved') => data.reduce((sum, row) => sum + row[key], 0);
  const tiles = [
    [total('saved'), t('tokens saved')],
    [total('without'), t('tokens without Toolkeep')],
    [total('list') + total('answers'), t('tokens used, including searches')],
  ] as const;
  return (
    <>
      <div className={tilesStyles.tiles}>
        {tiles.map(([value, label]) => (
          <div key={label} className={tilesStyles.tile}>
            <strong>{tokens(value)}</strong>
            <span>{label}</span>
          </div>
        ))}
      </div>
      <Section
        title={t('By client and day')}
        aside={
          <Segments
            label={t('Period')}
            value={days}
            options={[
              ['7', t('7 days')],
              ['30', t('30 days')],
              ['365', t('1 year')],
            ]}
            onChange={setDays}
          />
        }
      >
        <ScrollRegion className={`${tableStyles.tableScroll} card`} label={t('Savings by client and day')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Day')}</th>
                <th scope="col">{t('Client')}</th>
                {[t('Sessions'), t('All tools'), t('Sent list'), t('Searches'), t('Saved')].map((name) => (
                  <th key={name} scope="col" className={tableStyles.number}>
                    {name}
                  </th>
                ))}
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
          {t(
            'Estimated tokens. All tools: the definitions of all enabled tools, once per session. Sent list: the tool list that the client received instead. Searches: search results and tool details.',
          )}
        </p>
      </Section>
    </>
  );
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

function SavingsLine({ row }: { row: SavingsRow }) {
  return (
    <tr>
      <td>
        <time dateTime={row.day}>{dayFormat.format(new Date(`${row.day}T12:00`))}</time>
      </td>
      <th scope="row">
        <ClientName name={row.client} />
      </th>
      <td className={tableStyles.number}>{row.sessions}</td>
      <td className={tableStyles.number}>{tokens(row.without)}</td>
      <td className={tableStyles.number}>{tokens(row.list)}</td>
      <td
        className={tableStyles.number}
        title={t('{count, plural, one {# lookup} other {# lookups}}', { count: row.lookups })}
      >
        {tokens(row.answers)}
      </td>
      <td className={`${tableStyles.number} ${tableStyles.saved} ${row.saved < 0 ? 'bad' : 'good'}`}>
        {tokens(row.saved)}
      </td>
    </tr>
  );
}
