/** The rows of "Needs attention", each with one item and the button that resolves it. */
import {
  CircleAlert,
  Download,
  FileWarning,
  FolderLock,
  KeyRound,
  Layers,
  LockKeyhole,
  LogIn,
  type LucideIcon,
  MessageCircleQuestion,
  RefreshCw,
  ShieldAlert,
  Unlink,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { firstLineOf } from '../../../shared/first-line.ts';
import type { Attention } from '../../../shared/model/home.ts';
import type { InstallStatus } from '../../../shared/model/install.ts';
import type { Question } from '../../../shared/model/question.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Button } from '../../components/button.tsx';
import { useClientName } from '../../components/client-name.tsx';
import type { ConfigSummary } from '../../components/config-summary.ts';
import { Countdown } from '../../components/countdown.tsx';
import { listOf } from '../../components/format.ts';
import { Path } from '../../components/path.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import { ServerDialog } from '../servers/server-dialog.tsx';
import { PassphraseButton } from '../settings/passphrase-button.tsx';
import styles from './home.module.css';

interface MatterProps {
  icon: LucideIcon;
  tone?: 'warn' | 'bad' | 'accent';
  title: ReactNode;
  sub?: string | undefined;
  /** The file that the item is about. */
  file?: string;
  children: ReactNode;
}

function Matter({ icon: Icon, tone = 'warn', title, sub, file, children }: MatterProps) {
  return (
    <li className={styles.matter}>
      <Icon className={`icon ${tone}`} aria-hidden />
      <div className={styles.matterText}>
        <p>{title}</p>
        {sub && <VisibleText as="p" className="ellipsis muted small" title={sub} text={sub} />}
        {file && (
          <p className="ellipsis muted small">
            <Path path={file} />
          </p>
        )}
      </div>
      <div className={styles.matterActions}>{children}</div>
    </li>
  );
}

function EditButton({ server }: { server: string }) {
  const { link } = useStores();
  const [editing, setEditing] = useState<ServerConfig>();
  return (
    <>
      <ActionButton
        aria-label={t('Edit… {server}', { server })}
        run={async () => setEditing(await link.call('servers.config', { server }))}
      >
        {t('Edit…')}
      </ActionButton>
      {editing && <ServerDialog stays config={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}

function LinkButton({ label, name, href }: { label: string; name: string; href: string }) {
  return (
    <a className="button button-plain" href={href} aria-label={name}>
      {label}
    </a>
  );
}

export function QuestionRow({ question }: { question: Question }) {
  const { questions } = useStores();
  const { client, server, tool } = question.from;
  const nameOf = useClientName();
  const place = question.rows
    ? t('{count, number} calls', { count: question.rows.length })
    : [server, tool].filter(Boolean).join(' › ');
  const title =
    question.kind === 'approval'
      ? t('A call is waiting for your approval')
      : t('A question is waiting for your answer');
  return (
    <Matter
      icon={MessageCircleQuestion}
      tone="accent"
      title={title}
      sub={[client && nameOf(client), place].filter(Boolean).join(' → ')}
    >
      <Countdown from={question.createdAt} to={question.expiresAt} />
      <Button look="primary" aria-label={t('Answer {place}', { place })} onClick={() => questions.show(question.id)}>
        {t('Answer')}
      </Button>
    </Matter>
  );
}

export function ConfigRow({ summary: { title, effect } }: { summary: ConfigSummary }) {
  return (
    <Matter icon={FileWarning} tone="bad" title={title} sub={effect}>
      <LinkButton label={t('Show problems')} name={t('Show configuration problems')} href={hrefOf('settings')} />
    </Matter>
  );
}

export function AttentionRow({ item }: { item: Attention }) {
  switch (item.kind) {
    case 'vault-locked':
      return <LockedVault />;
    case 'server-failed':
      return <FailedServer item={item} />;
    case 'sign-in':
      return <SignIn server={item.server} />;
    case 'held-tools':
      return <HeldTools item={item} />;
    case 'plain-secrets':
      return <PlainSecrets item={item} />;
    case 'untrusted-folder':
      return <UntrustedFolder item={item} />;
  }
}

type Of<K extends Attention['kind']> = Extract<Attention, { kind: K }>;

function LockedVault() {
  return (
    <Matter
      icon={LockKeyhole}
      title={t('The vault is locked')}
      sub={t('Servers with secrets wait for its passphrase.')}
    >
      <PassphraseButton vault={{ passphrase: 'locked' }} />
    </Matter>
  );
}

function FailedServer({ item: { server, failure, fix } }: { item: Of<'server-failed'> }) {
  const { link, toasts } = useStores();
  async function restart(): Promise<void> {
    const { failure: next } = await link.call('servers.restart', { server });
    if (next)
      toasts.error({ ...next, message: t('{server} failed again: {problem}', { server, problem: firstLineOf(next) }) });
  }
  const name = { server: <VisibleText text={server} /> };
  return (
    <Matter
      icon={CircleAlert}
      tone="bad"
      title={
        fix === 'secret' ? (
          <T text="{server} needs a value to start" {...name} />
        ) : (
          <T text="{server} failed to start" {...name} />
        )
      }
      sub={firstLineOf(failure)}
    >
      {fix === 'secret' && (
        <ActionButton aria-label={t('Enter value… for {server}', { server })} run={restart}>
          {t('Enter value…')}
        </ActionButton>
      )}
      {fix === 'retry' && (
        <>
          <LinkButton
            label={t('Show log')}
            name={t('Show log of {server}', { server })}
            href={hrefOf('servers', server, 'log')}
          />
          <ActionButton aria-label={t('Try again {server}', { server })} run={restart}>
            {t('Try again')}
          </ActionButton>
        </>
      )}
      {fix === 'edit' && <EditButton server={server} />}
      {fix === 'vault' && (
        <LinkButton
          label={t('Enter again…')}
          name={t('Enter again… {server}', { server })}
          href={hrefOf('settings', 'secrets')}
        />
      )}
      {fix === 'config' && (
        <LinkButton label={t('Show')} name={t('Show {server}', { server })} href={hrefOf('servers', server)} />
      )}
    </Matter>
  );
}

function SignIn({ server }: { server: string }) {
  const { link, toasts } = useStores();
  async function signIn(): Promise<void> {
    await link.call('servers.signIn', { server });
    toasts.success(t('You are signed in to {server}.', { server }));
  }
  return (
    <Matter
      icon={LogIn}
      title={<T text="{server} needs you to sign in" server={<VisibleText text={server} />} />}
      sub={t('This opens your browser.')}
    >
      <ActionButton aria-label={t('Sign in… to {server}', { server })} run={signIn}>
        {t('Sign in…')}
      </ActionButton>
    </Matter>
  );
}

function HeldTools({ item: { server, tools, suspicious } }: { item: Of<'held-tools'> }) {
  const [first = ''] = tools;
  const facts = { count: tools.length, server: <VisibleText text={server} /> };
  return (
    <Matter
      icon={ShieldAlert}
      tone={suspicious > 0 ? 'bad' : undefined}
      title={
        suspicious > 0 ? (
          <T text="{count, plural, one {# tool} other {# tools}} on {server} may mislead agents" {...facts} />
        ) : (
          <T text="{count, plural, one {# tool} other {# tools}} on {server} changed or new" {...facts} />
        )
      }
      sub={t('Held until you accept: {names}', { names: listOf(tools.slice(0, 5)) })}
    >
      <LinkButton
        label={t('Review')}
        name={t('Review tools on {server}', { server })}
        href={hrefOf('tools', server, first)}
      />
    </Matter>
  );
}

function PlainSecrets({ item: { server, secrets, canMove } }: { item: Of<'plain-secrets'> }) {
  const { link, toasts, attention } = useStores();
  async function move(): Promise<void> {
    const { moved } = await link.call('secrets.moveToVault', { server });
    toasts.success(
      t('Moved {count, plural, one {# secret} other {# secrets}} from {server} to the vault.', {
        count: moved.length,
        server,
      }),
    );
    await attention.load();
  }
  return (
    <Matter
      icon={KeyRound}
      title={
        <T
          text="{server} has {count, plural, one {a secret} other {# secrets}} in plain text"
          server={<VisibleText text={server} />}
          count={secrets.length}
        />
      }
      sub={listOf(secrets)}
    >
      {canMove ? (
        <ActionButton aria-label={t('Move to vault secrets from {server}', { server })} run={move}>
          {t('Move to vault')}
        </ActionButton>
      ) : (
        <LinkButton
          label={t('Show')}
          name={t('Show secrets in {server}', { server })}
          href={hrefOf('settings', 'secrets')}
        />
      )}
    </Matter>
  );
}

function UntrustedFolder({ item: { folder, file, hasChanged } }: { item: Of<'untrusted-folder'> }) {
  return (
    <Matter
      icon={FolderLock}
      title={hasChanged ? t('A trusted folder’s configuration has changed') : t('A folder’s configuration is ignored')}
      file={file}
    >
      <LinkButton
        label={t('Review…')}
        name={t('Review… {folder}', { folder })}
        href={hrefOf('settings', 'folders', folder)}
      />
    </Matter>
  );
}

export function ClientRow({ client: { app, state, problem, access } }: { client: InstallStatus }) {
  if (state === 'wiped')
    return (
      <Matter
        icon={Unlink}
        title={t('{app} removed Toolkeep from its file', { app })}
        sub={t('Its agents cannot use your servers until you repair it.')}
      >
        <LinkButton label={t('Repair…')} name={t('Repair… {app}', { app })} href={hrefOf('clients')} />
      </Matter>
    );
  if (state === 'unreadable')
    return (
      <Matter icon={FileWarning} title={t('The config file of {app} is invalid', { app })} sub={problem?.message}>
        <LinkButton label={t('Show')} name={t('Show {app}', { app })} href={hrefOf('clients')} />
      </Matter>
    );
  return (
    <Matter
      icon={Layers}
      title={t('{app} has no tools: its profile does not exist', { app })}
      sub={t('Profile: {name}', { name: access?.profile ?? '' })}
    >
      <LinkButton
        label={t('Choose another…')}
        name={t('Choose another profile for {app}', { app })}
        href={hrefOf('clients')}
      />
    </Matter>
  );
}

/** Servers that appeared in clients' files since the last scan. */
export function NewServersRow({ names }: { names: readonly string[] }) {
  const { link, newServers } = useStores();
  return (
    <Matter
      icon={Download}
      tone="accent"
      title={t('{count, plural, one {# new server} other {# new servers}} found in your clients', {
        count: names.length,
      })}
      sub={listOf(names)}
    >
      <ActionButton
        aria-label={t('Ignore new servers')}
        run={() => link.call('import.dismiss').then(() => newServers.load())}
      >
        {t('Ignore')}
      </ActionButton>
      <LinkButton label={t('Import…')} name={t('Import… new servers')} href={hrefOf('import')} />
    </Matter>
  );
}

/** A newer version of a server from a registry. */
export function UpdateRow({ server, version, latest }: { server: string; version: string; latest: string }) {
  return (
    <Matter
      icon={RefreshCw}
      tone="accent"
      title={<T text="Update available for {server}" server={<VisibleText text={server} />} />}
      sub={t('Version {latest}. You have {version}.', { latest, version })}
    >
      <LinkButton
        label={t('See what changes')}
        name={t('See what changes in {server}', { server })}
        href={hrefOf('servers', server, 'update')}
      />
    </Matter>
  );
}
