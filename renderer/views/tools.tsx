/** All tools of all servers: a quick filter, and the chosen tool beside the list. */
import { Ban, Blocks, FlagTriangleRight, Hourglass, SearchX } from 'lucide-react';
import { useDeferredValue, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { ToolSummary } from '../../shared/model.ts';
import { Badge, SafetyBadge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { filterTools, indexTools } from '../parts/filter-tools.ts';
import { count } from '../parts/format.ts';
import { Page, Split } from '../parts/page.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { Empty, FailureBox, Skeleton } from '../parts/states.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useResource } from '../stores/resource.ts';
import { go, goQuietly, hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { noFilters } from '../stores/tools.ts';
import { ToolDetail } from './tool-detail.tsx';
import { ToolFilterBar } from './tool-filters.tsx';

export function ToolsView({ parts: [server, name] }: { parts: string[] }) {
  const { tools: store } = useStores();
  const { data: tools, failure } = useResource(store.list);
  const { filters } = useStore(store.state);
  const deferred = useDeferredValue(filters);
  const index = useMemo(() => indexTools(tools ?? []), [tools]);
  const shown = useMemo(() => filterTools(tools ?? [], index, deferred), [tools, index, deferred]);
  const detail = useRef<HTMLDivElement>(null);
  const isOpen = server !== undefined && name !== undefined;

  function choose(tool: ToolSummary): void {
    // Arrowing through the list must not fill the history; the first choice may.
    if (isOpen) goQuietly('tools', tool.server, tool.name);
    else go('tools', tool.server, tool.name);
  }

  return (
    <Page fill title="Tools" lead={tools && tools.length > 0 ? summary(tools) : undefined}>
      {failure && !tools && <FailureBox failure={failure} onRetry={() => void store.list.load()} />}
      {!tools && !failure && <Skeleton label="tools" rows={6} />}
      {tools?.length === 0 && (
        <Empty icon={Blocks} title="No tools yet">
          <p>Tools appear here when a server has been connected for the first time.</p>
          <a className="button button-primary" href={hrefOf('servers')}>
            Go to servers
          </a>
        </Empty>
      )}
      {tools && tools.length > 0 && (
        <Split
          isOpen={isOpen}
          backHref={hrefOf('tools')}
          backLabel="All tools"
          detailLabel={isOpen ? `Tool ${name}` : 'Tool details'}
          list={
            <div className="list-column">
              <ToolFilterBar tools={tools} shownCount={shown.length} />
              {shown.length === 0 ? (
                <Empty icon={SearchX} title="Nothing matches">
                  <Button onClick={() => store.setFilters(noFilters)}>Clear the filters</Button>
                </Empty>
              ) : (
                <VirtualList
                  label="Tools"
                  items={shown}
                  keyOf={({ key }) => key}
                  chosen={isOpen ? `${server}::${name}` : undefined}
                  onChoose={choose}
                  onEnter={() => detail.current?.focus()}
                  rowHeight={66}
                  render={(tool) => <ToolRow tool={tool} />}
                />
              )}
            </div>
          }
          detail={
            <div ref={detail} tabIndex={-1} className="detail-focus">
              {isOpen ? (
                <ToolDetail key={`${server}::${name}`} server={server} name={name} />
              ) : (
                <Empty icon={Blocks} title="Choose a tool to see what it does">
                  <p>
                    Press <kbd>/</kbd> to search, <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to go into a tool.
                  </p>
                </Empty>
              )}
            </div>
          }
        />
      )}
    </Page>
  );
}

function ToolRow({ tool }: { tool: ToolSummary }) {
  return (
    <div className={tool.enabled ? 'tool-row' : 'tool-row tool-row-off'}>
      <span className="tool-row-head">
        <span className="tool-row-name">
          <VisibleText text={tool.name} />
        </span>
        <span className="tool-row-marks">
          {tool.findings > 0 && (
            <Badge tone="bad" icon={FlagTriangleRight}>
              Suspicious
            </Badge>
          )}
          <StateBadge tool={tool} />
        </span>
      </span>
      <span className="tool-row-sub">
        <span className="tool-row-server">
          <VisibleText text={tool.server} />
        </span>
        <VisibleText text={tool.summary || tool.title} />
      </span>
    </div>
  );
}

/** The one thing about a tool that matters most in a list; the rest stands in its details. */
function StateBadge({ tool }: { tool: ToolSummary }) {
  if (tool.held)
    return (
      <Badge tone="warn" icon={Hourglass}>
        Held back
      </Badge>
    );
  if (!tool.enabled) return <Badge icon={Ban}>Off</Badge>;
  return tool.safetyLevel === 'dangerous' ? <SafetyBadge level="dangerous" /> : null;
}

function summary(tools: readonly ToolSummary[]): string {
  const on = tools.filter(({ enabled }) => enabled).length;
  const held = tools.filter((tool) => tool.held).length;
  return [count(tools.length, 'tool'), `${on.toLocaleString('en')} on`, held > 0 && `${held} held back`]
    .filter(Boolean)
    .join(' · ');
}
