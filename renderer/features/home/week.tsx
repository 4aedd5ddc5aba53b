/** The last seven days: tokens saved, calls, the slowest tools, and tools that no client uses. */
import { useState } from 'react';
import type { Activity } from '../../../shared/model/home.ts';
import type { SavingsRow } from '../../../shared/model/search.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { count, dayOf, duration, moment, tokens } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { FailureBox, Skeleton } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import styles from './home.module.css';

export function Week() {
  const { week } = useStores();
  const { data, failure } = useResource(week);
  return (
    <div className={styles.week}>
      {failure && !data && <FailureBox failure={failure} onRetry={() => void week.load()} />}
      {!data && !failure && <Skeleton label="this week" />}
      {data && (
        <>
          <Section title="This week" aside={<a href={hrefOf('history', 'savings')}>Token savings</a>}>
            <SavingsPlot days={data.activity.days} savings={data.savings} />
            <CallsPlot activity={data.activity} />
          </Section>
          {data.activity.slowest.length > 0 && (
            <Section title="Slowest tools">
              <ul className={styles.slow}>
                {data.activity.slowest.map(({ server, tool, calls, averageMs }) => (
                  <li key={`${server}::${tool}`}>
                    <a href={hrefOf('tools', server, tool)}>
                      <VisibleText text={tool} />
                    </a>
                    <span>
                      {duration(averageMs)} · {count(calls, 'call')}
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
          )}
          <Unused activity={data.activity} />
        </>
      )}
    </div>
  );
}

function SavingsPlot({ days, savings }: { days: Activity['days']; savings: readonly SavingsRow[] }) {
  const bars = days.map(({ day }) => ({
    day,
    values: [savings.reduce((sum, row) => (row.day === day ? sum + row.saved : sum), 0)],
  }));
  const saved = bars.reduce((sum, { values: [value = 0] }) => sum + value, 0);
  const without = savings.reduce((sum, row) => sum + row.without, 0);
  return (
    <div>
      <p className={styles.plotHead}>
        <strong>{tokens(saved)} tokens saved</strong>
        <span className="muted small">
          {without > 0
            ? `${Math.round((100 * saved) / without)} % of ${tokens(without)}, after the cost of searching`
            : 'No client has connected this week.'}
        </span>
      </p>
      {without > 0 && (
        <BarChart
          label="Tokens saved by day"
          series={[{ name: 'Tokens saved', tone: 'accent' }]}
          bars={bars}
          format={tokens}
        />
      )}
    </div>
  );
}

const callSeries = [
  { name: 'OK', tone: 'good' },
  { name: 'Failed', tone: 'bad' },
  { name: 'Refused', tone: 'quiet' },
] as const;

function CallsPlot({ activity: { days, since } }: { activity: Activity }) {
  const total = days.reduce((sum, { ok, failed, refused }) => sum + ok + failed + refused, 0);
  const refused = days.reduce((sum, day) => sum + day.refused, 0);
  const isShort = total > 0 && since > new Date(`${days[0]?.day}T23:59`).getTime();
  return (
    <div>
      <p className={styles.plotHead}>
        <strong>{count(total, 'call')}</strong>
        <span className="muted small">
          {[refused > 0 && `${refused} refused`, isShort && `since ${moment(since)}`].filter(Boolean).join(' · ')}
        </span>
      </p>
      {total > 0 && (
        <BarChart
          label="Calls by day"
          series={callSeries}
          bars={days.map((day) => ({ day: day.day, values: [day.ok, day.failed, day.refused] }))}
          format={(value) => value.toLocaleString('en')}
        />
      )}
    </div>
  );
}

/** Renders nothing until there is enough history to judge by. */
function Unused({ activity: { unused } }: { activity: Activity }) {
  const { link, toasts } = useStores();
  const [isConfirming, setConfirming] = useState(false);
  if (unused.since === undefined || unused.count === 0) return null;
  async function disable(): Promise<void> {
    const tools = await toasts.attempt(() => link.call('stats.unused'));
    if (!tools) return;
    const label = count(tools.length, 'tool');
    const setEnabled = (enabled: false | null) => link.call('tools.setPolicies', { tools, enabled });
    if ((await toasts.attempt(() => setEnabled(false).then(() => true))) === undefined) return;
    const undo = { label: 'Undo', run: () => void toasts.attempt(() => setEnabled(null), `${label} enabled again.`) };
    toasts.success(`${label} disabled.`, { action: undo });
  }
  return (
    <Section title="Unused tools">
      <div className={styles.unused}>
        <p>
          {count(unused.count, 'tool')} without a call since {dayOf(unused.since)}.
        </p>
        <Button onClick={() => setConfirming(true)}>Disable…</Button>
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={`Disable ${count(unused.count, 'tool')}?`}
          action="Disable"
          onClose={() => setConfirming(false)}
          onConfirm={() => void disable()}
        >
          <p>
            Agents can no longer find them. You can undo this immediately, or enable each tool again later. Examples:{' '}
            <VisibleText text={unused.examples.map(({ server, tool }) => `${server}/${tool}`).join(', ')} />
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
