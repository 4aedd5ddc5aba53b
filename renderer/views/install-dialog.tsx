/** Puts Gatehouse into an app, or takes it out: the choices, the exact change, and what to do afterwards. Writes only on the last click. */
import { CircleCheck, FilePen, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type Failure, toFailure } from '../../shared/failure.ts';
import type { InstallChoice, InstallPlan, InstallStatus, Mode } from '../../shared/model.ts';
import { Button } from '../parts/button.tsx';
import { Select, Switch } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { count } from '../parts/format.ts';
import { ModeChoice } from '../parts/mode-choice.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { FailureBox, Skeleton } from '../parts/states.tsx';
import { UnifiedDiff } from '../parts/unified-diff.tsx';
import { useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';

interface InstallDialogProps {
  status: InstallStatus;
  action: 'install' | 'uninstall';
  onClose(): void;
}

export function InstallDialog({ status, action, onClose }: InstallDialogProps) {
  const { link, apps, profiles, importing } = useStores();
  const known = useResource(profiles).data ?? [];
  const [choice, setChoice] = useState<InstallChoice>({ client: status.client, action });
  const [plan, setPlan] = useState<InstallPlan>();
  const [failure, setFailure] = useState<Failure>();
  const [isWriting, setWriting] = useState(false);
  const [isDone, setDone] = useState(false);
  const isLinked = useStore(link.state, (state) => state.status === 'open');

  useEffect(() => {
    let isGone = false;
    if (!isDone && isLinked)
      link.call('install.plan', choice).then(
        (next) => {
          if (isGone) return;
          setPlan(next);
          setFailure(undefined);
        },
        (error) => !isGone && setFailure(toFailure(error)),
      );
    return () => {
      isGone = true;
    };
  }, [link, choice, isDone, isLinked]);

  async function write(token: string): Promise<void> {
    setWriting(true);
    try {
      await link.call('install.apply', { ...choice, token });
      setDone(true);
      await Promise.all([apps.load(), importing.load()]);
    } catch (error) {
      setFailure(toFailure(error));
      // The file may have changed: what is shown next is the change as it would be now.
      setPlan(undefined);
      setChoice({ ...choice });
    } finally {
      setWriting(false);
    }
  }

  if (isDone && plan) return <Done plan={plan} onClose={onClose} />;
  const isInstall = action === 'install';
  return (
    <Dialog title={`${isInstall ? 'Connect' : 'Disconnect'} ${status.app}`} onClose={onClose}>
      <div className="dialog-body stack">
        {isInstall && (
          <>
            <ModeChoice value={choice.mode ?? 'lazy'} onChange={(mode) => setChoice({ ...choice, mode })}>
              <p className="field-hint">{modeHints[choice.mode ?? 'lazy']}</p>
            </ModeChoice>
            {known.length > 0 && (
              <Select
                label="Profile"
                value={choice.profile ?? ''}
                options={[['', 'All servers'], ...known.map(({ name }) => [name, name] as const)]}
                onChange={(profile) => {
                  const { profile: _, ...rest } = choice;
                  setChoice(profile ? { ...rest, profile } : rest);
                }}
              />
            )}
            <div className="field">
              <Switch
                label="Move its servers behind Gatehouse"
                checked={choice.moveServers ?? false}
                onChange={(moveServers) => setChoice({ ...choice, moveServers })}
              />
              <p className="field-hint">
                {choice.moveServers && plan
                  ? plan.moved.length > 0
                    ? `${count(plan.moved.length, 'server')} would leave the file: ${plan.moved.join(', ')}.`
                    : 'The file has no server that Gatehouse has too.'
                  : 'Otherwise the app keeps starting them itself as well.'}
              </p>
            </div>
          </>
        )}
        {failure && <FailureBox failure={failure} />}
        {!plan && !failure && <Skeleton label="the change" rows={3} />}
        {plan && (
          <div>
            <p className="diff-file mono small">
              <VisibleText text={plan.file} />
            </p>
            {plan.unchanged ? (
              <p className="note">The file is already as it should be.</p>
            ) : (
              <UnifiedDiff text={plan.diff} label="What would change in the file" />
            )}
            {plan.warnings.map((warning) => (
              <p key={warning} className="note note-icon note-warn">
                <TriangleAlert className="icon" aria-hidden />
                <span>
                  <VisibleText text={warning} />
                </span>
              </p>
            ))}
            <p className="muted small">Nothing else in the file changes. A copy is kept, and you can undo this.</p>
          </div>
        )}
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          icon={FilePen}
          busy={isWriting}
          disabled={!plan || plan.unchanged}
          onClick={() => plan && void write(plan.token)}
        >
          Change the file
        </Button>
      </footer>
    </Dialog>
  );
}

const modeHints: Record<Mode, string> = {
  lazy: 'It finds every other tool by searching. Best for most apps.',
  hybrid: 'The five, and the tools tagged “pinned” beside them.',
  full: 'Every tool that is on. For apps that search their tools themselves.',
};

function Done({ plan, onClose }: { plan: InstallPlan; onClose(): void }) {
  return (
    <Dialog size="small" title={plan.app} onClose={onClose}>
      <div className="dialog-body stack">
        <p className="done">
          <CircleCheck className="icon" aria-hidden />
          <strong>
            {plan.action === 'install' ? 'The file was changed.' : 'Gatehouse was taken out of the file.'}
          </strong>
        </p>
        <p>
          {plan.running === true && `${plan.app} is running. `}
          <VisibleText text={plan.afterwards} />
        </p>
        {plan.action === 'install' && <Handshake client={plan.client} app={plan.app} />}
      </div>
      <footer className="dialog-foot">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}

/** Confirms the app's own handshake as soon as it comes. */
function Handshake({ client, app }: { client: string; app: string }) {
  const { apps, status } = useStores();
  const isConnected = useResource(apps).data?.some((one) => one.client === client && one.connectedAt !== undefined);
  const core = useResource(status).data;
  return (
    <p className={isConnected ? undefined : 'muted'} role="status">
      {isConnected && core
        ? `${app} is connected: ${count(core.servers, 'server')}, ${count(core.enabledTools, 'tool')}.`
        : `Waiting for ${app} to connect. You can close this.`}
    </p>
  );
}
