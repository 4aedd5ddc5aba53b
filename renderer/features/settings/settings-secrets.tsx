/** The vault: names of secrets and the servers that use them, never values. Also lists secrets in plain text. */
import { KeyRound, LockKeyhole, Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { SecretsView, VaultView } from '../../../shared/model/secret.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { listOf } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Unloaded } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { T, t } from '../../text.tsx';
import { PassphraseButton } from './passphrase-button.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type Secret = SecretsView['secrets'][number];

export function SecretSettings() {
  const { link, toasts } = useStores();
  const events = ['servers.changed', 'config.changed', 'core.changed'] as const;
  const { data, failure, load } = useCommand('secrets.list', events);
  const [editing, setEditing] = useState<string>();
  const [removing, setRemoving] = useState<Secret>();

  async function change(action: () => Promise<unknown>, done: string): Promise<void> {
    await toasts.attempt(() => action().then(load), done);
  }
  if (!data) return <Unloaded failure={failure} label={t('Loading secrets')} onRetry={load} />;
  const removed = removing && {
    name: <VisibleText text={removing.name} />,
    code: (text: ReactNode) => <code>{text}</code>,
  };
  return (
    <>
      {data.plain.length > 0 && (
        <PlainSecrets
          plain={data.plain}
          isPersistent={data.vault.persistent}
          onMove={(server) =>
            void change(
              () => link.call('secrets.moveToVault', { server }),
              t('Moved the secrets from {server} to the vault.', { server }),
            )
          }
        />
      )}
      <Section
        title={t('Vault')}
        aside={
          <Button icon={Plus} onClick={() => setEditing('')}>
            {t('Add secret')}
          </Button>
        }
      >
        <VaultNote vault={data.vault} onEntered={() => void load()} />
        {data.secrets.length === 0 ? (
          <p className="muted">
            {t(
              'Empty. You can move secrets here when you import servers, and servers ask for missing secrets when they start.',
            )}
          </p>
        ) : (
          <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
            {data.secrets.map((secret) => (
              <SecretRow
                key={secret.name}
                secret={secret}
                onEdit={() => setEditing(secret.name)}
                onRemove={() => setRemoving(secret)}
              />
            ))}
          </ul>
        )}
      </Section>
      {editing !== undefined && (
        <SecretDialog
          name={editing}
          onClose={() => setEditing(undefined)}
          onSave={(name, value) => {
            setEditing(undefined);
            void change(() => link.call('secrets.set', { name, value }), t('Saved {name} in the vault.', { name }));
          }}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={t('Remove this secret?')}
          action={t('Remove')}
          onClose={() => setRemoving(undefined)}
          onConfirm={() =>
            void change(
              () => link.call('secrets.remove', { name: removing.name }),
              t('Removed {name}.', { name: removing.name }),
            )
          }
        >
          <p>
            {removing.servers.length > 0 ? (
              <T
                text="<code>{name}</code> is used by {servers}. Toolkeep will ask for it at the next start."
                servers={listOf(removing.servers)}
                {...removed}
              />
            ) : (
              <T text="<code>{name}</code> is not used by any server." {...removed} />
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** How the vault is sealed. */
function VaultNote({ vault, onEntered }: { vault: VaultView; onEntered(): void }) {
  return (
    <div
      className={
        vault.persistent && vault.passphrase !== 'locked'
          ? `${noteStyles.note} ${noteStyles.noteIcon}`
          : `${noteStyles.note} ${noteStyles.noteIcon} ${noteStyles.noteWarn}`
      }
    >
      <LockKeyhole className="icon" aria-hidden />
      <span>
        {vault.passphrase === 'locked' ? (
          t('Locked. Servers that need a secret start after you enter the passphrase.')
        ) : vault.persistent ? (
          <T
            text="Encrypted with {vault}. Values are never shown here, written to the history or sent to a client."
            vault={<strong>{vault.label}</strong>}
          />
        ) : (
          <T
            text="<b>Kept in memory only.</b> This computer has no keyring, so Toolkeep asks for secrets again after a restart. Set a passphrase to keep them encrypted."
            b={(text) => <strong>{text}</strong>}
          />
        )}
      </span>
      <PassphraseButton vault={vault} onEntered={onEntered} />
    </div>
  );
}

function SecretRow({ secret, onEdit, onRemove }: { secret: Secret; onEdit(): void; onRemove(): void }) {
  return (
    <li className={`${rowsStyles.row} ${rowsStyles.rowStill} ${rowsStyles.rowMiddle}`}>
      <KeyRound className="icon faint" aria-hidden />
      <span className={rowsStyles.rowMain}>
        <span className={rowsStyles.rowTitle}>
          <VisibleText as="code" text={secret.name} />
          {!secret.isSet && (
            <Badge tone={secret.isTemporary ? 'neutral' : 'warn'}>
              {secret.isTemporary ? t('Set until Toolkeep quits') : t('Not set')}
            </Badge>
          )}
        </span>
        <span className="muted small">
          {secret.servers.length === 0 ? (
            t('Not used by any server')
          ) : (
            <T text="Used by {names}" names={<VisibleText text={listOf(secret.servers)} />} />
          )}
        </span>
      </span>
      <IconButton
        label={secret.isSet ? t('Replace {name}', { name: secret.name }) : t('Set {name}', { name: secret.name })}
        icon={Pencil}
        onClick={onEdit}
      />
      {secret.isSet && (
        <IconButton label={t('Remove {name}', { name: secret.name })} icon={Trash2} onClick={onRemove} />
      )}
    </li>
  );
}

function PlainSecrets({
  plain,
  isPersistent,
  onMove,
}: {
  plain: SecretsView['plain'];
  isPersistent: boolean;
  onMove(server: string): void;
}) {
  return (
    <Section title={t('Secrets in plain text')}>
      <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
        {plain.map(({ server, secrets, own }) => (
          <li key={server} className={`${rowsStyles.row} ${rowsStyles.rowStill} ${rowsStyles.rowMiddle}`}>
            <TriangleAlert className="icon warn" aria-hidden />
            <span className={rowsStyles.rowMain}>
              <VisibleText as="span" className={rowsStyles.rowTitle} text={server} />
              <span className="muted small">
                <VisibleText text={listOf(secrets)} />
                {!own && <> · {t("set in a config file: replace it there with $'{secret:NAME}'")}</>}
              </span>
            </span>
            {own && (
              <Button icon={LockKeyhole} disabled={!isPersistent} onClick={() => onMove(server)}>
                {t('Move to vault')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
