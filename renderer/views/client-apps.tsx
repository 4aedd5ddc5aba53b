/** The apps on this machine that Gatehouse can be put into, and how it stands with each. */
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
import type { InstallStatus } from '../../shared/model.ts';
import type { Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { moment } from '../parts/format.ts';
import { Menu } from '../parts/menu.tsx';
import { Section } from '../parts/page.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { FailureBox, Skeleton } from '../parts/states.tsx';
import { useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';
import { InstallDialog } from './install-dialog.tsx';

type Open = { status: InstallStatus; action: 'install' | 'uninstall' };

export function ClientApps() {
  const { apps } = useStores();
  const { data, failure } = useResource(apps);
  const [open, setOpen] = useState<Open>();
  if (failure && !data) return <FailureBox failure={failure} onRetry={() => void apps.load()} />;
  if (!data) return <Skeleton label="apps" rows={3} />;
  const here = data.filter(({ found, state }) => found || state !== 'absent');
  const elsewhere = data.filter((status) => !here.includes(status));
  return (
    <Section title="Apps on this machine">
      {here.length === 0 && <p className="muted">None that Gatehouse can set up by itself. See below for the steps.</p>}
      {here.length > 0 && (
        <ul className="rows rows-card">
          {here.map((status) => (
            <li key={`${status.client} ${status.file}`}>
              <AppRow status={status} onOpen={(action) => setOpen({ status, action })} />
            </li>
          ))}
        </ul>
      )}
      {elsewhere.length > 0 && (
        <p className="muted small">Not found here: {[...new Set(elsewhere.map(({ app }) => app))].join(', ')}.</p>
      )}
      {open && <InstallDialog status={open.status} action={open.action} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

const looks: Record<InstallStatus['state'], { word: string; tone: Tone; icon: LucideIcon }> = {
  absent: { word: 'Not connected', tone: 'neutral', icon: CircleDashed },
  installed: { word: 'Set up', tone: 'good', icon: CircleCheck },
  foreign: { word: 'The name is taken', tone: 'warn', icon: TriangleAlert },
  wiped: { word: 'Lost our entry', tone: 'warn', icon: TriangleAlert },
  unreadable: { word: 'Cannot be read', tone: 'bad', icon: CircleAlert },
};

const explained: Partial<Record<InstallStatus['state'], string>> = {
  foreign: 'Its file has an entry called “gatehouse” that this Gatehouse did not make. Connecting replaces it.',
  wiped: 'The app has rewritten its file without Gatehouse. Repair puts it back.',
};

function AppRow({ status, onOpen }: { status: InstallStatus; onOpen(action: Open['action']): void }) {
  const { link, notices, apps } = useStores();
  const { word, tone, icon: Icon } = looks[status.state];
  const isConnected = status.state === 'installed' && status.connectedAt !== undefined;

  async function undo(): Promise<void> {
    const done = await notices.attempt(() => link.call('install.undo', { client: status.client }));
    if (!done) return;
    notices.good(
      done.restored === 'file'
        ? `${status.app}’s file is as it was before.`
        : `${status.app}’s file was changed since, so only our entry was taken out.`,
    );
    await apps.load();
  }
  return (
    <div className="row row-still row-hit">
      <span className="row-main">
        <span className="row-title">{status.app}</span>
        <span className="row-sub mono">
          <VisibleText text={status.file} />
        </span>
        {explained[status.state] && <span className="row-wrap">{explained[status.state]}</span>}
        {status.problem && (
          <span className="row-problem">
            <VisibleText text={status.problem.message} />
          </span>
        )}
      </span>
      <span className={`status status-${isConnected ? 'good' : tone} row-status`}>
        <Icon className="icon" aria-hidden />
        {isConnected
          ? `Connected since ${moment(status.connectedAt ?? 0)}`
          : status.state === 'installed'
            ? 'Set up, waits for the app'
            : word}
      </span>
      {(status.state === 'absent' || status.state === 'wiped' || status.state === 'foreign') && (
        <Button look={status.state === 'wiped' ? 'primary' : 'plain'} icon={Link2} onClick={() => onOpen('install')}>
          {status.state === 'wiped' ? 'Repair…' : 'Connect…'}
        </Button>
      )}
      {status.state === 'installed' && (
        <Menu
          label={`More for ${status.app}`}
          items={[
            { label: 'Change what it sees…', icon: Link2, onSelect: () => onOpen('install') },
            { label: 'Undo the last change', icon: Undo2, onSelect: () => void undo() },
            { label: 'Disconnect…', icon: Unlink, danger: true, onSelect: () => onOpen('uninstall') },
          ]}
        />
      )}
    </div>
  );
}
