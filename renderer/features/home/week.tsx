/** The last seven days: tokens saved, calls, the slowest tools, and tools that no client uses. */
import { useState } from 'react';
import type { Activity } from '../../../shared/model/home.ts';
import type { SavingsRow } from '../../../shared/model/search.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { dayOf, dotted, duration, listOf, moment, number, tokens } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import styles from './home.module.css';

export function Week() {
  const { week } = useStores();
  const { data, failure } = useResource(week);
  return (
    <div className="sections">
      {!data && <Unloaded failure={failure} label={t('Loading this week')} onRetry={week.load} />}
      {data && (
        <>
          <Section title={t('This week')} aside={<a href={hrefOf('history', 'savings')}>{t('Token savings')}</a>}>
            <SavingsPlot days={data.activity.days} savings={data.savings} />
            <CallsPlot activity={data.activity} />
          </Section>
          {data.activity.slowest.length > 0 && (
            <Section title={t('Slowest tools')}>
              <ul className={styles.slow}>
                {data.activity.slowest.map(({ server, tool, calls, averageMs }) => (
                  <li key={toolKey(server, tool)}>
                    <a className="ellipsis" href={hrefOf('tools', server, tool)}>
                      <VisibleText text={tool} />
                    </a>
                    <span>
                      {t('{duration} · {count, plural, one {# call} other {# calls}}', {
                        duration: duration(averageMs),
                        count: calls,
                      })}
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
        <strong>{saved > 0 ? t('{tokens} tokens saved', { tokens: tokens(saved) }) : t('No tokens saved yet')}</strong>
        <span className="muted small">
          {saved > 0
            ? t('{percent}% of {tokens}, after the cost of searching', {
                percent: Math.round((100 * saved) / without),
                tokens: tokens(without),
              })
            : savings.length > 0
              ? t('Savings start at about 10 tools.')
              : t('Counted when a client lists its tools.')}
        </span>
      </p>
      {saved > 0 && (
        <BarChart
          label={t('Tokens saved by day')}
          series={[{ name: t('Tokens saved'), tone: 'accent' }]}
          bars={bars}
          format={tokens}
        />
      )}
    </div>
  );
}

const callSeries = [
  { name: t('OK'), tone: 'good' },
  { name: t('Failed'), tone: 'bad' },
  { name: t('Refused'), tone: 'quiet' },
] as const;

function CallsPlot({ activity: { days, since } }: { activity: Activity }) {
  const total = days.reduce((sum, { ok, failed, refused }) => sum + ok + failed + refused, 0);
  const refused = days.reduce((sum, day) => sum + day.refused, 0);
  const isShort = total > 0 && since > new Date(`${days[0]?.day}T23:59`).getTime();
  return (
    <div>
      <p className={styles.plotHead}>
        <strong>{t('{count, plural, one {# call} other {# calls}}', { count: total })}</strong>
        <span className="muted small">
          {dotted([
            refused > 0 && t('{count, number} refused', { count: refused }),
            isShort && t('since {time}', { time: moment(since) }),
          ])}
        </span>
      </p>
      {total > 0 && (
        <BarChart
          label={t('Calls by day')}
          series={callSeries}
          bars={days.map((day) => ({ day: day.day, values: [day.ok, day.failed, day.refused] }))}
          format={number}
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
    const count = tools.length;
    const setEnabled = (enabled: false | null) => link.call('tools.setPolicies', { tools, enabled });
    if ((await toasts.attempt(() => setEnabled(false).then(() => true))) === undefined) return;
    toasts.undoable(
      t('{count, plural, one {# tool} other {# tools}} disabled.', { count }),
      () => setEnabled(null),
      t('{count, plural, one {# tool} other {# tools}} enabled again.', { count }),
    );
  }
  return (
    <Section title={t('Unused tools')}>
      <div className={styles.unused}>
        <p>
          {t('{count, plural, one {# tool} other {# tools}} not called since {day}.', {
            count: unused.count,
            day: dayOf(unused.since),
          })}
        </p>
        <Button onClick={() => setConfirming(true)}>{t('Disable…')}</Button>
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={t('Disable {count, plural, one {# tool} other {# tools}}?', { count: unused.count })}
          action={t('Disable')}
          onClose={() => setConfirming(false)}
          onConfirm={() => void disable()}
        >
          <p>
            <T
              text="Agents can no longer find them. You can undo this immediately, or enable each tool again later. Examples: {names}"
              names={<VisibleText text={listOf(unused.examples.map(({ server, tool }) => `${server}/${tool}`))} />}
            />
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
