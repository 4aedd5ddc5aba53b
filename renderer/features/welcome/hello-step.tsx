/** Step 1: introduces Toolkeep in one sentence, and lists the clients that it found. */
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ImportPlan } from '../../../shared/model/import.ts';
import { Button } from '../../components/button.tsx';
import { ClientLogo } from '../../components/client-logo.tsx';
import { Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { ServerDialog } from '../servers/server-dialog.tsx';
import { NoServersActions } from './no-servers-actions.tsx';
import { StepPage } from './step-page.tsx';
import styles from './welcome.module.css';

export function HelloStep({ onNext, onAutomatic }: { onNext(): void; onAutomatic(): void }) {
  const { imports, link, servers } = useStores();
  const [isAdding, setAdding] = useState(false);
  const { plan, failure } = useStore(imports.state);
  useEffect(() => link.onOpen(() => void imports.load()), [imports, link]);
  const isNothingFound = plan !== undefined && isEmpty(plan);
  function close(): void {
    setAdding(false);
    if ((servers.state.getState().data ?? []).length > 0) onNext();
  }
  return (
    <StepPage
      title={t('Welcome to Toolkeep')}
      lead={t(
        'One gateway between your AI apps and all their tools: your clients see five tools instead of hundreds, and nothing dangerous runs without your approval.',
      )}
      actions={
        isNothingFound ? (
          <NoServersActions onAdd={() => setAdding(true)} onContinue={onNext} />
        ) : (
          <>
            <Button look="primary" icon={ArrowRight} disabled={!plan} onClick={onAutomatic}>
              {t('Set up everything')}
            </Button>
            <Button look="quiet" onClick={onNext}>
              {t('Choose…')}
            </Button>
          </>
        )
      }
    >
      {!plan && <Unloaded failure={failure} label={t('Loading your clients')} rows={2} onRetry={imports.load} />}
      {plan && (isNothingFound ? <NothingFound plan={plan} /> : <Found plan={plan} />)}
      {isAdding && <ServerDialog stays onClose={close} />}
    </StepPage>
  );
}

const isEmpty = ({ files, entries }: ImportPlan) => entries.length === 0 && files.every(({ found }) => !found);

function Found({ plan: { files, entries } }: { plan: ImportPlan }) {
  const byApp = Map.groupBy(
    files.filter(({ found }) => found),
    ({ app }) => app,
  );
  const fresh = entries.filter(({ state }) => state === 'new').length;
  return (
    <div className="stack">
      <ul className={styles.apps} aria-label={t('Clients found')}>
        {Array.from(byApp, ([app, its]) => {
          const servers = its.reduce((sum, { serverCount }) => sum + serverCount, 0);
          const isBroken = its.some(({ problems }) => problems.length > 0);
          return (
            <li key={app} className="card">
              <ClientLogo name={app} />
              <span>
                <strong>{app}</strong>
                <span className="muted small">
                  {isBroken
                    ? t('Config file is invalid')
                    : t('{count, plural, one {# server} other {# servers}}', { count: servers })}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
      <p>
        {fresh > 0
          ? t(
              '{count, plural, one {# server} other {# servers}} can move to Toolkeep. Servers that do not start stay in their apps.',
              { count: fresh },
            )
          : t('Toolkeep adds one entry to each app.')}{' '}
        {t('The apps’ files are backed up, and you can undo everything.')}
      </p>
    </div>
  );
}

function NothingFound({ plan }: { plan: ImportPlan }) {
  return (
    <div className="stack">
      <p>{t('Toolkeep found no MCP client on this computer. Add a server now, or continue and add one later.')}</p>
      <details className={styles.looked}>
        <summary>{t('Locations that Toolkeep checked')}</summary>
        <ul>
          {plan.files.map(({ source, app, file }) => (
            <li key={`${source} ${file}`}>
              {app}: <VisibleText as="code" text={file} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
