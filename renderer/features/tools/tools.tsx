/** The tools of all servers: a filterable list with the selected tool next to it. */
import { Ban, Blocks, FlagTriangleRight, Hourglass, SearchX } from 'lucide-react';
import { memo, useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import { Badge, SafetyBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { dotted, number } from '../../components/format.ts';
import { Page, Split } from '../../components/page.tsx';
import { Empty, Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf, navigate, replaceRoute } from '../../stores/route.ts';
import { isAvailable } from '../../stores/server-list.ts';
import { useStores } from '../../stores/stores.ts';
import { hasState, noFilters, type ToolSort, type ToolUsage } from '../../stores/tools.ts';
import { t } from '../../text.tsx';
import { filterTools, indexTools } from './filter-tools.ts';
import { isFigure, sortTools } from './sort-tools.ts';
import { ToolColumns, ToolFigures } from './tool-columns.tsx';
import { ToolDetail } from './tool-detail.tsx';
import { ToolEffects } from './tool-effects.tsx';
import { ToolFilterBar } from './tool-filters.tsx';
import styles from './tools.module.css';

export function ToolsView({ segments: [server, name, action] }: { segments: string[] }) {
  const { tools: store, servers } = useStores();
  const { data: tools, failure } = useResource(store.list);
  const { data: usage = noUsage } = useResource(store.usage);
  const { filters, sort, isDescending } = useStore(store.state);
  const deferred = useDeferredValue(filters);
  const index = useMemo(() => indexTools(tools ?? []), [tools]);
  const { data: views } = useResource(servers);
  const available = useMemo(() => new Set(views?.filter(isAvailable).map(({ id }) => id)), [views]);
  const found = useMemo(
    () => filterTools(tools ?? [], index, deferred, available),
    [tools, index, deferred, available],
  );
  // A text filter puts the best matches first, unless the user wants the highest figures first.
  const isApplied = deferred.text.trim() === '' || isFigure(sort);
  // Only the figures of calls change with every call.
  const figures = isFigure(sort) ? usage : noUsage;
  const shown = useMemo(
    () => (isApplied ? sortTools(found, sort, isDescending, figures) : found),
    [found, isApplied, sort, isDescending, figures],
  );
  const isGrouped = isApplied && sort === 'server';
  const isOpen = server !== undefined && name !== undefined;

  function select(tool: ToolSummary): void {
    // Moving with the arrow keys must not add entries to the browser history.
    if (isOpen) replaceRoute('tools', tool.server, tool.name);
    else navigate('tools', tool.server, tool.name);
  }

  function moveToList(): void {
    document.querySelector<HTMLElement>('[role="listbox"]')?.focus();
    const isSelected = isOpen && shown.some((tool) => tool.server === server && tool.name === name);
    if (shown[0] && !isSelected) select(shown[0]);
  }

  return (
    <Page fill title={t('Tools')} lead={tools && tools.length > 0 ? summary(tools) : undefined}>
      {!tools && <Unloaded failure={failure} label={t('Loading tools')} rows={6} onRetry={store.list.load} />}
      {tools?.length === 0 && (
        <Empty
          icon={Blocks}
          title={t('No tools yet')}
          text={t('Tools appear here after a server has connected for the first time.')}
        >
          <a className="button button-primary" href={hrefOf('servers')}>
            {t('Go to servers')}
          </a>
        </Empty>
      )}
      {tools && tools.length > 0 && (
        <Split
          isOpen={isOpen}
          backHref={hrefOf('tools')}
          backLabel={t('All tools')}
          hasColumns
          detailLabel={isOpen ? t('Tool {name}', { name }) : t('Tool details')}
          list={
            <div className={styles.listColumn}>
              <ToolFilterBar
                tools={tools}
                shown={shown}
                onOpenFirst={() => shown[0] && select(shown[0])}
                onMoveToList={moveToList}
              />
              {shown.length > 0 && <ToolColumns isApplied={isApplied} />}
              {shown.length === 0 ? (
                <Empty icon={SearchX} title={t('No matches')}>
                  <Button onClick={() => store.setFilters(noFilters)}>{t('Clear filters')}</Button>
                </Empty>
              ) : (
                <VirtualList
                  label={t('Tools')}
                  items={shown}
                  keyOf={keyOf}
                  groupOf={isGrouped ? serverOf : undefined}
                  renderGroup={(name, count) => <ServerHeading name={name} count={count} />}
                  selected={isOpen ? toolKey(server, name) : undefined}
                  onSelect={select}
                  rowHeight={66}
                  render={(tool) => <ToolRow tool={tool} usage={usage} sort={sort} isGrouped={isGrouped} />}
                />
              )}
            </div>
          }
          detail={
            isOpen ? (
              <ToolDetail key={toolKey(server, name)} server={server} name={name} isTrying={action === 'try'} />
            ) : (
              <ToolEffects tools={tools} />
            )
          }
        />
      )}
    </Page>
  );
}

const noUsage: ToolUsage = new Map();
const keyOf = ({ key }: ToolSummary): string => key;
const serverOf = ({ server }: ToolSummary): string => server;

function ServerHeading({ name, count }: { name: string; count: number }) {
  return (
    <div className={styles.serverHeading} data-group>
      <VisibleText as="span" className="ellipsis" text={name} />
      <span className={styles.serverCount}>{number(count)}</span>
    </div>
  );
}

interface ToolRowProps {
  tool: ToolSummary;
  usage: ToolUsage;
  sort: ToolSort;
  isGrouped: boolean;
}

/** Rendered again only if the tool or the figures change, because scrolling renders the list for each row. */
const ToolRow = memo(function ToolRow({ tool, usage, sort, isGrouped }: ToolRowProps) {
  return (
    <div className={tool.enabled ? styles.toolRow : `${styles.toolRow} ${styles.toolRowDisabled}`}>
      <span className={styles.toolRowMain}>
        <span className={styles.toolRowHead}>
          <VisibleText as="span" className={`${styles.toolRowName} ellipsis`} text={tool.name} />
          <span className={styles.toolRowMarks}>
            {tool.findings > 0 && (
              <Badge tone="bad" icon={FlagTriangleRight}>
                {t('Suspicious')}
              </Badge>
            )}
            <StateBadge tool={tool} />
          </span>
        </span>
        <span className="ellipsis muted small">
          <VisibleText
            as="span"
            className={isGrouped ? 'sr-only' : `${styles.toolRowServer} accent`}
            text={tool.server}
          />
          <VisibleText text={tool.summary || tool.title} />
        </span>
      </span>
      <ToolFigures tool={tool} usage={usage} sort={sort} />
    </div>
  );
});

/** The most important state of a tool. The detail view shows the others. */
function StateBadge({ tool }: { tool: ToolSummary }) {
  if (tool.held)
    return (
      <Badge tone="warn" icon={Hourglass}>
        {t('Held')}
      </Badge>
    );
  if (!tool.enabled) return <Badge icon={Ban}>{t('Disabled')}</Badge>;
  return tool.safetyLevel === 'dangerous' ? <SafetyBadge level="dangerous" /> : null;
}

function summary(tools: readonly ToolSummary[]): string {
  const held = tools.filter((tool) => hasState(tool, 'held')).length;
  const enabledCount = tools.filter((tool) => hasState(tool, 'enabled')).length;
  return dotted([
    t('{count, plural, one {# tool} other {# tools}}', { count: tools.length }),
    t('{count, number} enabled', { count: enabledCount }),
    held > 0 && t('{count, number} held', { count: held }),
  ]);
}
