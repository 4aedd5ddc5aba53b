/** One server: status, failure and next step, connection, and technical details. */
import { TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { type InstanceView, phaseSchema, type ServerView } from '../../../shared/model/server.ts';
import { StatusBadge } from '../../components/badge.tsx';
import { Copyable, CopyButton } from '../../components/copy-block.tsx';
import { dotted, duration, moment } from '../../components/format.ts';
import { InstallLink } from '../../components/install-link.tsx';
import { phaseLabels } from '../../components/labels.ts';
import noteStyles from '../../components/note.module.css';
import pageStyles from '../../components/page.module.css';
import { Facts, Section } from '../../components/page.tsx';
import { Path } from '../../components/path.tsx';
import { ServerMark } from '../../components/server-mark.tsx';
import { FailureBox } from '../../components/states.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { Quoted, VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { AskColumns } from './asks.tsx';
import { ConfinementSection, ConfineOffer, confinementLabel } from './confinement.tsx';
import { EnvironmentSection } from './environment.tsx';
import { ServerActions } from './server-actions.tsx';
import { HeldTools, Tiles } from './server-counts.tsx';
import styles from './server-detail.module.css';
import { ServerLog } from './server-log.tsx';
import { ServerPrompts } from './server-prompts.tsx';
import { ServerResources } from './server-resources.tsx';
import { TagLinks } from './server-tags.tsx';
import { VersionNotice } from './version-notice.tsx';

const transportLabels = {
  stdio: t('Local process (stdio)'),
  http: t('Streamable HTTP'),
  sse: t('HTTP+SSE (deprecated)'),
  plugin: t('Plug-in (runs inside Toolkeep)'),
};
const targetLabels = { stdio: t('Command'), http: t('URL'), sse: t('URL'), plugin: t('Source') };
const copyLabels = {
  stdio: t('Copy command'),
  http: t('Copy URL'),
  sse: t('Copy URL'),
  plugin: t('Copy source'),
};

const pageIds = ['', 'prompts', 'resources', 'log'] as const;
type PageId = (typeof pageIds)[number];

/** Includes the tabs for prompts and resources only if the server has any. */
function tabsOf({ transport, promptCount, resourceCount, resourceTemplateCount }: ServerView, page: PageId): Tab[] {
  const resources = resourceCount + resourceTemplateCount;
  return [
    { id: '', label: t('Overview') },
    ...(promptCount > 0 || page === 'prompts' ? [{ id: 'prompts', label: t('Prompts'), count: promptCount }] : []),
    ...(resources > 0 || page === 'resources' ? [{ id: 'resources', label: t('Resources'), count: resources }] : []),
    // A plug-in runs inside Toolkeep, so it has no connection to log.
    ...(transport === 'plugin' ? [] : [{ id: 'log', label: t('Log') }]),
  ];
}

/** `path`: the page, and the open item on it. */
export function ServerDetail({ server, path: [pageId, selected] }: { server: ServerView; path: readonly string[] }) {
  const page = pageIds.find((id) => id === pageId) ?? '';
  const isLog = page === 'log';
  return (
    <article className={isLog ? `${pageStyles.detail} ${pageStyles.detailFill}` : pageStyles.detail}>
      <header className={pageStyles.detailHead}>
        <div className={styles.heading}>
          <ServerMark name={server.id} icon={server.icon} />
          <div>
            <VisibleText as="h2" text={server.id} />
            <StatusBadge server={server} />
            {server.tags && <TagLinks tags={server.tags} />}
          </div>
        </div>
        <ServerActions server={server} />
      </header>
      <Tabs view="servers" path={[server.id]} tabs={tabsOf(server, page)} current={page} />
      {page === '' && <Overview server={server} />}
      {page === 'prompts' && <ServerPrompts server={server.id} selected={selected} />}
      {page === 'resources' && <ServerResources server={server.id} selected={selected} />}
      {isLog && <ServerLog server={server.id} />}
    </article>
  );
}

/** The program of a command line. */
const programOf = (target: string): string => target.split(' ', 1)[0] ?? '';

function Overview({ server }: { server: ServerView }) {
  const { appearance } = useStores();
  const showTechnicalDetails = useStore(appearance.state, (state) => state.showTechnicalDetails);
  const needsSignIn = server.failure !== undefined && server.signIn === 'needed';
  return (
    <>
      <VersionNotice server={server.id} />
      {server.unconfined?.isOffered && <ConfineOffer server={server.id} />}
      {needsSignIn && !server.signInPage && (
        <p className={noteStyles.note}>{t('Sign in to use this server. This opens your browser.')}</p>
      )}
      {server.signInPage && (
        <div className={`${noteStyles.note} ${styles.signIn} line`} role="status">
          <p>{t('Complete the sign-in in your browser. If no page opened, copy the address and open it yourself.')}</p>
          <CopyButton text={server.signInPage} label={t('Copy address')} />
        </div>
      )}
      {server.failure && !needsSignIn && (
        <FailureBox failure={server.failure}>
          <p className={styles.failureLinks}>
            {server.failure.code === 'SERVER_SPAWN_FAILED' && <InstallLink command={programOf(server.target)} />}
            <a href={hrefOf('servers', server.id, 'log')}>{t('Show log')}</a>
          </p>
        </FailureBox>
      )}
      {server.status === 'idle' && !server.failure && (
        <p className={noteStyles.note}>{t('Idle. Starts automatically when a tool is used.')}</p>
      )}
      {server.description && (
        <Quoted by={t('Description by {server}', { server: server.id })}>
          <VisibleText text={server.description} />
        </Quoted>
      )}
      <HeldTools server={server.id} />
      <Tiles server={server} />
      <AskColumns server={server.id} />
      {server.warnings.length > 0 && (
        <Section title={t('{count, plural, one {# warning} other {# warnings}}', { count: server.warnings.length })}>
          <ul className={`${styles.warnings} stack-closest`}>
            {server.warnings.map((warning) => (
              <li key={warning}>
                <TriangleAlert className="icon warn" aria-hidden />
                <VisibleText text={warning} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t('Connection')}>
        <Facts
          facts={[
            [
              targetLabels[server.transport],
              <Copyable key="target" text={server.target} label={copyLabels[server.transport]} />,
            ],
            [t('Version'), server.version && <VisibleText key="version" text={versionText(server)} />],
            [t('Transport'), transportLabels[server.transport]],
            [
              t('Processes'),
              server.isPerClient && t('one for each client, because they keep its page, terminal or folder open'),
            ],
            [t('Sandbox'), server.transport === 'stdio' && confinementLabel(server)],
            [t('Source'), server.origins.length > 0 && <Origins key="from" origins={server.origins} />],
            [t('Sign-in'), server.signIn === 'signedIn' ? t('signed in') : server.signIn === 'needed' && t('needed')],
            [
              t('Running since'),
              server.startedAt && server.status === 'ready' && (
                <time key="started" dateTime={new Date(server.startedAt).toISOString()}>
                  {moment(server.startedAt)}
                </time>
              ),
            ],
            [t('Average call'), server.calls.total > 0 && duration(server.calls.averageMs)],
          ]}
        />
      </Section>
      {server.confinement && (
        <ConfinementSection server={server.id} report={server.confinement} need={server.supposedNeed} />
      )}
      {server.transport !== 'plugin' && <EnvironmentSection key={server.target} server={server.id} />}
      {server.instances && <Instances instances={server.instances} />}
      {showTechnicalDetails && server.transport !== 'plugin' && <TechnicalDetails server={server} />}
    </>
  );
}

/** A file path already identifies its client. */
function Origins({ origins }: Pick<ServerView, 'origins'>) {
  return origins.map(({ source, file }) => <div key={`${source} ${file}`}>{file ? <Path path={file} /> : source}</div>);
}

function versionText({ version = '', updatedFrom }: ServerView): string {
  return updatedFrom
    ? t('{version} (was {earlier} until {time})', {
        version,
        earlier: updatedFrom.version,
        time: moment(updatedFrom.at),
      })
    : version;
}

function Instances({ instances }: { instances: InstanceView[] }) {
  return (
    <Section title={t('{count, plural, one {# instance} other {# instances}}', { count: instances.length })}>
      <Facts
        facts={instances.map(({ status, breaker, pid, target, calls, failure }, index) => [
          t('Instance {number}', { number: index + 1 }),
          <span key="instance" className={styles.instance}>
            <StatusBadge server={{ status }} />{' '}
            <VisibleText
              text={dotted([
                breaker === 'open' && t('paused'),
                pid !== undefined && t('process {pid}', { pid }),
                calls.failed > 0
                  ? t('{count, plural, one {# call} other {# calls}}, {failed, number} failed', {
                      count: calls.total,
                      failed: calls.failed,
                    })
                  : t('{count, plural, one {# call} other {# calls}}', { count: calls.total }),
                calls.active > 0 && t('{count, number} running', { count: calls.active }),
                target,
                failure?.message,
              ])}
            />
          </span>,
        ])}
      />
    </Section>
  );
}

const phaseStyles = { done: styles.phaseDone, now: styles.phaseNow, failed: styles.phaseFailed, open: '' };

function TechnicalDetails({ server }: { server: ServerView }) {
  const total = server.phases.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return (
    <Section
      title={t('Last start')}
      aside={total > 0 && <span className="muted">{t('{duration} in total', { duration: duration(total) })}</span>}
    >
      <ol className={styles.phases} aria-label={t('Start phases')}>
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
            <li key={phase} className={`${styles.phase} ${phaseStyles[state]}`}>
              <span>{phaseLabels[phase]}</span>
              <span className={state === 'failed' ? 'bad' : 'muted'}>
                {state === 'failed'
                  ? t('failed')
                  : state === 'now'
                    ? t('running')
                    : done
                      ? duration(done.durationMs)
                      : '–'}
              </span>
            </li>
          );
        })}
      </ol>
      <Facts
        facts={[
          [t('Process'), server.pid !== undefined && <code key="pid">{server.pid}</code>],
          [
            t('Protocol'),
            server.era === 'modern'
              ? t('modern (2026)')
              : server.era === 'legacy'
                ? t('legacy (2024–2025)')
                : undefined,
          ],
          [t('Restarts'), String(server.restarts)],
          [
            t('Breaker'),
            server.breaker === 'closed'
              ? t('closed')
              : server.breaker === 'open'
                ? t('open: calls are paused after repeated failures')
                : t('half-open: the next call is a test'),
          ],
          [t('Name prefix'), <code key="slug">{server.slug}-</code>],
        ]}
      />
    </Section>
  );
}
