/** The list of servers: those that need attention first, filtered by text, state and tag. */
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { firstLineOf } from '../../../shared/first-line.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import { Badge, StatusBadge } from '../../components/badge.tsx';
import { SearchInput, Segments, Select } from '../../components/controls.tsx';
import { byName, listOf, toolsEnabled } from '../../components/format.ts';
import rowsStyles from '../../components/rows.module.css';
import { ServerMark } from '../../components/server-mark.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useFirstRows } from '../../components/use-first-rows.ts';
import { hasWords, wordsOf } from '../../components/words.ts';
import { hrefOf, navigate } from '../../stores/route.ts';
import { isAvailable, type ServerListState, type ServerOrder, untagged } from '../../stores/server-list.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { BulkActions } from './bulk-actions.tsx';
import styles from './server-list.module.css';
import { tagsOf } from './server-tags.tsx';

/** Maximum number of tags in a row. The server's page shows all. */
const shownTags = 2;

/** Shorter lists need no filter. */
const minServersForFilter = 6;

/** Failed servers come first. Servers with the same rank are sorted by name. */
const statusOrder: Record<ServerView['status'], number> = { failed: 0, starting: 1, ready: 2, idle: 2, disabled: 3 };

const nameOrder = (a: ServerView, b: ServerView) => byName(a.id, b.id);
/** Servers without a tag come last. */
const tagOrder = (a: ServerView, b: ServerView) =>
  Number(!a.tags) - Number(!b.tags) || byName(a.tags?.[0] ?? '', b.tags?.[0] ?? '');
const orders: Record<ServerOrder, (a: ServerView, b: ServerView) => number> = {
  attention: (a, b) => statusOrder[a.status] - statusOrder[b.status] || nameOrder(a, b),
  name: nameOrder,
  tag: (a, b) => tagOrder(a, b) || nameOrder(a, b),
  calls: (a, b) => b.calls.total - a.calls.total || nameOrder(a, b),
  tools: (a, b) => b.toolCount - a.toolCount || nameOrder(a, b),
};

/** The first server in the list, regardless of the filter. */
export const firstIn = (servers: readonly ServerView[], order: ServerOrder): ServerView | undefined =>
  servers.toSorted(orders[order])[0];

interface ServerListProps {
  servers: readonly ServerView[];
  selectedId: string | undefined;
}

export function ServerList({ servers, selectedId }: ServerListProps) {
  const { serverList } = useStores();
  const { text, state, tag, order } = useStore(serverList.state);
  const tags = tagsOf(servers);
  // The selected tag may no longer exist.
  const wantedTag = tag === untagged || tags.includes(tag) ? tag : '';
  const shown = useMemo(
    () =>
      servers
        .filter((server) => hasState(server, state) && hasTag(server, wantedTag) && matchesText(server, text))
        .toSorted(orders[order]),
    [servers, state, wantedTag, text, order],
  );
  const rendered = useFirstRows(shown);
  const problemCount = servers.filter((server) => hasState(server, 'problems')).length;
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new server appears after it is selected
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [selectedId, rendered.length]);
  return (
    <>
      {(servers.length >= minServersForFilter || text || state !== 'all' || wantedTag) && (
        <search className={`${styles.filters} stack-closest`}>
          <SearchInput
            label={t('Filter servers')}
            value={text}
            onChange={(typed) => serverList.set({ text: typed })}
            onEnter={() => shown[0] && navigate('servers', shown[0].id)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return;
              event.preventDefault();
              list.current?.querySelector('a')?.focus();
            }}
          />
          <Segments
            label={t('State')}
            value={state}
            options={[
              ['all', t('All')],
              ['available', t('Available')],
              ['problems', problemCount > 0 ? t('Problems ({count, number})', { count: problemCount }) : t('Problems')],
              ['disabled', t('Disabled')],
            ]}
            onChange={(next) => serverList.set({ state: next as ServerListState['state'] })}
          />
          {tags.length > 0 && (
            <Select
              bare
              label={t('Tag')}
              value={wantedTag}
              options={[['', t('Any tag')], ...tags.map((one) => [one, one] as const), [untagged, t('No tag')]]}
              onChange={(next) => serverList.set({ tag: next })}
            />
          )}
          <div className={styles.more}>
            <Select
              bare
              label={t('Order')}
              value={order}
              options={[
                ['attention', t('Problems first')],
                ['name', t('By name')],
                ...(tags.length > 0 || order === 'tag' ? [['tag', t('Grouped by tag')] as const] : []),
                ['calls', t('Most calls first')],
                ['tools', t('Most tools first')],
              ]}
              onChange={(next) => serverList.set({ order: next as ServerOrder })}
            />
            <BulkActions shown={shown} />
          </div>
        </search>
      )}
      {shown.length === 0 && <p className={`${styles.none} muted`}>{t('No matching servers.')}</p>}
      {/* The links can take the focus themselves. The arrow keys only move between them. */}
      <ul ref={list} className={rowsStyles.rows} aria-label={t('Servers')} onKeyDown={moveFocus}>
        {rendered.map((server, index) => (
          <li key={server.id}>
            {order === 'tag' && groupOf(server) !== groupOf(rendered[index - 1]) && (
              <VisibleText as="h2" className={rowsStyles.rowHeading} text={groupOf(server) || t('No tag')} />
            )}
            <ServerRow server={server} isSelected={server.id === selectedId} />
          </li>
        ))}
      </ul>
    </>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')];
  const index = links.findIndex((link) => link.matches(':focus'));
  const targets: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: links.length - 1 };
  const target = links[targets[event.key] ?? -1];
  if (!target) return;
  event.preventDefault();
  target.focus();
}

function ServerRow({ server, isSelected }: { server: ServerView; isSelected: boolean }) {
  return (
    <a
      className={`${rowsStyles.row} inset-focus`}
      href={hrefOf('servers', server.id)}
      aria-current={isSelected ? 'true' : undefined}
    >
      <ServerMark name={server.id} icon={server.icon} />
      <span className={rowsStyles.rowMain}>
        <span className={rowsStyles.rowLine}>
          <span className={rowsStyles.rowTitle}>
            <VisibleText text={server.id} />
            {server.tags?.slice(0, shownTags).map((tag) => (
              <Badge key={tag}>
                <VisibleText text={tag} />
              </Badge>
            ))}
            {server.tags && server.tags.length > shownTags && (
              <span className="muted small" title={listOf(server.tags)}>
                +{server.tags.length - shownTags}
              </span>
            )}
          </span>
          <StatusBadge server={server} />
        </span>
        <span className={rowsStyles.rowLine}>
          <VisibleText as="span" className="ellipsis muted small mono" text={server.target} />
          <span className={rowsStyles.rowCount}>{toolCount(server)}</span>
        </span>
        {server.failure && server.signIn !== 'needed' && (
          <VisibleText
            as="span"
            className={`${styles.problem} ellipsis bad small`}
            text={firstLineOf(server.failure)}
          />
        )}
      </span>
    </a>
  );
}

/** The group of a server: its first tag. */
function groupOf(server: ServerView | undefined): string | undefined {
  return server && (server.tags?.[0] ?? '');
}

function hasTag({ tags = [] }: ServerView, tag: string): boolean {
  if (tag === untagged) return tags.length === 0;
  return tag === '' || tags.includes(tag);
}

function hasState(server: ServerView, state: ServerListState['state']): boolean {
  const { status, signIn } = server;
  switch (state) {
    case 'all':
      return true;
    case 'available':
      return isAvailable(server);
    case 'problems':
      return status === 'failed' || signIn === 'needed';
    case 'disabled':
      return status === 'disabled';
  }
}

/** True if every word occurs in the name, command, URL or tags. */
function matchesText({ id, target, tags = [] }: ServerView, text: string): boolean {
  return hasWords([id, target, ...tags].join(' ').toLowerCase(), wordsOf(text));
}

function toolCount({ toolCount: total, enabledCount }: ServerView): string {
  return total === 0 ? '' : toolsEnabled(enabledCount, total);
}
