/** The tokens of HTTP clients: created, replaced and revoked here, and shown once. */
import { KeyRound, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type TokenView, tokenHeader, tokenNameSchema } from '../../../shared/model/token.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { Select, TextInput } from '../../components/controls.tsx';
import { CopyBlock } from '../../components/copy-block.tsx';
import { ConfirmDialog, DoneDialog, FormDialog } from '../../components/dialog.tsx';
import { moment } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Empty, Unloaded } from '../../components/states.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';

type Open = { kind: 'create' } | { kind: 'replace' | 'revoke'; token: TokenView } | { kind: 'shown'; secret: string };

export function Tokens({ url }: { url: string | undefined }) {
  const { link, toasts, tokens } = useStores();
  const { data, failure } = useResource(tokens);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  async function show(make: () => Promise<{ token: string }>): Promise<void> {
    const made = await toasts.attempt(make);
    if (made) setOpen({ kind: 'shown', secret: made.token });
  }
  if (!data) return <Unloaded failure={failure} label={t('Loading tokens')} onRetry={tokens.load} />;
  return (
    <Section
      title={t('Clients that connect over HTTP')}
      aside={
        <Button icon={Plus} onClick={() => setOpen({ kind: 'create' })}>
          {t('Create a token')}
        </Button>
      }
    >
      {data.length === 0 && (
        <Empty
          icon={KeyRound}
          title={t('No tokens')}
          text={t('A client that connects over HTTP sends a token. Each client needs its own.')}
        />
      )}
      {data.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={t('HTTP tokens')}>
          {data.map((token) => (
            <li key={token.name} className={`${rowsStyles.row} ${rowsStyles.rowStill} ${rowsStyles.rowMiddle}`}>
              <span className={rowsStyles.rowMain}>
                <span className={rowsStyles.rowTitle}>
                  {token.name}
                  {token.profile !== undefined && <Badge>{t('Profile: {name}', { name: token.profile })}</Badge>}
                  {token.kind === 'status' && <Badge>{t('Only the status')}</Badge>}
                </span>
                <span className="muted small">
                  {token.lastUsedAt === undefined
                    ? t('Created {time} · not used since Toolkeep started', { time: moment(token.createdAt) })
                    : t('Created {time} · last used {last}', {
                        time: moment(token.createdAt),
                        last: moment(token.lastUsedAt),
                      })}
                </span>
              </span>
              <IconButton
                label={t('Replace {name}', { name: token.name })}
                icon={RefreshCw}
                onClick={() => setOpen({ kind: 'replace', token })}
              />
              <IconButton
                label={t('Revoke {name}', { name: token.name })}
                icon={Trash2}
                onClick={() => setOpen({ kind: 'revoke', token })}
              />
            </li>
          ))}
        </ul>
      )}
      {open?.kind === 'create' && (
        <NewToken
          taken={data.map(({ name }) => name)}
          onCreate={(name, profile) => void show(() => link.call('tokens.create', { name, kind: 'client', profile }))}
          onClose={close}
        />
      )}
      {open?.kind === 'shown' && (
        <Shown
          secret={open.secret}
          url={url}
          onClose={() => {
            close();
            void tokens.load();
          }}
        />
      )}
      {open?.kind === 'replace' && (
        <ConfirmDialog
          title={t('Replace the token “{name}”?', { name: open.token.name })}
          action={t('Replace')}
          onConfirm={() => void show(() => link.call('tokens.rotate', { name: open.token.name }))}
          onClose={close}
        >
          {t('Its client cannot connect until you give it the new token.')}
        </ConfirmDialog>
      )}
      {open?.kind === 'revoke' && (
        <ConfirmDialog
          title={t('Revoke the token “{name}”?', { name: open.token.name })}
          action={t('Revoke')}
          onConfirm={() => void toasts.attempt(() => link.call('tokens.revoke', { name: open.token.name }))}
          onClose={close}
        >
          {t('Its client cannot connect anymore. You cannot undo this.')}
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface NewTokenProps {
  taken: readonly string[];
  onCreate(name: string, profile: string | undefined): void;
  onClose(): void;
}

function NewToken({ taken, onCreate, onClose }: NewTokenProps) {
  const profiles = useResource(useStores().profiles).data ?? [];
  const [name, setName] = useState('');
  const [profile, setProfile] = useState('');
  const isTaken = taken.includes(name);
  const isValid = tokenNameSchema.safeParse(name).success;
  return (
    <FormDialog
      title={t('New token')}
      action={t('Create')}
      disabled={!isValid || isTaken}
      onSubmit={() => onCreate(name, profile || undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t('Name of the client')}
        value={name}
        placeholder="n8n"
        problem={
          isTaken
            ? t('There is already a token with this name.')
            : name && !isValid
              ? t('Use letters, digits, spaces, periods, hyphens and underscores, and start with a letter or digit.')
              : undefined
        }
        onChange={setName}
      />
      <Select
        label={t('Profile')}
        value={profile}
        options={[['', t('All tools')], ...profiles.map((one) => [one.name, one.name] as const)]}
        onChange={setProfile}
      />
    </FormDialog>
  );
}

function Shown({ secret, url, onClose }: { secret: string; url: string | undefined; onClose(): void }) {
  return (
    <DoneDialog title={t('Copy the token now')} onClose={onClose}>
      <p>{t('Toolkeep keeps no copy that it could show again.')}</p>
      <p>{t('The header that the client sends:')}</p>
      <CopyBlock text={tokenHeader(secret)} label={t('header')} />
      {url === undefined ? (
        <p>{t('HTTP is disabled. Enable it in Settings.')}</p>
      ) : (
        <>
          <p>{t('URL (streamable HTTP):')}</p>
          <CopyBlock text={url} label={t('URL')} />
        </>
      )}
    </DoneDialog>
  );
}
