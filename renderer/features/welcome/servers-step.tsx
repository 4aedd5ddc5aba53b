/** Step 2: selects the servers to import, then shows how each one starts and how to fix those that fail. */
import { ArrowRight, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ImportEntry, ImportFile } from '../../../shared/model/import.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import { Button } from '../../components/button.tsx';
import { listOf } from '../../components/format.ts';
import { Monogram } from '../../components/monogram.tsx';
import rowsStyles from '../../components/rows.module.css';
import { FailureBox, Skeleton } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { EntryNotes } from '../servers/entry-notes.tsx';
import { ImportButton, useImportControls, VaultSwitch } from '../servers/import-controls.tsx';
import { ServerDialog } from '../servers/server-dialog.tsx';
import { StartedServers, useStartProblems } from '../servers/started-servers.tsx';
import { PassphraseButton } from '../settings/passphrase-button.tsx';
import { NoServersActions } from './no-servers-actions.tsx';
import { StepPage, useOnce } from './step-page.tsx';

export function ServersStep({ isAutomatic, onNext }: { isAutomatic: boolean; onNext(): void }) {
  const { imports, link, servers } = useStores();
  const { plan, failure } = useStore(imports.state);
  const list = useResource(servers).data;
  useEffect(() => link.onOpen(() => void imports.load()), [imports, link]);
  const fresh = plan?.entries.filter(({ state }) => state === 'new') ?? [];
  if (!plan || !list)
    return (
      <StepPage title={t('Your servers')} lead={t('Reading your clients’ files.')} actions={null}>
        {failure ? (
          <FailureBox failure={failure} onRetry={() => void imports.load()} />
        ) : (
          <Skeleton label={t('Loading servers')} />
        )}
      </StepPage>
    );
  if (list.length === 0 && fresh.length > 0)
    return <Choose fresh={fresh} files={plan.files} isAutomatic={isAutomatic} onSkip={onNext} />;
  return <Started servers={list} isAutomatic={isAutomatic} onNext={onNext} />;
}

interface ChooseProps {
  fresh: readonly ImportEntry[];
  files: readonly ImportFile[];
  /** Imports what is selected. */
  isAutomatic: boolean;
  onSkip(): void;
}

function Choose({ fresh, files, isAutomatic, onSkip }: ChooseProps) {
  const { imports } = useStores();
  const picked = useStore(imports.state, (state) => state.picked);
  const controls = useImportControls();
  useOnce(isAutomatic, () => (controls.count > 0 ? void controls.run() : onSkip()));
  const names = new Map(files.map(({ source, app }) => [source, app]));
  const broken = files.flatMap(({ problems }) => problems);
  return (
    <StepPage
      title={t('Your servers')}
      lead={t('Toolkeep runs these servers once, for all your clients. Their files are not changed in this step.')}
      actions={
        <>
          <ImportButton controls={controls} />
          <Button look="quiet" onClick={onSkip}>
            {t('Not now')}
          </Button>
          <VaultSwitch controls={controls} />
          <PassphraseButton vault={controls.vault} />
          {!controls.isPersistent && (
            <span className="muted small">
              {t('This computer has no keyring, so secrets stay in plain text until you set a passphrase.')}
            </span>
          )}
        </>
      }
    >
      <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={t('Servers found')}>
        {fresh.map((entry) => (
          <li key={entry.id}>
            <EntryRow
              entry={entry}
              clients={entry.origins.map(({ source }) => names.get(source) ?? source)}
              isPicked={picked.has(entry.id)}
              onPick={(isPicked) => imports.pick([entry.id], isPicked)}
            />
          </li>
        ))}
      </ul>
      {broken.map((problem) => (
        <FailureBox key={`${problem.file} ${problem.path} ${problem.message}`} warning failure={problem} />
      ))}
    </StepPage>
  );
}

interface EntryRowProps {
  entry: ImportEntry;
  clients: readonly string[];
  isPicked: boolean;
  onPick(isPicked: boolean): void;
}

function EntryRow({ entry, clients, isPicked, onPick }: EntryRowProps) {
  const { name } = entry.server;
  return (
    <label className={rowsStyles.row}>
      <input type="checkbox" checked={isPicked} onChange={(event) => onPick(event.target.checked)} />
      <Monogram name={name} />
      <span className={rowsStyles.rowMain}>
        <VisibleText as="span" className={rowsStyles.rowTitle} text={name} />
        <span className="ellipsis muted small">{listOf(new Set(clients))}</span>
        <EntryNotes entry={entry} />
      </span>
    </label>
  );
}

interface StartedProps {
  servers: readonly ServerView[];
  /** Continues when all servers have been read, unless one needs the user. */
  isAutomatic: boolean;
  onNext(): void;
}

/** The servers start while the user reads this page. */
function Started({ servers, isAutomatic, onNext }: StartedProps) {
  const [isAdding, setAdding] = useState(false);
  const problems = useStartProblems();
  const broken = new Set(problems.map(({ server }) => server));
  const used = servers.filter(({ status, id }) => status !== 'disabled' && !broken.has(id));
  const isBusy = used.some(({ status, discovering }) => status === 'starting' || discovering);
  const isRead =
    used.length > 0 &&
    problems.length === 0 &&
    !isBusy &&
    used.every(({ status, toolCount }) => status === 'ready' || toolCount > 0);
  useOnce(isAutomatic && isRead, onNext);
  return (
    <StepPage
      title={t('Your servers')}
      lead={
        servers.length === 0
          ? t('You have no servers yet. Add one now or later.')
          : isBusy
            ? t('Toolkeep starts each server once to read its tools.')
            : used.length === 0
              ? t('No server has started.')
              : problems.length > 0
                ? t('Toolkeep has read the tools of the servers that started.')
                : t('Toolkeep has read your servers’ tools.')
      }
      actions={
        <>
          {servers.length > 0 ? (
            <>
              <Button look="primary" icon={ArrowRight} onClick={onNext}>
                {t('Continue')}
              </Button>
              <Button icon={Plus} onClick={() => setAdding(true)}>
                {t('Add a server')}
              </Button>
            </>
          ) : (
            <NoServersActions onAdd={() => setAdding(true)} onContinue={onNext} />
          )}
          {problems.length > 0 && <span className="muted small">{t('You can fix the rest later, on Home.')}</span>}
        </>
      }
    >
      <StartedServers problems={problems} servers={used} label={t('Servers')} />
      {isAdding && <ServerDialog stays onClose={() => setAdding(false)} />}
    </StepPage>
  );
}
