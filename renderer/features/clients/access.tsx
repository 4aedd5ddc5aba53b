/** The access of each client to each server: a table whose cells are rules for the client. */
import { useState } from 'react';
import { type AccessLevel, type AccessTable, widens } from '../../../shared/model/access.ts';
import { Badge } from '../../components/badge.tsx';
import { ClientLogo } from '../../components/client-logo.tsx';
import { Select } from '../../components/controls.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Unloaded } from '../../components/states.tsx';
import tableStyles from '../../components/table.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { t } from '../../text.tsx';
import styles from './access.module.css';

type Level = Exclude<AccessLevel, 'custom'>;
type Client = AccessTable['clients'][number];

const labels: Record<Level, string> = {
  off: t('Off'),
  harmless: t('Nothing dangerous'),
  usual: t('Ask'),
  free: t('Free'),
};
const effects: Record<Level, (names: { client: string; place: string }) => string> = {
  off: (names) => t('{client} can use nothing on {place}.', names),
  harmless: (names) => t('{client} cannot use dangerous tools on {place}, such as those that delete.', names),
  usual: (names) =>
    t('{client} can use {place}. Toolkeep asks as the rules and the safety level of each tool say.', names),
  free: (names) =>
    t('{client} can use {place} without questions, except for dangerous tools and new destinations.', names),
};
const colors = { off: 'bad', harmless: 'warn', usual: undefined, free: 'good' };
const levels: readonly Level[] = ['off', 'harmless', 'usual', 'free'];

interface Change {
  client: Client;
  server: string | undefined;
  level: Level;
}

export function Access() {
  const { link, toasts } = useStores();
  const { data, failure, load } = useCommand('access.show', [
    'rules.changed',
    'servers.changed',
    'import.changed',
    'core.changed',
  ]);
  const [widening, setWidening] = useState<Change>();

  const write = ({ client, server, level }: Change) =>
    link.call('access.set', { client: client.id, server, level }).finally(load);

  async function set(change: Change): Promise<void> {
    const done = await toasts.attempt(() => write(change));
    if (!done || done.before === 'custom') return;
    const { before } = done;
    toasts.undoable(effectOf(change), () => write({ ...change, level: before }));
  }
  if (!data) return <Unloaded failure={failure} label={t('Loading access')} rows={3} onRetry={load} />;
  if (data.clients.length === 0 || data.servers.length === 0)
    return (
      <p className="muted">
        {t('After you connect a client and add a server, you decide here what the client may use.')}
      </p>
    );
  return (
    <>
      <ScrollRegion className={`${tableStyles.tableScroll} card`} label={t('Clients and servers')}>
        <table className={styles.access}>
          <thead>
            <tr>
              <th scope="col">{t('Client')}</th>
              <th scope="col">{t('Every server')}</th>
              {data.servers.map((server) => (
                <th key={server} scope="col">
                  <VisibleText text={server} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.clients.map((client) => {
              const cell = (level: AccessLevel, server: string | undefined) => (
                <Cell
                  level={level}
                  label={t('{client} on {place}', { client: client.name, place: placeOf(server) })}
                  isOff={server !== undefined && client.all === 'off'}
                  onChange={(next) => {
                    const change = { client, server, level: next };
                    if (widens(level, next)) setWidening(change);
                    else void set(change);
                  }}
                />
              );
              return (
                <tr key={client.id}>
                  <th scope="row">
                    <span className={styles.client}>
                      <ClientLogo name={client.name} />
                      <span>
                        <VisibleText text={client.name} />
                        {client.profile !== undefined && (
                          <Badge>{t('Profile: {name}', { name: client.profile })}</Badge>
                        )}
                      </span>
                    </span>
                  </th>
                  <td>{cell(client.all, undefined)}</td>
                  {data.servers.map((server, index) => (
                    <td key={server}>{cell(client.cells[index] ?? 'usual', server)}</td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="muted small">
        {t(
          '“Ask” follows your rules and the safety level of each tool. What “Every server” forbids, no other column allows. A profile limits its client further.',
        )}
      </p>
      {widening && (
        <ConfirmDialog
          title={t('Allow {client} more?', { client: widening.client.name })}
          action={t('Allow')}
          onConfirm={() => void set(widening)}
          onClose={() => setWidening(undefined)}
        >
          {effectOf(widening)}
        </ConfirmDialog>
      )}
    </>
  );
}

const placeOf = (server: string | undefined) => server ?? t('every server');
const effectOf = ({ client, server, level }: Change) => {
  const isForbidding = level === 'off' || level === 'harmless';
  const place = isForbidding ? (server ?? t('any server')) : placeOf(server);
  return effects[level]({ client: client.name, place });
};

interface CellProps {
  level: AccessLevel;
  label: string;
  /** The client can use no server at all. */
  isOff: boolean;
  onChange(level: Level): void;
}

function Cell({ level, label, isOff, onChange }: CellProps) {
  if (level === 'custom') return <a href={hrefOf('rules')}>{t('Rules')}</a>;
  const shown = isOff ? 'off' : level;
  return (
    <span className={colors[shown]}>
      <Select
        bare
        label={label}
        value={shown}
        options={levels.map((each) => [each, labels[each]] as const)}
        disabled={isOff}
        onChange={(next) => onChange(next as Level)}
      />
    </span>
  );
}
