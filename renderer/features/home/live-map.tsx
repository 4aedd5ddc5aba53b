/** Who called whom today: a line for each client and server, marked while a call passes, waits or is refused. */
import { useEffect, useState } from 'react';
import type { ServerView } from '../../../shared/model/server.ts';
import { ClientLogo } from '../../components/client-logo.tsx';
import { useClientName } from '../../components/client-name.tsx';
import { Section } from '../../components/page.tsx';
import { ServerMark } from '../../components/server-mark.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './live-map.module.css';

/** More rows would make the lines hard to follow. */
const maxRows = 6;
/** How long a line stays marked after its call, in milliseconds. */
const markedMs = 2_000;

type Mark = 'running' | 'waiting' | 'done' | 'failed' | 'refused';
const keyOf = (client: string, server: string) => JSON.stringify([client, server]);

/** Renders nothing on a day without calls. */
export function LiveMap({ servers }: { servers: readonly ServerView[] }) {
  const nameOf = useClientName();
  const { activity } = useStores();
  const pairs = useResource(activity).data?.pairs ?? [];
  const marks = useMarks();
  const clients = [...new Set(pairs.map(({ client }) => client))].slice(0, maxRows);
  const targets = [...new Set(pairs.map(({ server }) => server))].slice(0, maxRows);
  const shown = pairs.filter(({ client, server }) => clients.includes(client) && targets.includes(server));
  if (shown.length === 0) return null;
  const most = Math.max(...shown.map(({ calls }) => calls));
  const yOf = <T,>(item: T, list: readonly T[]) => (100 * (list.indexOf(item) + 0.5)) / list.length;
  return (
    <Section title={t('Today')}>
      <div className={`${styles.map} card`} aria-hidden="true">
        <ul>
          {clients.map((client) => (
            <li key={client}>
              <VisibleText text={nameOf(client)} />
              <ClientLogo name={nameOf(client)} />
            </li>
          ))}
        </ul>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" focusable="false" aria-hidden="true">
          {shown.map(({ client, server, calls }) => {
            const [from, to] = [yOf(client, clients), yOf(server, targets)];
            const path = `M0 ${from} C50 ${from} 50 ${to} 100 ${to}`;
            const key = keyOf(client, server);
            return (
              <g key={key} data-mark={marks.get(key)}>
                <path d={path} style={{ strokeWidth: 1 + (3 * calls) / most }} />
                <path d={path} pathLength="100" className={styles.dot} />
              </g>
            );
          })}
        </svg>
        <ul>
          {targets.map((server) => (
            <li key={server}>
              <ServerMark name={server} icon={servers.find(({ id }) => id === server)?.icon} />
              <VisibleText text={server} />
            </li>
          ))}
        </ul>
      </div>
      <ul className="sr-only" aria-label={t('Calls today')}>
        {shown.map(({ client, server, calls }) => (
          <li key={keyOf(client, server)}>
            {t('{client} to {server}: {count, plural, one {# call} other {# calls}}', {
              client: nameOf(client),
              server,
              count: calls,
            })}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The marks by pair. A call in progress hides the outcome of the one before. */
function useMarks(): ReadonlyMap<string, Mark> {
  const { link, activeCalls } = useStores();
  const active = useResource(activeCalls).data ?? [];
  const [recent, setRecent] = useState<ReadonlyMap<string, Mark>>(new Map());
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const stop = link.on('calls.recorded', (record) => {
      if (record.kind !== 'call') return;
      const key = keyOf(record.client, record.server);
      const mark = record.outcome === 'ok' ? 'done' : record.outcome === 'refused' ? 'refused' : 'failed';
      setRecent((marks) => new Map(marks).set(key, mark));
      const timer = setTimeout(() => {
        timers.delete(timer);
        setRecent((marks) => new Map([...marks].filter(([marked]) => marked !== key)));
      }, markedMs);
      timers.add(timer);
    });
    return () => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [link]);
  const marks = new Map(recent);
  for (const { client, server, isWaitingForUser } of active)
    marks.set(keyOf(client, server), isWaitingForUser ? 'waiting' : 'running');
  return marks;
}
