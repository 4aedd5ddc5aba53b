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
      <a
        className={tilesStyles.tile}
        href={hrefOf('tools')}
        onClick={() => tools.setFilters({ server: server.id, text: '' })}
      >
        <strong>{server.toolCount.toLocaleString('en')}</strong>
        <span>
          {server.toolCount === 1 ? 'tool' : 'tools'}
          {server.toolCount === server.enabledCount ? '' : `, ${server.enabledCount} enabled`}
        </span>
      </a>
      <CountTile server={server.id} page="prompts" number={server.promptCount} one="prompt" />
      <CountTile server={server.id} page="resources" number={resources} one="resource" />
      <a
        className={tilesStyles.tile}
        href={hrefOf('history')}
        onClick={() => historyView.set({ ...noHistoryFilter, server: server.id })}
      >
        <strong>{server.calls.total.toLocaleString('en')}</strong>
        <span>
          {server.calls.total === 1 ? 'call' : 'calls'}
          {server.calls.failed > 0 && `, ${server.calls.failed} failed`}
        </span>
      </a>
    </div>
  );
}

/** A link, unless there is nothing to see. */
function CountTile({
  server,
  page,
  number,
  one,
}: {
  server: string;
  page: 'prompts' | 'resources';
  number: number;
  one: string;
}) {
  const content = (
    <>
      <strong>{number.toLocaleString('en')}</strong>
      <span>{number === 1 ? one : `${one}s`}</span>
    </>
  );
  if (number === 0) return <div className={tilesStyles.tile}>{content}</div>;
  return (
    <a className={tilesStyles.tile} href={hrefOf('servers', server, page)}>
      {content}
    </a>
  );
}
