/** The found apps and files, and their servers to pick from: one click takes what is picked. */
import { CircleCheck, Download, FileQuestion, FileWarning, Info, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Connection, ImportEntry, ImportFile } from '../../shared/model.ts';
import { useResource } from '../stores/resource.ts';
import { go, hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { Switch } from './controls.tsx';
import { count } from './format.ts';
import { Section } from './page.tsx';
import { VisibleText } from './server-text.tsx';
import { Empty, FailureBox, Skeleton } from './states.tsx';

export function ImportPlanPanel({ isFirst = false }: { isFirst?: boolean }) {
  const { importing, link, notices, servers, status } = useStores();
  const { plan, failure, picked } = useStore(importing.state);
  const isLasting = useResource(status).data?.vault.persistent !== false;
  const [movesSecrets, setMovesSecrets] = useState(true);
  const [isImporting, setImporting] = useState(false);
  useEffect(() => link.onOpen(() => void importing.load()), [importing, link]);

  if (failure && !plan) return <FailureBox failure={failure} onRetry={() => void importing.load()} />;
  if (!plan) return <Skeleton label="what other apps have" />;
  const fresh = plan.entries.filter(({ state }) => state === 'new');
  const rest = plan.entries.filter(({ state }) => state !== 'new');
  const found = plan.files.filter((file) => file.found);
  const apps = new Map(plan.files.map(({ source, app }) => [source, app]));

  async function take(): Promise<void> {
    setImporting(true);
    const done = await notices.attempt(() => importing.apply(movesSecrets && isLasting));
    setImporting(false);
    if (!done) return;
    const moved = done.moved.length > 0 ? ` ${count(done.moved.length, 'secret')} went to the vault.` : '';
    notices.good(`${count(done.imported.length, 'server')} imported.${moved} They start when they are first used.`);
    await Promise.all([servers.load(), status.load()]);
    go(isFirst ? 'clients' : 'servers');
  }

  return (
    <div className="import">
      {fresh.length === 0 ? (
        <Empty
          icon={found.length === 0 ? SearchX : CircleCheck}
          title={found.length === 0 ? 'No other app has MCP servers here' : 'Nothing new to import'}
        >
          {found.length === 0 ? (
            <p>Gatehouse looked where the apps below keep their configuration. You can add servers by hand as well.</p>
          ) : (
            <p>Gatehouse has every server that it could find.</p>
          )}
          {isFirst && (
            <a className="button button-primary" href={hrefOf('servers', '')}>
              Add a server by hand
            </a>
          )}
        </Empty>
      ) : (
        <Section
          title={`${count(fresh.length, 'server')} found`}
          aside={
            <button
              type="button"
              className="link-button"
              onClick={() =>
                importing.pick(
                  fresh.map(({ id }) => id),
                  picked.size < fresh.length,
                )
              }
            >
              {picked.size < fresh.length ? 'Select all' : 'Select none'}
            </button>
          }
        >
          <ul className="rows rows-card">
            {fresh.map((entry) => (
              <li key={entry.id}>
                <EntryRow
                  entry={entry}
                  apps={apps}
                  isPicked={picked.has(entry.id)}
                  onPick={(isPicked) => importing.pick([entry.id], isPicked)}
                />
              </li>
            ))}
          </ul>
          <div className="import-bar">
            <Button
              look="primary"
              icon={Download}
              busy={isImporting}
              disabled={picked.size === 0}
              onClick={() => void take()}
            >
              {picked.size === 0 ? 'Import' : `Import ${count(picked.size, 'server')}`}
            </Button>
            <Switch
              label="Keep secrets in the vault"
              checked={movesSecrets && isLasting}
              disabled={!isLasting}
              onChange={setMovesSecrets}
            />
            <span className={isLasting ? 'muted small import-said' : 'muted small'}>
              {isLasting ? 'Your files stay as they are.' : 'No keyring answers here, so secrets stay as they stand.'}
            </span>
          </div>
        </Section>
      )}
      {rest.length > 0 && (
        <Section title="Left out">
          <ul className="rows rows-card">
            {rest.map((entry) => (
              <li key={entry.id}>
                <EntryRow entry={entry} apps={apps} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Where Gatehouse looked">
        <ul className="files">
          {plan.files
            .toSorted((a, b) => Number(b.found) - Number(a.found))
            .map((file) => (
              <li key={`${file.source} ${file.file}`}>
                <FileRow file={file} />
              </li>
            ))}
        </ul>
      </Section>
    </div>
  );
}

const stateWords = { known: 'Already here', self: 'Gatehouse itself', unusable: 'Cannot be used' };

function EntryRow({
  entry,
  apps,
  isPicked,
  onPick,
}: {
  entry: ImportEntry;
  /** Names of apps by their ids. */
  apps: ReadonlyMap<string, string>;
  isPicked?: boolean;
  onPick?(isPicked: boolean): void;
}) {
  const target = targetOf(entry.server.connection);
  const body = (
    <>
      <span className="row-main">
        <span className="row-title">
          <VisibleText text={entry.server.name} />
          {entry.isOffer && <Badge tone="accent">New</Badge>}
          {entry.origins.map(({ source }) => (
            <Badge key={source}>{apps.get(source) ?? source}</Badge>
          ))}
        </span>
        {target !== '?' && (
          <span className="row-sub mono">
            <VisibleText text={target} />
          </span>
        )}
        {entry.notes.map((note) => (
          <span key={note} className="row-note">
            <Info className="icon" aria-hidden />
            <VisibleText text={note} />
          </span>
        ))}
      </span>
      {entry.state !== 'new' && <span className="row-end muted">{stateWords[entry.state]}</span>}
    </>
  );
  if (!onPick) return <div className="row row-still">{body}</div>;
  return (
    <label className="row row-check">
      <input type="checkbox" checked={isPicked} onChange={(event) => onPick(event.target.checked)} />
      {body}
    </label>
  );
}

/** Values of variables and headers stay out of sight; the plan's notes speak about secrets. */
function targetOf(connection: Connection): string {
  return connection.type === 'stdio' ? [connection.command, ...connection.args].join(' ') : connection.url;
}

function FileRow({ file }: { file: ImportFile }) {
  const isBad = file.problems.length > 0;
  const Icon = isBad ? FileWarning : file.found ? CircleCheck : FileQuestion;
  return (
    <div className={isBad ? 'file file-bad' : file.found ? 'file file-found' : 'file'}>
      <Icon className="icon" aria-hidden />
      <div>
        <p>
          <strong>{file.app}</strong>{' '}
          <span className="muted">
            {file.found
              ? isBad && file.serverCount === 0
                ? 'could not be read'
                : count(file.serverCount, 'server')
              : 'nothing there'}
          </span>
        </p>
        <p className="mono small muted">{file.file}</p>
        {file.problems.map((problem) => (
          <FailureBox key={`${problem.path}${problem.message}`} warning failure={problem} />
        ))}
      </div>
    </div>
  );
}
