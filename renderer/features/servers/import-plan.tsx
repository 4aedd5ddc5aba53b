/** The servers found in clients' files, to select and import, and the files that were scanned. */
import { ChevronRight, CircleCheck, FileQuestion, FileWarning, Plus, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ImportEntry, ImportFile } from '../../../shared/model/import.ts';
import type { Connection } from '../../../shared/model/server.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/page.tsx';
import { Path } from '../../components/path.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Empty, FailureBox, Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { PassphraseButton } from '../settings/passphrase-button.tsx';
import { EntryNotes } from './entry-notes.tsx';
import { ImportButton, useImportControls, VaultSwitch } from './import-controls.tsx';
import styles from './import-plan.module.css';
import { ImportedServers } from './imported-servers.tsx';

export function ImportPlanPanel() {
  const { imports, link, toasts } = useStores();
  const { plan, failure, picked } = useStore(imports.state);
  const [imported, setImported] = useState<readonly string[]>([]);
  const controls = useImportControls((done) => {
    const numbers = { servers: done.imported.length, secrets: done.moved.length };
    toasts.success(
      numbers.secrets > 0
        ? t(
            '{servers, plural, one {# server} other {# servers}} imported. Moved {secrets, plural, one {# secret} other {# secrets}} to the vault.',
            numbers,
          )
        : t('{servers, plural, one {# server} other {# servers}} imported.', numbers),
    );
    setImported(done.imported);
  });
  useEffect(() => link.onOpen(() => void imports.load()), [imports, link]);

  if (!plan) return <Unloaded failure={failure} label={t('Loading servers')} onRetry={imports.load} />;
  const newEntries = plan.entries.filter(({ state }) => state === 'new');
  const ownEntries = newEntries.filter(({ folder }) => folder === undefined);
  const allPicked = ownEntries.every(({ id }) => picked.has(id)) && picked.size > 0;
  const clientNames = new Map(plan.files.map(({ source, app }) => [source, app]));

  return (
    <div className="sections">
      {imported.length > 0 && <ImportedServers names={imported} />}
      {newEntries.length === 0 ? (
        imported.length === 0 && <NothingNew hasFiles={plan.files.some((file) => file.found)} />
      ) : (
        <Section
          title={t('{count, plural, one {# server} other {# servers}} found', { count: newEntries.length })}
          aside={
            <button
              type="button"
              className="link-button"
              onClick={() =>
                imports.pick(
                  (allPicked ? newEntries : ownEntries).map(({ id }) => id),
                  !allPicked,
                )
              }
            >
              {allPicked ? t('Select none') : t('Select all')}
            </button>
          }
        >
          <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
            {newEntries.map((entry) => (
              <li key={entry.id}>
                <EntryRow
                  entry={entry}
                  clientNames={clientNames}
                  isPicked={picked.has(entry.id)}
                  onPick={(isPicked) => imports.pick([entry.id], isPicked)}
                />
              </li>
            ))}
          </ul>
          <div className={styles.importBar} data-bottom-bar>
            <ImportButton controls={controls} />
            <VaultSwitch controls={controls} />
            <PassphraseButton vault={controls.vault} />
            <span className={controls.isPersistent ? `muted small ${styles.importHint}` : 'muted small'}>
              {controls.isPersistent
                ? t('Your files aren’t changed.')
                : t('This computer has no keyring, so secrets stay in plain text until you set a passphrase.')}
            </span>
          </div>
        </Section>
      )}
      <OtherEntries
        title={t('Already in Toolkeep')}
        entries={plan.entries.filter(({ state }) => state === 'known')}
        clientNames={clientNames}
      />
      <OtherEntries
        title={t('Cannot be imported')}
        entries={plan.entries.filter(({ state }) => state === 'unusable')}
        clientNames={clientNames}
      />
      <ScannedFiles files={plan.files} />
    </div>
  );
}

interface OtherEntriesProps {
  title: string;
  entries: readonly ImportEntry[];
  clientNames: ReadonlyMap<string, string>;
}

/** Entries from which nothing can be imported. */
function OtherEntries({ title, entries, clientNames }: OtherEntriesProps) {
  if (entries.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <EntryRow entry={entry} clientNames={clientNames} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function NothingNew({ hasFiles }: { hasFiles: boolean }) {
  const { overlay } = useStores();
  return (
    <Empty
      icon={hasFiles ? CircleCheck : SearchX}
      title={hasFiles ? t('Nothing new to import') : t('No MCP servers found')}
    >
      {hasFiles ? (
        <p>{t('Toolkeep already has every server that it found.')}</p>
      ) : (
        <p>{t('Toolkeep scanned the config files below. You can also add servers yourself.')}</p>
      )}
      <Button icon={Plus} onClick={() => overlay.show('add-server')}>
        {t('Add a server')}
      </Button>
    </Empty>
  );
}

/** Files with problems come first; those that do not exist are folded. */
function ScannedFiles({ files }: { files: readonly ImportFile[] }) {
  const found = files
    .filter((file) => file.found)
    .toSorted((a, b) => Number(b.problems.length > 0) - Number(a.problems.length > 0));
  const absent = files.filter((file) => !file.found);
  return (
    <Section title={t('Scanned files')}>
      {found.length > 0 && <FileList files={found} />}
      {absent.length > 0 && (
        <details className="disclosure">
          <summary>
            <ChevronRight className="icon" aria-hidden />
            {t('{count, plural, one {# file} other {# files}} not found', { count: absent.length })}
          </summary>
          <div className="disclosure-body">
            <FileList files={absent} />
          </div>
        </details>
      )}
    </Section>
  );
}

function FileList({ files }: { files: readonly ImportFile[] }) {
  return (
    <ul className="stack-close">
      {files.map((file) => (
        <li key={`${file.source} ${file.file}`}>
          <FileRow file={file} />
        </li>
      ))}
    </ul>
  );
}

function EntryRow({
  entry,
  clientNames,
  isPicked,
  onPick,
}: {
  entry: ImportEntry;
  /** Names of clients by id. */
  clientNames: ReadonlyMap<string, string>;
  isPicked?: boolean;
  onPick?(isPicked: boolean): void;
}) {
  const target = targetOf(entry.server.connection);
  const body = (
    <>
      <span className={rowsStyles.rowMain}>
        <span className={rowsStyles.rowTitle}>
          <VisibleText text={entry.server.name} />
          {entry.isUnseen && entry.state === 'new' && <Badge tone="accent">{t('New')}</Badge>}
          {entry.origins.map(({ source }) => (
            <Badge key={source}>{clientNames.get(source) ?? source}</Badge>
          ))}
        </span>
        {target !== '?' && <VisibleText as="span" className="ellipsis muted small mono" translate="no" text={target} />}
        <EntryNotes entry={entry} />
      </span>
      {entry.state === 'unusable' && <span className={`${rowsStyles.rowEnd} muted`}>{t('Not usable')}</span>}
    </>
  );
  if (!onPick) return <div className={`${rowsStyles.row} ${rowsStyles.rowStill}`}>{body}</div>;
  return (
    <label className={rowsStyles.row}>
      <input type="checkbox" checked={isPicked} onChange={(event) => onPick(event.target.checked)} />
      {body}
    </label>
  );
}

/** Leaves out environment variables and headers, which may hold secrets. */
function targetOf(connection: Connection): string {
  return connection.type === 'stdio' ? [connection.command, ...connection.args].join(' ') : connection.url;
}

function FileRow({ file }: { file: ImportFile }) {
  const isBad = file.problems.length > 0;
  const Icon = isBad ? FileWarning : file.found ? CircleCheck : FileQuestion;
  return (
    <div className={styles.file}>
      <Icon className={`icon ${isBad ? 'warn' : file.found ? 'good' : 'faint'}`} aria-hidden />
      <div>
        <p>
          <strong>{file.app}</strong>{' '}
          <span className="muted">
            {file.found
              ? isBad && file.serverCount === 0
                ? t('cannot be read')
                : t('{count, plural, one {# server} other {# servers}}', { count: file.serverCount })
              : t('not found')}
          </span>
        </p>
        <p className="small muted">
          <Path path={file.file} />
        </p>
        {file.problems.map((problem) => (
          <FailureBox key={`${problem.path}${problem.message}`} warning failure={{ ...problem, file: undefined }} />
        ))}
      </div>
    </div>
  );
}
