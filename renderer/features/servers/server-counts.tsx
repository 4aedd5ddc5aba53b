/** The numbers of tools, prompts, resources and calls of a server, each with a link to them. */
import type { ServerView } from '../../../shared/model/server.ts';
import { number } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import tilesStyles from '../../components/tiles.module.css';
import { noHistoryFilter } from '../../stores/history-view.ts';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';

/** Notes how many of the server's tools are held. */
export function HeldTools({ server }: { server: string }) {
  const { attention } = useStores();
  const held = useResource(attention).data?.find((item) => item.kind === 'held-tools' && item.server === server);
  if (held?.kind !== 'held-tools') return null;
  const { tools } = held;
  return (
    <p className={`${noteStyles.note} ${noteStyles.noteWarn}`}>
      <T
        text="{count, plural, one {# tool is held until you review it.} other {# tools are held until you review them.}} <link>Review</link>"
        count={tools.length}
        link={(text) => <a href={hrefOf('tools', server, tools[0] ?? '')}>{text}</a>}
      />
    </p>
  );
}

/** Renders nothing for a server that has never connected. */
export function Tiles({ server }: { server: ServerView }) {
  const { tools, historyView } = useStores();
  const { toolCount, promptCount, enabledCount, calls } = server;
  const resources = server.resourceCount + server.resourceTemplateCount;
  if (server.toolCount + server.promptCount + resources + server.calls.total === 0) return null;
  return (
    <div className={tilesStyles.tiles}>
      <Tile
        count={toolCount}
        label={
          toolCount === enabledCount
            ? t('{count, plural, one {tool} other {tools}}', { count: toolCount })
            : t('{count, plural, one {tool} other {tools}}, {enabled, number} enabled', {
                count: toolCount,
                enabled: enabledCount,
              })
        }
        href={hrefOf('tools')}
        onClick={() => tools.setFilters({ servers: [server.id], text: '' })}
      />
      <Tile
        count={promptCount}
        label={t('{count, plural, one {prompt} other {prompts}}', { count: promptCount })}
        href={promptCount > 0 && hrefOf('servers', server.id, 'prompts')}
      />
      <Tile
        count={resources}
        label={t('{count, plural, one {resource} other {resources}}', { count: resources })}
        href={resources > 0 && hrefOf('servers', server.id, 'resources')}
      />
      <Tile
        count={calls.total}
        label={
          calls.failed > 0
            ? t('{count, plural, one {call} other {calls}}, {failed, number} failed', {
                count: calls.total,
                failed: calls.failed,
              })
            : t('{count, plural, one {call} other {calls}}', { count: calls.total })
        }
        href={hrefOf('history')}
        onClick={() => historyView.set({ ...noHistoryFilter, server: server.id })}
      />
    </div>
  );
}

interface TileProps {
  count: number;
  label: string;
  /** False for a tile that is not a link. */
  href: string | false;
  onClick?(): void;
}

function Tile({ count, label, href, onClick }: TileProps) {
  const content = (
    <>
      <strong>{number(count)}</strong>
      <span>{label}</span>
    </>
  );
  if (href === false) return <div className={tilesStyles.tile}>{content}</div>;
  return (
    <a className={tilesStyles.tile} href={href} onClick={onClick}>
      {content}
    </a>
  );
}
