/**
 * Step 3: connects the clients that were found, and moves their servers to Toolkeep. Shows each change before making
 * it.
 */
import { ArrowRight, ChevronRight, CircleCheck, Link2, LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { InstallChoice, InstallPlan, InstallStatus } from '../../../shared/model/install.ts';
import { Button } from '../../components/button.tsx';
import { ClientLogo } from '../../components/client-logo.tsx';
import { Switch } from '../../components/controls.tsx';
import { listOf } from '../../components/format.ts';
import rowsStyles from '../../components/rows.module.css';
import { Skeleton } from '../../components/states.tsx';
import { UnifiedDiff } from '../../components/unified-diff.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import { StepPage, useOnce } from './step-page.tsx';
import styles from './welcome.module.css';

/** The plan for each client, or the failure that prevents one. */
type Plans = ReadonlyMap<string, InstallPlan | Failure>;

export function ClientsStep({ isAutomatic, onNext }: { isAutomatic: boolean; onNext(): void }) {
  const { installs, link, imports } = useStores();
  const found = useResource(installs).data?.filter((one) => one.found || one.state !== 'absent');
  const [movesServers, setMovesServers] = useState(true);
  const [letToolkeepAsk, setLetToolkeepAsk] = useState(true);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const [isConnecting, setConnecting] = useState(false);
  // In an automatic setup, the user has not read the change, so the clients keep their own questions.
  const options = { moveServers: movesServers, ...(!isAutomatic && { letToolkeepAsk }) };
  const plans = usePlans(found, options);
  const [failures, setFailures] = useState<ReadonlyMap<string, Failure>>(new Map());
  const open = found?.filter(({ state }) => state !== 'installed') ?? [];
  const chosen = open.flatMap(({ client }) => {
    const plan = plans.get(client);
    return plan && 'token' in plan && !skipped.has(client) ? [plan] : [];
  });
  const askers = chosen.filter(({ asks }) => asks?.isChoice);
  const moved = new Set(chosen.flatMap((plan) => plan.moved)).size;

  /** A client's failure does not stop the others. */
  async function connect(): Promise<boolean> {
    setConnecting(true);
    const failed = new Map<string, Failure>();
    for (const shown of chosen) {
      const { client } = shown;
      const choice = { client, action: 'install', ...options } as const;
      try {
        // Other servers may have started since, which can move, too. The user has not read the change.
        const { token, moved } = isAutomatic ? await link.call('install.plan', choice) : shown;
        await link.call('install.apply', { ...choice, moveServers: movesServers && moved, token });
      } catch (error) {
        failed.set(client, toFailure(error));
      }
    }
    setFailures(failed);
    await Promise.all([installs.load(), imports.load()]);
    setConnecting(false);
    return failed.size === 0;
  }
  const isPlanned = found !== undefined && open.every(({ client, state }) => !isPlannable(state) || plans.has(client));
  useOnce(isAutomatic && isPlanned, () => void connect().then((isConnected) => isConnected && onNext()));
  return (
    <StepPage
      title={t('Your clients')}
      lead={t('Each client gets one entry for Toolkeep. Its file is backed up, and you can undo this.')}
      actions={
        <>
          {chosen.length > 0 && (
            <Button look="primary" icon={Link2} busy={isConnecting} onClick={() => void connect()}>
              {t('Connect {count, plural, one {# client} other {# clients}}', { count: chosen.length })}
            </Button>
          )}
          <Button
            look={chosen.length > 0 ? 'quiet' : 'primary'}
            icon={chosen.length > 0 ? undefined : ArrowRight}
            onClick={onNext}
          >
            {chosen.length > 0 && found?.length === open.length ? t('Not now') : t('Continue')}
          </Button>
        </>
      }
    >
      {!found && <Skeleton label={t('Loading clients')} rows={3} />}
      {found?.length === 0 && (
        <p>
          <T
            text="Toolkeep found no client that it can configure. <link>Set one up manually</link>, or continue."
            link={(text) => <a href={hrefOf('clients')}>{text}</a>}
          />
        </p>
      )}
      {found && found.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={t('Clients')}>
          {found.map((status) => (
            <li key={`${status.client} ${status.file}`}>
              <ClientRow
                status={status}
                plan={plans.get(status.client)}
                failure={failures.get(status.client)}
                isOn={!skipped.has(status.client)}
                onChange={(isOn) =>
                  setSkipped((before) => {
                    const next = new Set(before);
                    if (isOn) next.delete(status.client);
                    else next.add(status.client);
                    return next;
                  })
                }
              />
            </li>
          ))}
        </ul>
      )}
      {!isAutomatic && askers.length > 0 && (
        <div className="field">
          <Switch
            label={t('Let Toolkeep ask instead of {apps}', { apps: listOf(askers.map(({ app }) => app)) })}
            checked={letToolkeepAsk}
            onChange={setLetToolkeepAsk}
          />
          <p className="field-hint">
            {t('Otherwise, they also ask before calls of Toolkeep’s tools, reads included.')}
          </p>
        </div>
      )}
      {open.length > 0 && (
        <div className="field">
          <Switch label={t('Move their servers to Toolkeep')} checked={movesServers} onChange={setMovesServers} />
          <p className="field-hint">
            {!movesServers
              ? t('Otherwise, the clients also run them directly, without approvals, and load all their tools.')
              : moved === 0
                ? t('Toolkeep runs none of the servers in these files, so nothing is removed.')
                : t(
                    '{count, plural, one {Removes # server from the clients’ files. Toolkeep runs it instead, with approvals.} other {Removes # servers from the clients’ files. Toolkeep runs them instead, with approvals.}}',
                    { count: moved },
                  )}
          </p>
        </div>
      )}
    </StepPage>
  );
}

const isPlannable = (state: InstallStatus['state']) => state === 'absent' || state === 'wiped';

function usePlans(
  found: readonly InstallStatus[] | undefined,
  { moveServers, letToolkeepAsk }: Pick<InstallChoice, 'moveServers' | 'letToolkeepAsk'>,
) {
  const { link } = useStores();
  const [plans, setPlans] = useState<Plans>(new Map());
  const wanted = found?.flatMap(({ client, state }) => (isPlannable(state) ? client : [])).join();
  useEffect(() => {
    let isStale = false;
    const clients = wanted?.split(',').filter(Boolean) ?? [];
    const load = () =>
      void Promise.all(
        clients.map(async (client): Promise<[string, InstallPlan | Failure]> => {
          const planned = link.call('install.plan', { client, action: 'install', moveServers, letToolkeepAsk });
          return [client, await planned.catch((error) => toFailure(error))];
        }),
      ).then((list) => {
        if (!isStale) setPlans((before) => new Map([...before, ...list]));
      });
    load();
    // A server that has just started can move, too.
    const unsubscribe = link.on('tools.changed', load);
    return () => {
      isStale = true;
      unsubscribe();
    };
  }, [link, wanted, moveServers, letToolkeepAsk]);
  return plans;
}

interface ClientRowProps {
  status: InstallStatus;
  plan: InstallPlan | Failure | undefined;
  /** The failure of the last attempt to connect. */
  failure: Failure | undefined;
  isOn: boolean;
  onChange(isOn: boolean): void;
}

function ClientRow({ status, plan, failure: lastFailure, isOn, onChange }: ClientRowProps) {
  const { app, state, problem, connectedAt } = status;
  const isPlanned = plan !== undefined && 'token' in plan;
  const failure = lastFailure ?? (plan && !isPlanned ? plan : problem);
  const isInstalled = state === 'installed';
  return (
    <div className={styles.client}>
      <ClientLogo name={app} />
      <div className={rowsStyles.rowMain}>
        <span className={rowsStyles.rowTitle}>{app}</span>
        {state === 'foreign' && (
          <span className="muted small">
            <T
              text="Another program’s entry is named “toolkeep”. <link>Replace it…</link>"
              link={(text) => <a href={hrefOf('clients')}>{text}</a>}
            />
          </span>
        )}
        {failure && <VisibleText as="span" className={rowsStyles.rowProblem} text={failure.message} />}
        {isPlanned &&
          !isInstalled &&
          plan.warnings.map((text) => (
            <VisibleText as="span" key={text} className={`${rowsStyles.rowNote} warn`} text={text} />
          ))}
        {isPlanned && !isInstalled && (
          <details className={`disclosure ${styles.change}`}>
            <summary>
              <ChevronRight className="icon" aria-hidden />
              {plan.moved.length > 0
                ? t('Show change ({count, plural, one {# server} other {# servers}} moved)', {
                    count: plan.moved.length,
                  })
                : t('Show change')}
            </summary>
            <UnifiedDiff text={plan.diff} label={t('Changes to the file of {app}', { app })} />
          </details>
        )}
        {isInstalled && (
          <span className={`status ${connectedAt === undefined ? '' : 'good'}`} role="status">
            {connectedAt === undefined ? (
              <LoaderCircle className="icon" aria-hidden />
            ) : (
              <CircleCheck className="icon" aria-hidden />
            )}
            {connectedAt === undefined
              ? isPlanned
                ? plan.afterwards
                : t('Restart {app} to finish.', { app })
              : t('Connected')}
          </span>
        )}
      </div>
      {isPlanned && !isInstalled && (
        <Switch bare label={t('Connect {app}', { app })} checked={isOn} onChange={onChange} />
      )}
    </div>
  );
}
