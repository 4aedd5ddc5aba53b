/** Counts the tools of each server by what they can do, and lists the held ones, until the user selects a tool. */
import { Blocks } from 'lucide-react';
import { memo, useMemo } from 'react';
import { useStore } from 'zustand';
import { type Effect, effectSchema, type ToolSummary } from '../../../shared/model/tool.ts';
import { byName, number } from '../../components/format.ts';
import { effectLabels } from '../../components/labels.ts';
import pageStyles from '../../components/page.module.css';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Empty } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useFirstRows } from '../../components/use-first-rows.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { hasState, noFilters } from '../../stores/tools.ts';
import { T, t } from '../../text.tsx';
import styles from './tool-effects.module.css';

const mostHeld = 10;

export const ToolEffects = memo(function ToolEffects({ tools }: { tools: readonly ToolSummary[] }) {
  const { tools: store } = useStores();
  const enabled = useMemo(() => tools.filter((tool) => hasState(tool, 'enabled')), [tools]);
  const servers = useMemo(
    () => [...Map.groupBy(enabled, ({ server }) => server)].sort(([a], [b]) => byName(a, b)),
    [enabled],
  );
  const shown = useFirstRows(servers);
  const held = tools.filter((tool) => tool.held);
  const keys = (
    <T
      text="Press <kbd>/</kbd> to search, <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to open a tool."
      kbd={(text) => <kbd>{text}</kbd>}
    />
  );
  if (enabled.length + held.length === 0) return <Empty icon={Blocks} title={t('Select a tool')} text={keys} />;
  return (
    <div className={pageStyles.detail}>
      {held.length > 0 && (
        <Section title={t('Held until you accept them')}>
          <ul className={styles.held}>
            {held.slice(0, mostHeld).map(({ key, server, name }) => (
              <li key={key}>
                <a href={hrefOf('tools', server, name)}>
                  <VisibleText text={name} />
                </a>{' '}
                <VisibleText as="span" className="muted" text={server} />
              </li>
            ))}
          </ul>
          {held.length > mostHeld && (
            <button
              type="button"
              className="link-button"
              onClick={() => store.setFilters({ ...noFilters, state: 'held' })}
            >
              {t('Show all {count, number}', { count: held.length })}
            </button>
          )}
        </Section>
      )}
      {enabled.length > 0 && (
        <Section title={t('What enabled tools can do')}>
          <ul className={`${styles.servers} ${rowsStyles.rows} card`}>
            {servers.length > 1 && (
              <li>
                <span className={styles.name}>{t('All servers')}</span>
                <Effects tools={enabled} />
              </li>
            )}
            {shown.map(([server, its]) => (
              <li key={server}>
                <a className={styles.name} href={hrefOf('servers', server)}>
                  <VisibleText text={server} />
                </a>
                <Effects server={server} tools={its} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <p className="muted small">{keys}</p>
    </div>
  );
});

/** The number of tools with each effect. Each number shows its tools in the list. */
const Effects = memo(function Effects({ server, tools }: { server?: string; tools: readonly ToolSummary[] }) {
  const { tools: store } = useStores();
  const servers = server === undefined ? [] : [server];
  const filtered = useStore(store.state, ({ filters }) => filters.servers.join() === servers.join() && filters.effect);
  const counts = useMemo(() => {
    const found = new Map<Effect, number>();
    for (const { effects } of tools) for (const effect of effects) found.set(effect, (found.get(effect) ?? 0) + 1);
    return found;
  }, [tools]);
  return (
    <span className="badges">
      {effectSchema.options.flatMap((effect) => {
        const count = counts.get(effect);
        if (count === undefined) return [];
        const label = effectLabels[effect];
        const isSet = filtered === effect;
        return (
          <button
            key={effect}
            type="button"
            className={styles.effect}
            data-effect={effect}
            aria-label={t('{server}: {effect} {count, number}', {
              server: server ?? t('All servers'),
              effect: label,
              count,
            })}
            aria-pressed={isSet}
            onClick={() => store.setFilters(isSet ? noFilters : { ...noFilters, servers, effect, state: 'enabled' })}
          >
            {label} <span className={styles.count}>{number(count)}</span>
          </button>
        );
      })}
    </span>
  );
});
