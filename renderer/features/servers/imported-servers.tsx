/** How servers start after an import, and how to fix those that fail. */
import { ArrowRight } from 'lucide-react';
import type { ServerView } from '../../../shared/model/server.ts';
import { StatusBadge } from '../../components/badge.tsx';
import { count } from '../../components/format.ts';
import { Monogram } from '../../components/monogram.tsx';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { AttentionRow } from '../home/matters.tsx';
import styles from './import-plan.module.css';

export function ImportedServers({ names }: { names: readonly string[] }) {
  const { attention, servers } = useStores();
  const imported = useResource(servers).data?.filter(({ id }) => names.includes(id)) ?? [];
  const all = useResource(attention).data ?? [];
  const startProblems = all.filter((item) => item.kind === 'server-failed' || item.kind === 'sign-in');
  const matters = startProblems.filter(({ server }) => names.includes(server));
  const broken = new Set(matters.map(({ server }) => server));
  const others = imported.filter(({ id }) => !broken.has(id));
  return (
    <Section
      title={`${count(names.length, 'server')} imported`}
      aside={
        <a className="button button-plain" href={hrefOf('servers')}>
          All servers
          <ArrowRight className="icon" aria-hidden />
        </a>
      }
    >
      <p role="status">{summary(others, matters.length)}</p>
      {matters.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label="Needs you">
          {matters.map((item) => (
            <AttentionRow key={`${item.kind} ${item.server}`} item={item} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label="Imported servers">
          {others.map((server) => (
            <li key={server.id} className={styles.imported}>
              <Monogram name={server.id} />
              <span className={rowsStyles.rowMain}>
                <span className={rowsStyles.rowTitle}>
                  <VisibleText text={server.id} />
                </span>
                <span className="muted small">{server.toolCount > 0 ? count(server.toolCount, 'tool') : ''}</span>
              </span>
              <StatusBadge server={server} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function summary(working: readonly ServerView[], problems: number): string {
  const starting = working.filter(({ status, discovering }) => status === 'starting' || discovering).length;
  const ready = working.filter(({ toolCount }) => toolCount > 0).length;
  return [
    `${ready} ready`,
    starting > 0 && `${starting} starting`,
    problems > 0 && `${problems} ${problems === 1 ? 'needs' : 'need'} you`,
  ]
    .filter(Boolean)
    .join(' · ');
}
