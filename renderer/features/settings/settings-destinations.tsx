/** The destinations that the user has allowed, and the dialog that limits a saved approval to such destinations. */
import { X } from 'lucide-react';
import { useState } from 'react';
import type { Destination, GrantView } from '../../../shared/model/question.ts';
import { Button } from '../../components/button.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { FilterInput } from '../../components/controls.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { moment } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { T, t } from '../../text.tsx';
import { kindLabel } from '../questions/describe-destination.ts';

const maxShown = 200;

export function AllowedDestinations() {
  const { link, toasts } = useStores();
  const { data: all = [], failure, load } = useCommand('grants.destinations', ['calls.recorded', 'core.changed']);
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase();
  const found = all.filter(({ value, server, client }) => `${value} ${server} ${client}`.toLowerCase().includes(words));

  async function forget(id: string, value: string): Promise<void> {
    await toasts.attempt(
      () => link.call('grants.forget', { id }).then(load),
      t('Toolkeep asks again before a call to {value}.', { value }),
    );
  }
  return (
    <Section title={t('Known destinations')}>
      {failure && <FailureBox failure={failure} />}
      <p className="field-hint">
        {t('A saved approval covers calls to these destinations. Toolkeep asks before a call to a new one.')}
      </p>
      {all.length > 0 && <FilterInput label={t('Filter destinations')} value={filter} onChange={setFilter} />}
      {found.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
          {found.slice(0, maxShown).map(({ id, kind, value, server, tool, client, at }) => (
            <li key={id} className={`${rowsStyles.row} ${rowsStyles.rowStill}`}>
              <span className={rowsStyles.rowMain}>
                <span className={rowsStyles.rowTitle}>
                  <VisibleText text={value} />
                  <VisibleText as="span" className="muted small" text={kindLabel(kind)} />
                </span>
                <span className="muted small">
                  <T
                    text="{client}, {place}, allowed {time}"
                    client={client ? <ClientName name={client} /> : t('Every client')}
                    place={<VisibleText text={tool === undefined ? server : `${server}:${tool}`} />}
                    time={moment(at)}
                  />
                </span>
              </span>
              <Button icon={X} aria-label={t('Forget {value}', { value })} onClick={() => void forget(id, value)}>
                {t('Forget')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {found.length > maxShown && (
        <p className="muted">
          {t('The first {count, number} of {total, number}. Filter to see others.', {
            count: maxShown,
            total: found.length,
          })}
        </p>
      )}
    </Section>
  );
}

interface LimitProps {
  grant: GrantView;
  used: readonly Destination[];
  onLimit(): void;
  onClose(): void;
}

/** Shows the destinations of earlier approved calls, which stay allowed. */
export function LimitDialog({ grant, used, onLimit, onClose }: LimitProps) {
  return (
    <ConfirmDialog
      title={t('Limit this approval to known destinations?')}
      action={t('Limit')}
      onConfirm={onLimit}
      onClose={onClose}
    >
      <p>
        <T
          text="Toolkeep will ask before a call to any other destination on “{server}”."
          server={<VisibleText text={grant.server} />}
        />
      </p>
      {used.length === 0 ? (
        <p>{t('The history has no destination of an approved call, so every destination is new.')}</p>
      ) : (
        <>
          <p>{t('These destinations of approved calls in the last 90 days stay allowed:')}</p>
          <ul>
            {used.map(({ kind, value }) => (
              <VisibleText as="li" key={`${kind} ${value}`} text={value} />
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
}
