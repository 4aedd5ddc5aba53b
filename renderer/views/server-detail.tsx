/** One server: what it is doing, why it failed and what to do, and its particulars. */
import { LogIn, LogOut, Power, PowerOff, RotateCw, Square, Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { type InstanceView, phaseSchema, type ServerView } from '../../shared/model.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { count, duration, moment } from '../parts/format.ts';
import { Menu } from '../parts/menu.tsx';
import { Facts, Section } from '../parts/page.tsx';
import { Quoted, VisibleText } from '../parts/server-text.tsx';
import { FailureBox } from '../parts/states.tsx';
import { go, hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';

const transportWord = {
  stdio: 'Local process (stdio)',
  http: 'Streamable HTTP',
  sse: 'HTTP with SSE (older)',
  plugin: 'None: the plug-in runs inside Gatehouse',
};
const targetWord = { stdio: 'Command', http: 'Address', sse: 'Address', plugin: 'Source' };

export function ServerDetail({ server }: { server: ServerView }) {
  const { tools, choices } = useStores();
  const technical = useStore(choices.state, (state) => state.technical);
  return (
    <article className="detail">
      <header className="detail-head">
        <div>
          <h2>
            <VisibleText text={server.id} />
          </h2>
          <StatusBadge server={server} />
        </div>
        <Actions server={server} />
      </header>
      {server.failure && <FailureBox failure={server.failure} />}
      {server.status === 'idle' && !server.failure && (
        <p className="note">Not running now. It starts by itself when one of its tools is used.</p>
      )}
      {server.description && (
        <Quoted by={`${server.id} describes itself`}>
          <VisibleText text={server.description} />
        </Quoted>
      )}
      <div className="tiles">
        <a className="tile" href={hrefOf('tools')} onClick={() => tools.setFilters({ server: server.id, text: '' })}>
          <strong>{server.toolCount.toLocaleString('en')}</strong>
          <span>{server.toolCount === server.enabledCount ? 'tools' : `tools, ${server.enabledCount} on`}</span>
        </a>
        <div className="tile">
          <strong>{server.promptCount}</strong>
          <span>prompts</span>
        </div>
        <div className="tile">
          <strong>{server.resourceCount}</strong>
          <span>resources</span>
        </div>
        <div className="tile">
          <strong>{server.calls.total.toLocaleString('en')}</strong>
          <span>{server.calls.failed > 0 ? `calls, ${server.calls.failed} failed` : 'calls'}</span>
        </div>
      </div>
      {server.warnings.length > 0 && (
        <Section title={count(server.warnings.length, 'warning')}>
          <ul className="warnings">
            {server.warnings.map((warning) => (
              <li key={warning}>
                <TriangleAlert className="icon" aria-hidden />
                <VisibleText text={warning} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Connection">
        <Facts
          facts={[
            [
              targetWord[server.transport],
              <code key="target">
                <VisibleText text={server.target} />
              </code>,
            ],
            ['Version', server.version && <VisibleText key="version" text={versionWords(server)} />],
            ['Transport', transportWord[server.transport]],
            ['From', server.origins.length > 0 && <Origins key="from" origins={server.origins} />],
            ['Sign-in', server.signIn === 'signedIn' ? 'signed in' : server.signIn === 'needed' && 'needed'],
            ['Running since', server.startedAt && server.status === 'ready' && moment(server.startedAt)],
            ['Average call', server.calls.total > 0 && duration(server.calls.averageMs)],
          ]}
        />
      </Section>
      {server.instances && <Instances instances={server.instances} />}
      {technical && server.transport !== 'plugin' && <Technical server={server} />}
    </article>
  );
}

/** A file says which app it is of. */
function Origins({ origins }: Pick<ServerView, 'origins'>) {
  return origins.map(({ source, file }) => (
    <div key={`${source} ${file}`}>
      {file ? (
        <code>
          <VisibleText text={file} />
        </code>
      ) : (
        source
      )}
    </div>
  ));
}

function versionWords({ version = '', updatedFrom }: ServerView): string {
  return updatedFrom ? `${version} (was ${updatedFrom.version} until ${moment(updatedFrom.at)})` : version;
}

function Actions({ server }: { server: ServerView }) {
  const { link, notices } = useStores();
  const [isRestarting, setRestarting] = useState(false);
  const [isSigningIn, setSigningIn] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const name = { server: server.id };
  const isOff = server.status === 'disabled';
  const setEnabled = (enabled: boolean) =>
    void notices.attempt(() => link.call('servers.setEnabled', { ...name, enabled }));

  async function restart(): Promise<void> {
    setRestarting(true);
    await notices.attempt(() => link.call('servers.restart', name), `${server.id} is running.`);
    setRestarting(false);
  }
  async function signIn(): Promise<void> {
    setSigningIn(true);
    await notices.attempt(() => link.call('servers.signIn', name), `You are signed in to ${server.id}.`);
    setSigningIn(false);
  }
  return (
    <div className="detail-actions">
      {server.signIn === 'needed' && !isOff && (
        <Button look="primary" icon={LogIn} busy={isSigningIn} onClick={() => void signIn()}>
          {isSigningIn ? 'Waiting for your browser…' : 'Sign in…'}
        </Button>
      )}
      {isOff ? (
        <Button look="primary" icon={Power} onClick={() => setEnabled(true)}>
          Switch on
        </Button>
      ) : (
        <Button icon={RotateCw} busy={isRestarting || server.status === 'starting'} onClick={() => void restart()}>
          {server.status === 'idle' ? 'Start' : server.status === 'failed' ? 'Try again' : 'Restart'}
        </Button>
      )}
      <Menu
        label={`More for ${server.id}`}
        items={[
          {
            label: 'Stop',
            icon: Square,
            disabled: server.status !== 'ready' && server.status !== 'starting',
            onSelect: () => void notices.attempt(() => link.call('servers.stop', name), `${server.id} was stopped.`),
          },
          isOff
            ? { label: 'Switch on', icon: Power, onSelect: () => setEnabled(true) }
            : { label: 'Switch off', icon: PowerOff, onSelect: () => setEnabled(false) },
          ...(server.signIn === 'signedIn'
            ? [
                {
                  label: 'Sign out',
                  icon: LogOut,
                  onSelect: () =>
                    void notices.attempt(
                      () => link.call('servers.signOut', name),
                      `Gatehouse forgot the sign-in to ${server.id}.`,
                    ),
                },
              ]
            : []),
          { label: 'Remove…', icon: Trash2, danger: true, onSelect: () => setRemoving(true) },
        ]}
      />
      {isRemoving && (
        <ConfirmDialog
          title={`Remove ${server.id}?`}
          action="Remove"
          onClose={() => setRemoving(false)}
          onConfirm={() =>
            void notices
              .attempt(() => link.call('servers.remove', name).then(() => true), `${server.id} was removed.`)
              .then((done) => done && go('servers'))
          }
        >
          <p>
            Gatehouse forgets this server. The configuration files of your other apps stay as they are, so you can
            import it again.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Instances({ instances }: { instances: InstanceView[] }) {
  return (
    <Section title={count(instances.length, 'instance')}>
      <Facts
        facts={instances.map(({ status, breaker, pid, target, calls, failure }, index) => [
          `Instance ${index + 1}`,
          <span key="instance" className="instance">
            <StatusBadge server={{ status }} />{' '}
            <VisibleText
              text={[
                breaker === 'open' && 'left out for now',
                pid !== undefined && `process ${pid}`,
                calls.failed > 0 ? `${count(calls.total, 'call')}, ${calls.failed} failed` : count(calls.total, 'call'),
                calls.active > 0 && `${calls.active} under way`,
                target,
                failure?.message,
              ]
                .filter(Boolean)
                .join(' · ')}
            />
          </span>,
        ])}
      />
    </Section>
  );
}

function Technical({ server }: { server: ServerView }) {
  const total = server.phases.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return (
    <Section title="Last start" aside={total > 0 && <span className="muted">{duration(total)} in all</span>}>
      <ol className="phases">
        {phaseSchema.options.map((phase) => {
          const done = server.phases.find((entry) => entry.phase === phase);
          const state =
            server.phase === phase && server.status === 'failed'
              ? 'failed'
              : server.phase === phase && server.status === 'starting'
                ? 'now'
                : done
                  ? 'done'
                  : 'open';
          return (
            <li key={phase} className={`phase phase-${state}`}>
              <span>{phase}</span>
              <span className="muted">
                {state === 'failed' ? 'failed' : state === 'now' ? 'under way' : done ? duration(done.durationMs) : '–'}
              </span>
            </li>
          );
        })}
      </ol>
      <Facts
        facts={[
          ['Process', server.pid !== undefined && <code key="pid">{server.pid}</code>],
          [
            'Protocol',
            server.era === 'modern' ? 'modern (2026)' : server.era === 'legacy' ? 'legacy (2024–2025)' : undefined,
          ],
          ['Restarts', String(server.restarts)],
          [
            'Breaker',
            server.breaker === 'closed'
              ? 'closed: calls pass'
              : server.breaker === 'open'
                ? 'open: left alone for a while after repeated failures'
                : 'half open: one try is allowed',
          ],
          ['Name prefix', <code key="slug">{server.slug}-</code>],
        ]}
      />
    </Section>
  );
}
