/** The clients on this computer that Toolkeep can configure, and their status. */
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Link2,
  type LucideIcon,
  TriangleAlert,
  Undo2,
  Unlink,
} from 'lucide-react';
import { useState } from 'react';
import type { InstallStatus } from '../../../shared/model/install.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ClientLogo } from '../../components/client-logo.tsx';
import { listOf, moment } from '../../components/format.ts';
import { Menu } from '../../components/menu.tsx';
import { Section } from '../../components/page.tsx';
import { Path } from '../../components/path.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { InstallDialog } from './install-dialog.tsx';
import { RemovalDialog } from './removal-dialog.tsx';
import { UndoDialog } from './undo-dialog.tsx';

type Open = { status: InstallStatus; action: 'install' | 'uninstall' | 'undo' };

export function Installs() {
  const { installs } = useStores();
  const { data, failure } = useResource(installs);
  const [open, setOpen] = useState<Open>();
  const [isRemoving, setRemoving] = useState(false);
  if (!data) return <Unloaded failure={failure} label={t('Loading clients')} rows={3} onRetry={installs.load} />;
  const detected = data.filter(({ found, state }) => found || state !== 'absent');
  const notDetected = data.filter((status) => !detected.includes(status));
  return (
    <Section
      title={t('On this computer')}
      aside={
        data.some(({ state }) => state === 'installed') && (
          <Button look="quiet" icon={Unlink} onClick={() => setRemoving(true)}>
            {t('Disconnect all…')}
          </Button>
        )
      }
    >
      {detected.length === 0 && (
        <p className="muted">{t('No supported clients found. Follow the steps under “Manual setup”.')}</p>
      )}
      {detected.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
          {detected.map((status) => (
            <li key={`${status.client} ${status.file}`}>
              <InstallRow status={status} onOpen={(action) => setOpen({ status, action })} />
            </li>
          ))}
        </ul>
      )}
      {notDetected.length > 0 && (
        <p className="muted small">
          {t('Not found: {names}.', { names: listOf(new Set(notDetected.map(({ app }) => app))) })}
        </p>
      )}
      {open &&
        (open.action === 'undo' ? (
          <UndoDialog status={open.status} onClose={() => setOpen(undefined)} />
        ) : (
          <InstallDialog status={open.status} action={open.action} onClose={() => setOpen(undefined)} />
        ))}
      {isRemoving && <RemovalDialog onClose={() => setRemoving(false)} />}
    </Section>
  );
}

const statusStyle: Record<InstallStatus['state'], { label: string; tone: Tone; icon: LucideIcon }> = {
  absent: { label: t('Not connected'), tone: 'neutral', icon: CircleDashed },
  installed: { label: t('Installed'), tone: 'good', icon: CircleCheck },
  foreign: { label: t('Name conflict'), tone: 'warn', icon: TriangleAlert },
  wiped: { label: t('Entry removed'), tone: 'warn', icon: TriangleAlert },
  unreadable: { label: t('Config file is invalid'), tone: 'bad', icon: CircleAlert },
};

const stateHints: Partial<Record<InstallStatus['state'], string>> = {
  foreign: t('The file already has an entry named “toolkeep” that Toolkeep did not create. Connecting replaces it.'),
  wiped: t('The client removed the Toolkeep entry from its file. Select “Repair” to add it again.'),
};

function InstallRow({ status, onOpen }: { status: InstallStatus; onOpen(action: Open['action']): void }) {
  const { label, tone, icon } = statusStyle[status.state];
  const { connectedAt, lastConnectedAt } = status.state === 'installed' ? status : {};
  const isOpen = status.state === 'installed' && connectedAt === undefined;
  const Icon = isOpen ? CircleDashed : icon;
  const shownTone =
    connectedAt !== undefined
      ? 'good'
      : status.state !== 'installed'
        ? tone
        : lastConnectedAt === undefined
          ? 'warn'
          : 'neutral';

  return (
    <div className={`${rowsStyles.row} ${rowsStyles.rowStill} ${rowsStyles.rowHit}`}>
      <ClientLogo name={status.app} />
      <span className={rowsStyles.rowMain}>
        <span className={rowsStyles.rowTitle}>
          {status.app}
          {status.access?.profile !== undefined && (
            <Badge tone={status.isProfileMissing ? 'warn' : 'neutral'}>
              {status.isProfileMissing
                ? t('No profile “{name}”', { name: status.access.profile })
                : t('Profile: {name}', { name: status.access.profile })}
            </Badge>
          )}
        </span>
        <span className="ellipsis muted small">
          <Path path={status.file} />
        </span>
        {stateHints[status.state] && <span className="muted small">{stateHints[status.state]}</span>}
        {status.problem && <VisibleText as="span" className={rowsStyles.rowProblem} text={status.problem.message} />}
      </span>
      <span className={`status ${shownTone} ${rowsStyles.rowStatus}`}>
        <Icon className="icon" aria-hidden />
        {connectedAt !== undefined
          ? t('Connected since {time}', { time: moment(connectedAt) })
          : status.state === 'installed'
            ? lastConnectedAt === undefined
              ? t('Restart {app} to finish', { app: status.app })
              : t('Not running · last connected {time}', { time: moment(lastConnectedAt) })
            : label}
      </span>
      {(status.state === 'absent' || status.state === 'wiped' || status.state === 'foreign') && (
        <Button look={status.state === 'wiped' ? 'primary' : 'plain'} icon={Link2} onClick={() => onOpen('install')}>
          {status.state === 'wiped' ? t('Repair…') : t('Connect…')}
        </Button>
      )}
      {status.state === 'installed' && (
        <Menu
          label={t('More for {app}', { app: status.app })}
          items={[
            { label: t('Change access…'), icon: Link2, onSelect: () => onOpen('install') },
            { label: t('Undo last change…'), icon: Undo2, onSelect: () => onOpen('undo') },
            { label: t('Disconnect…'), icon: Unlink, danger: true, onSelect: () => onOpen('uninstall') },
          ]}
        />
      )}
    </div>
  );
}
