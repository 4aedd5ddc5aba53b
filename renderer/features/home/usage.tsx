/** The slowest tools of the last seven days, and tools that no client uses. */
import { useState } from 'react';
import type { Activity } from '../../../shared/model/home.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { dayOf, duration, listOf } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import styles from './home.module.css';

export function Usage() {
  const { activity } = useStores();
  const { data, failure } = useResource(activity);
  if (!data) return <Unloaded failure={failure} label={t('Loading usage')} onRetry={activity.load} />;
  return (
    <div className="sections">
      {data.slowest.length > 0 && (
        <Section title={t('Slowest tools this week')}>
          <ul className={styles.slow}>
            {data.slowest.map(({ server, tool, calls, averageMs }) => (
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
      <Unused activity={data} />
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
