/** The chain from the clients through Toolkeep to the servers, including its broken links. */
import { CirclePause } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { InstallStatus } from '../../../shared/model/install.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { BrandMark } from '../../components/brand-mark.tsx';
import { ClientLogo } from '../../components/client-logo.tsx';
import { useClientName } from '../../components/client-name.tsx';
import { moment, number, toolsEnabled } from '../../components/format.ts';
import { Monogram } from '../../components/monogram.tsx';
import { ServerMark } from '../../components/server-mark.tsx';
import { hrefOf } from '../../stores/route.ts';
import { t } from '../../text.tsx';
import styles from './chain.module.css';

interface ChainProps {
  status: CommandOutput<'core.status'>;
  servers: readonly ServerView[];
  installs: readonly InstallStatus[];
}

/** `partial`: some parts work and some do not. */
type Health = 'good' | 'partial' | 'bad';

export function Chain({ status, servers, installs }: ChainProps) {
  const nameOf = useClientName();
  const clients = clientLink(status, installs);
  const upstream = serverLink(servers, status.discovery);
  return (
    <ol className={styles.chain} aria-label={t('From clients to servers')}>
      <li className={`${styles.node} card`} data-health={status.paused ? 'bad' : clients.health}>
        <Marks marks={[...new Set(clients.names.map(nameOf))].map((name) => ({ name }))} as={ClientLogo} />
        <a href={hrefOf('clients')}>{t('Clients')}</a>
        <p>{clients.text}</p>
      </li>
      <li className={`${styles.node} card`} data-health={status.paused ? 'bad' : upstream.health}>
        <span className={styles.own}>
          {status.paused ? <CirclePause className="icon warn" aria-hidden /> : <BrandMark size={28} />}
        </span>
        <strong>Toolkeep</strong>
        <p>
          {status.paused
            ? pauseText(status.pausedUntil)
            : t('Running · {tools}', { tools: toolsEnabled(status.enabledTools, status.tools) })}
        </p>
      </li>
      <li className={`${styles.node} card`}>
        <Marks marks={upstream.marks} as={ServerMark} />
        <a href={hrefOf('servers')}>{t('Servers')}</a>
        <p>{upstream.text}</p>
      </li>
    </ol>
  );
}

const shownMarks = 5;

interface MarkProps {
  name: string;
  icon?: string;
}

interface MarksProps {
  marks: readonly MarkProps[];
  as: ComponentType<MarkProps & { label: string }>;
}

function Marks({ marks, as: Mark }: MarksProps) {
  return (
    <span className={styles.marks}>
      {marks.length === 0 && <Monogram name="?" isDim />}
      {marks.slice(0, shownMarks).map(({ name, icon }) => (
        <Mark key={name} name={name} icon={icon} label={name} />
      ))}
      {marks.length > shownMarks && <span className="muted small">+{number(marks.length - shownMarks)}</span>}
    </span>
  );
}

interface Side {
  text: ReactNode;
  health: Health;
}

function clientLink(
  { clients }: ChainProps['status'],
  installs: readonly InstallStatus[],
): Side & { names: readonly string[] } {
  const connected = [...new Set(clients.map(({ name }) => name))];
  const waiting = installs.filter(({ state, connectedAt }) => state === 'installed' && connectedAt === undefined);
  const broken = installs.filter(({ state }) => state === 'wiped').length;
  const parts = [
    connected.length > 0 && t('{count, number} connected', { count: connected.length }),
    waiting.length > 0 && t('{count, number} not connected', { count: waiting.length }),
  ].filter(Boolean);
  if (parts.length === 0 && broken === 0)
    return { names: [], text: <a href={hrefOf('clients')}>{t('Connect a client')}</a>, health: 'bad' };
  return {
    names: connected.length > 0 ? connected : waiting.map(({ app }) => app),
    text: (
      <Parts
        parts={parts}
        broken={
          broken > 0 && t('{count, plural, one {# lost its entry} other {# lost their entries}}', { count: broken })
        }
        href={hrefOf('clients')}
      />
    ),
    health: connected.length === 0 ? 'bad' : broken > 0 ? 'partial' : 'good',
  };
}

function serverLink(
  servers: readonly ServerView[],
  discovery: ChainProps['status']['discovery'],
): Side & { marks: readonly MarkProps[] } {
  const used = servers.filter(({ status }) => status !== 'disabled');
  const inState = (state: ServerView['status']) => used.filter(({ status }) => status === state).length;
  const failed = used.filter(({ status }) => status === 'failed');
  const [first] = failed;
  const parts = [
    inState('ready') > 0 && t('{count, number} running', { count: inState('ready') }),
    inState('idle') > 0 && t('{count, number} idle', { count: inState('idle') }),
    inState('starting') > 0 && t('{count, number} starting', { count: inState('starting') }),
  ].filter(Boolean);
  if (used.length === 0 && discovery !== 'enabled') {
    const why =
      discovery === 'disabled' ? t('Disabled in the config file') : t('None, because the config file is invalid');
    return { marks: [], text: why, health: 'bad' };
  }
  if (used.length === 0) return { marks: [], text: <a href={hrefOf('servers')}>{t('Add a server')}</a>, health: 'bad' };
  const broken =
    first && t('{count, plural, one {# needs attention} other {# need attention}}', { count: failed.length });
  return {
    marks: used.map(({ id, icon }) => ({ name: id, icon })),
    text: <Parts parts={parts} broken={broken} href={hrefOf('servers', first?.id ?? '')} />,
    health: !first ? 'good' : parts.length > 0 ? 'partial' : 'bad',
  };
}

/** The clients or servers that work, and a link to those that do not. */
function Parts({
  parts,
  broken,
  href,
}: {
  parts: readonly unknown[];
  broken: string | false | undefined;
  href: string;
}) {
  return (
    <>
      {parts.join(' · ')}
      {broken && parts.length > 0 && ' · '}
      {broken && (
        <a className={styles.broken} href={href}>
          {broken}
        </a>
      )}
    </>
  );
}

const pauseText = (until: number | undefined): string =>
  until === undefined
    ? t('Paused: agents cannot run tools')
    : t('Paused until {time}: agents cannot run tools', { time: moment(until) });
