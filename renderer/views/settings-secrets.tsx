/** The vault: which secrets there are and who uses them, never a value; and what still stands in plain text. */
import { KeyRound, LockKeyhole, Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SecretsView } from '../../shared/model.ts';
import { Badge } from '../parts/badge.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Section } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { VisibleText } from '../parts/server-text.tsx';
import { FailureBox, Skeleton } from '../parts/states.tsx';
import { createResource, useResource } from '../stores/resource.ts';
import { useStores } from '../stores/stores.ts';

type Secret = SecretsView['secrets'][number];

export function SecretSettings() {
  const { link, notices } = useStores();
  const resource = useMemo(
    () => createResource(link, () => link.call('secrets.list'), ['servers.changed', 'config.changed']),
    [link],
  );
  const { data, failure } = useResource(resource);
  const [editing, setEditing] = useState<string>();
  const [removing, setRemoving] = useState<Secret>();

  async function change(action: () => Promise<unknown>, done: string): Promise<void> {
    await notices.attempt(() => action().then(() => resource.load()), done);
  }
  if (failure && !data) return <FailureBox failure={failure} onRetry={() => void resource.load()} />;
  if (!data) return <Skeleton label="secrets" />;
  return (
    <>
      {data.plain.length > 0 && (
        <Plain
          plain={data.plain}
          isLasting={data.vault.persistent}
          onMove={(server) =>
            void change(() => link.call('secrets.protect', { server }), `The secrets of ${server} are in the vault.`)
          }
        />
      )}
      <Section
        title="Vault"
        aside={
          <Button icon={Plus} onClick={() => setEditing('')}>
            Add secret
          </Button>
        }
      >
        <p className={data.vault.persistent ? 'note note-icon' : 'note note-icon note-warn'}>
          <LockKeyhole className="icon" aria-hidden />
          <span>
            {data.vault.persistent ? (
              <>
                Sealed with <strong>{data.vault.label}</strong>. No value is ever shown here, written to the history or
                told to an app.
              </>
            ) : (
              <>
                <strong>Kept in memory only.</strong> No keyring answers on this machine, so secrets are asked for again
                after a restart. Set GATEHOUSE_PASSPHRASE to seal them with a passphrase.
              </>
            )}
          </span>
        </p>
        {data.secrets.length === 0 ? (
          <p className="muted">
            Empty. What you import can be moved here, and what a server needs is asked for when it first starts.
          </p>
        ) : (
          <ul className="rows rows-card">
            {data.secrets.map((secret) => (
              <li key={secret.name} className="row row-still row-middle">
                <KeyRound className="icon row-icon" aria-hidden />
                <span className="row-main">
                  <span className="row-title">
                    <code>
                      <VisibleText text={secret.name} />
                    </code>
                    {!secret.isSet && <Badge tone="warn">Not set</Badge>}
                  </span>
                  <span className="row-wrap">
                    {secret.servers.length === 0 ? (
                      'No server uses it'
                    ) : (
                      <>
                        Used by <VisibleText text={secret.servers.join(', ')} />
                      </>
                    )}
                  </span>
                </span>
                <IconButton
                  label={`${secret.isSet ? 'Replace' : 'Set'} ${secret.name}`}
                  icon={Pencil}
                  onClick={() => setEditing(secret.name)}
                />
                {secret.isSet && (
                  <IconButton label={`Remove ${secret.name}`} icon={Trash2} onClick={() => setRemoving(secret)} />
                )}
              </li>
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
            void change(() => link.call('secrets.set', { name, value }), `${name} is in the vault.`);
          }}
        />
      )}
      {removing && (
        <ConfirmDialog
          title="Remove this secret?"
          action="Remove"
          onClose={() => setRemoving(undefined)}
          onConfirm={() =>
            void change(() => link.call('secrets.remove', { name: removing.name }), `${removing.name} was removed.`)
          }
        >
          <p>
            <code>
              <VisibleText text={removing.name} />
            </code>{' '}
            {removing.servers.length > 0
              ? `is used by ${removing.servers.join(', ')}, which will ask for it at the next start.`
              : 'is used by no server.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Plain({
  plain,
  isLasting,
  onMove,
}: {
  plain: SecretsView['plain'];
  isLasting: boolean;
  onMove(server: string): void;
}) {
  return (
    <Section title="In plain text">
      <ul className="rows rows-card">
        {plain.map(({ server, secrets, own }) => (
          <li key={server} className="row row-still row-middle">
            <TriangleAlert className="icon row-icon row-icon-warn" aria-hidden />
            <span className="row-main">
              <span className="row-title">
                <VisibleText text={server} />
              </span>
              <span className="row-wrap">
                <VisibleText text={secrets.join(', ')} />
                {!own && ' · stands in a config file: replace it there by ${secret:NAME}'}
              </span>
            </span>
            {own && (
              <Button icon={LockKeyhole} disabled={!isLasting} onClick={() => onMove(server)}>
                Move to the vault
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
