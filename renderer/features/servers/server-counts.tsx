/** The numbers of tools, prompts, resources and calls of a server, each with a link to them. */
import type { ServerView } from '../../../shared/model/server.ts';
import noteStyles from '../../components/note.module.css';
import tilesStyles from '../../components/tiles.module.css';
import { noHistoryFilter } from '../../stores/history-view.ts';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';

/** Tells that tools of the server are held. */
export function HeldTools({ server }: { server: string }) {
  const { attention } = useStores();
  const held = useResource(attention).data?.find((item) => item.kind === 'held-tools' && item.server === server);
  if (held?.kind !== 'held-tools') return null;
  const { tools } = held;
  return (
    <p className={`${noteStyles.note} ${noteStyles.noteWarn}`}>
      {tools.length === 1
        ? '1 tool is held until you review it.'
        : `${tools.length} tools are held until you review them.`}{' '}
      <a href={hrefOf('tools', server, tools[0] ?? '')}>Review</a>
    </p>
  );
}

/** Renders nothing for a server that has never connected. */
export function Tiles({ server }: { server: ServerView }) {
  const { tools, historyView } = useStores();
  const resources = server.resourceCount + server.resourceTemplateCount;
  if (server.toolCount + server.promptCount + resources + server.calls.total === 0) return null;
  return (
    <div className={tilesStyles.tiles}>
      <Tile
        number={server.toolCount}
        one="tool"
        note={server.toolCount === server.enabledCount ? '' : `, ${server.enabledCount} enabled`}
        href={hrefOf('tools')}
        onClick={() => tools.setFilters({ server: server.id, text: '' })}
      />
      <Tile
        number={server.promptCount}
        one="prompt"
        href={server.promptCount > 0 && hrefOf('servers', server.id, 'prompts')}
      />
      <Tile number={resources} one="resource" href={resources > 0 && hrefOf('servers', server.id, 'resources')} />
      <Tile
        number={server.calls.total}
        one="call"
        note={server.calls.failed > 0 ? `, ${server.calls.failed} failed` : ''}
        href={hrefOf('history')}
        onClick={() => historyView.set({ ...noHistoryFilter, server: server.id })}
      />
    </div>
  );
}

interface TileProps {
  number: number;
  /** The noun in the singular. */
  one: string;
  /** Follows the noun. */
  note?: string;
  /** False for a tile that is not a link. */
  href: string | false;
  onClick?(): void;
}

function Tile({ number, one, note = '', href, onClick }: TileProps) {
  const content = (
    <>
      <strong>{number.toLocaleString('en')}</strong>
      <span>
        {number === 1 ? one : `${one}s`}
        {note}
      </span>
    </>
  );
  if (href === false) return <div className={tilesStyles.tile}>{content}</div>;
  return (
    <a className={tilesStyles.tile} href={href} onClick={onClick}>
      {content}
    </a>
  );
}
