/** Connects or disconnects a client: options, a diff of its config file, and the next steps. Writes the file only after confirmation. */
import { CircleCheck, FilePen, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { Mode } from '../../../shared/model/call.ts';
import type { InstallChoice, InstallPlan, InstallStatus } from '../../../shared/model/install.ts';
import { Select, Switch } from '../../components/controls.tsx';
import { ActionDialog, DoneDialog } from '../../components/dialog.tsx';
import { listOf } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { Path } from '../../components/path.tsx';
import { FailureBox, Skeleton } from '../../components/states.tsx';
import { UnifiedDiff } from '../../components/unified-diff.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import clientsStyles from './clients.module.css';
import { ModeChoice, ReadToolSwitch } from './mode-choice.tsx';

interface InstallDialogProps {
  status: InstallStatus;
  action: 'install' | 'uninstall';
  onClose(): void;
}

export function InstallDialog({ status, action, onClose }: InstallDialogProps) {
  const { link, installs, imports } = useStores();
  const [choice, setChoice] = useState<InstallChoice>({
    ...(action === 'install' && status.access),
    client: status.client,
    action,
    moveServers: action === 'install' && status.state !== 'installed',
    ...(action === 'install' && {
      letToolkeepAsk: status.state !== 'installed' || status.access?.letToolkeepAsk === true,
    }),
  });
  const [plan, setPlan] = useState<InstallPlan>();
  const [planFailure, setPlanFailure] = useState<Failure>();
  /** Stays until the next click, even when a new plan is shown. */
  const [writeFailure, setWriteFailure] = useState<Failure>();
  const [isDone, setDone] = useState(false);
  const isOnline = useStore(link.state, (state) => state.status === 'open');

  useEffect(() => {
    let isStale = false;
    if (!isDone && isOnline)
      link.call('install.plan', choice).then(
        (next) => {
          if (isStale) return;
          setPlan(next);
          setPlanFailure(undefined);
        },
        (error) => !isStale && setPlanFailure(toFailure(error)),
      );
    return () => {
      isStale = true;
    };
  }, [link, choice, isDone, isOnline]);

  function change(next: InstallChoice): void {
    setWriteFailure(undefined);
    setChoice(next);
  }

  async function write({ token, moved }: InstallPlan): Promise<void> {
    setWriteFailure(undefined);
    try {
      await link.call('install.apply', { ...choice, moveServers: choice.moveServers && moved, token });
      setDone(true);
      await Promise.all([installs.load(), imports.load()]);
    } catch (error) {
      setWriteFailure(toFailure(error));
      // The file may have changed, so show a new plan.
      setPlan(undefined);
      setChoice({ ...choice });
    }
  }

  if (isDone && plan) return <Done plan={plan} onClose={onClose} />;
  const isInstall = action === 'install';
  const failure = writeFailure ?? planFailure;
  return (
    <ActionDialog
      title={
        !isInstall
          ? t('Disconnect {app}', { app: status.app })
          : status.state === 'installed'
            ? t('Change {app}’s access', { app: status.app })
            : t('Connect {app}', { app: status.app })
      }
      action={t('Save changes')}
      icon={FilePen}
      disabled={!plan || plan.unchanged}
      run={async () => plan && write(plan)}
      onClose={onClose}
    >
      {isInstall && <InstallOptions app={status.app} choice={choice} plan={plan} onChange={change} />}
      {failure && <FailureBox failure={failure} />}
      {!plan && !failure && <Skeleton label={t('Loading changes')} rows={3} />}
      {plan && <PlannedChange plan={plan} />}
    </ActionDialog>
  );
}

interface InstallOptionsProps {
  app: string;
  choice: InstallChoice;
  plan: InstallPlan | undefined;
  onChange(choice: InstallChoice): void;
}

/** The mode and profile of the client, and whether its own servers move to Toolkeep. */
function InstallOptions({ app, choice, plan, onChange }: InstallOptionsProps) {
  const saved = useResource(useStores().profiles).data ?? [];
  // The client's profile may have been removed since.
  const profiles = new Set([...saved.map(({ name }) => name), ...(choice.profile ? [choice.profile] : [])]);
  return (
    <>
      <ModeChoice
        value={choice.mode ?? 'lazy'}
        onChange={(mode) => onChange({ ...choice, mode, readTool: mode !== 'full' && choice.readTool })}
      >
        <p className="field-hint">{modeHints[choice.mode ?? 'lazy']}</p>
      </ModeChoice>
      {choice.mode !== 'full' && (
        <ReadToolSwitch checked={choice.readTool ?? false} onChange={(readTool) => onChange({ ...choice, readTool })} />
      )}
      {profiles.size > 0 && (
        <Select
          label={t('Profile')}
          value={choice.profile ?? ''}
          options={[['', t('All servers')], ...[...profiles].map((name) => [name, name] as const)]}
          onChange={(profile) => {
            const { profile: _, ...rest } = choice;
            onChange(profile ? { ...rest, profile } : rest);
          }}
        />
      )}
      {plan?.asks && (
        <div className="field">
          {plan.asks.isChoice && (
            <Switch
              label={t('Let Toolkeep ask instead of {app}', { app })}
              checked={choice.letToolkeepAsk === true}
              onChange={(letToolkeepAsk) => onChange({ ...choice, letToolkeepAsk })}
            />
          )}
          <p className="field-hint">
            {plan.asks.who === 'toolkeep'
              ? t('{app} runs Toolkeep’s tools without questions of its own. Toolkeep asks before risky calls.', {
                  app,
                })
              : t('{app} also asks before calls of Toolkeep’s tools, reads included.', { app })}
          </p>
        </div>
      )}
      <div className="field">
        <Switch
          label={t('Move its servers to Toolkeep')}
          checked={choice.moveServers === true}
          onChange={(moveServers) => onChange({ ...choice, moveServers })}
        />
        <p className="field-hint">
          {choice.moveServers && plan
            ? plan.moved.length > 0
              ? t('Removes {count, plural, one {# server} other {# servers}} from the file: {names}.', {
                  count: plan.moved.length,
                  names: listOf(plan.moved),
                })
              : t('The file contains no servers that Toolkeep also runs.')
            : t('Otherwise, {app} also runs them directly, without approvals.', { app })}
        </p>
      </div>
    </>
  );
}

/** The diff of the client's file, with warnings. */
export function PlannedChange({ plan }: { plan: InstallPlan }) {
  return (
    <div>
      <p className="muted small">
        <Path path={plan.file} />
      </p>
      {plan.unchanged ? (
        <p className={noteStyles.note}>{t('No change needed.')}</p>
      ) : (
        <UnifiedDiff text={plan.diff} label={t('Changes to the file')} />
      )}
      {plan.warnings.map((warning) => (
        <p key={warning} className={`${noteStyles.note} ${noteStyles.noteIcon} ${noteStyles.noteWarn}`}>
          <TriangleAlert className="icon" aria-hidden />
          <VisibleText as="span" text={warning} />
        </p>
      ))}
      <p className="muted small">
        {t('Nothing else in the file changes. Toolkeep keeps a backup, and you can undo this.')}
      </p>
    </div>
  );
}

const modeHints: Record<Mode, string> = {
  lazy: t('Agents find all other tools by searching. Best for most clients.'),
  hybrid: t('The five tools plus all tools tagged “pinned”.'),
  full: t('All enabled tools. For clients with their own tool search.'),
};

function Done({ plan, onClose }: { plan: InstallPlan; onClose(): void }) {
  return (
    <DoneDialog size="small" title={plan.app} onClose={onClose}>
      <p className={clientsStyles.done}>
        <CircleCheck className="icon good" aria-hidden />
        <strong>
          {plan.action === 'install'
            ? t('Toolkeep is installed in {app}.', { app: plan.app })
            : t('Toolkeep is removed from {app}.', { app: plan.app })}
        </strong>
      </p>
      <p>
        {plan.running === true && <>{t('{app} is running.', { app: plan.app })} </>}
        <VisibleText text={plan.afterwards} />
      </p>
      {plan.action === 'install' && <ConnectionStatus client={plan.client} app={plan.app} />}
    </DoneDialog>
  );
}

/** Confirms that the client has connected. */
function ConnectionStatus({ client, app }: { client: string; app: string }) {
  const { installs, status } = useStores();
  const isConnected = useResource(installs).data?.some((one) => one.client === client && one.connectedAt !== undefined);
  const core = useResource(status).data;
  return (
    <p className={isConnected ? undefined : 'muted'} role="status">
      {isConnected && core
        ? t(
            '{app} is connected: {count, plural, one {# server} other {# servers}}, {tools, plural, one {# tool} other {# tools}}.',
            { app, count: core.servers, tools: core.enabledTools },
          )
        : t('Waiting for {app} to connect. You can close this dialog.', { app })}
    </p>
  );
}
