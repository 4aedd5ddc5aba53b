/** The rows of "Needs you", each with one item and the button that resolves it. */
import {
  CircleAlert,
  Download,
  FileWarning,
  FolderLock,
  KeyRound,
  LogIn,
  type LucideIcon,
  MessageCircleQuestion,
  RefreshCw,
  ShieldAlert,
  Unlink,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Attention } from '../../../shared/model/home.ts';
import type { InstallStatus } from '../../../shared/model/install.ts';
import type { Question } from '../../../shared/model/question.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { Button } from '../../components/button.tsx';
import type { ConfigSummary } from '../../components/config-summary.ts';
import { Countdown } from '../../components/countdown.tsx';
import { count } from '../../components/format.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { ServerDialog } from '../servers/server-dialog.tsx';
import styles from './home.module.css';

interface MatterProps {
  icon: LucideIcon;
  tone?: 'bad' | 'plain';
  title: ReactNode;
  sub?: string | undefined;
  children: ReactNode;
}

function Matter({ icon: Icon, tone, title, sub, children }: MatterProps) {
  return (
    <li className={styles.matter} data-tone={tone}>
      <Icon className="icon" aria-hidden />
      <div className={styles.matterText}>
        <p>{title}</p>
        {sub && (
          <p className={styles.matterSub} title={sub}>
            <VisibleText text={sub} />
          </p>
        )}
      </div>
      <div className={styles.matterActions}>{children}</div>
    </li>
  );
}

/** Runs one action and shows a spinner until it ends. */
function ActionButton({ label, about, run }: { label: string; about: string; run(): Promise<unknown> }) {
  const { toasts } = useStores();
  const [isBusy, setBusy] = useState(false);
  return (
    <Button
      busy={isBusy}
      aria-label={`${label} ${about}`}
      onClick={() => {
        setBusy(true);
        void toasts.attempt(run).finally(() => setBusy(false));
      }}
    >
      {label}
    </Button>
  );
}

function EditButton({ server }: { server: string }) {
  const { link } = useStores();
  const [editing, setEditing] = useState<ServerConfig>();
  return (
    <>
      <ActionButton
        label="Edit…"
        about={server}
        run={async () => setEditing(await link.call('servers.config', { server }))}
      />
      {editing && <ServerDialog stays config={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}

function LinkButton({ label, about, href }: { label: string; about: string; href: string }) {
  return (
    <a className="button button-plain" href={href} aria-label={`${label} ${about}`}>
      {label}
    </a>
  );
}

export function QuestionRow({ question }: { question: Question }) {
  const { questions } = useStores();
  const { client, server, tool } = question.from;
  const place = [server, tool].filter(Boolean).join(' › ');
  const title =
    question.kind === 'approval' ? 'A call is waiting for your approval' : 'A question is waiting for your answer';
  return (
    <Matter icon={MessageCircleQuestion} tone="plain" title={title} sub={[client, place].filter(Boolean).join(' → ')}>
      <Countdown from={question.createdAt} to={question.expiresAt} />
      <Button look="primary" aria-label={`Answer ${place}`} onClick={() => questions.show(question.id)}>
        Answer
      </Button>
    </Matter>
  );
}

export function ConfigRow({ summary: { title, effect } }: { summary: ConfigSummary }) {
  return (
    <Matter icon={FileWarning} tone="bad" title={title} sub={effect}>
      <LinkButton label="Show problems" about="of the configuration" href={hrefOf('settings')} />
    </Matter>
  );
}

export function AttentionRow({ item }: { item: Attention }) {
  switch (item.kind) {
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

function FailedServer({ item: { server, failure, fix } }: { item: Of<'server-failed'> }) {
  const { link } = useStores();
  const restart = () => link.call('servers.restart', { server });
  const name = <VisibleText text={server} />;
  return (
    <Matter
      icon={CircleAlert}
      tone="bad"
      title={fix === 'secret' ? <>{name} needs a value to start</> : <>{name} failed to start</>}
      sub={failure.message.split('\n', 1)[0]}
    >
      {fix === 'secret' && <ActionButton label="Enter value…" about={`for ${server}`} run={restart} />}
      {fix === 'retry' && <ActionButton label="Try again" about={server} run={restart} />}
      {fix === 'edit' && <EditButton server={server} />}
      {fix === 'vault' && <LinkButton label="Enter again…" about={server} href={hrefOf('settings', 'secrets')} />}
      {fix === 'config' && <LinkButton label="Show" about={server} href={hrefOf('servers', server)} />}
    </Matter>
  );
}

function SignIn({ server }: { server: string }) {
  const { link, toasts } = useStores();
  async function signIn(): Promise<void> {
    await link.call('servers.signIn', { server });
    toasts.success(`You are signed in to ${server}.`);
  }
  return (
    <Matter
      icon={LogIn}
      title={
        <>
          <VisibleText text={server} /> needs you to sign in
        </>
      }
      sub="Your browser opens."
    >
      <ActionButton label="Sign in…" about={`to ${server}`} run={signIn} />
    </Matter>
  );
}

function HeldTools({ item: { server, tools, suspicious } }: { item: Of<'held-tools'> }) {
  const [first = ''] = tools;
  return (
    <Matter
      icon={ShieldAlert}
      tone={suspicious > 0 ? 'bad' : undefined}
      title={
        <>
          {count(tools.length, 'tool')} of <VisibleText text={server} />{' '}
          {suspicious > 0 ? 'may mislead agents' : 'changed'}
        </>
      }
      sub={`Held until you accept: ${tools.slice(0, 5).join(', ')}`}
    >
      <LinkButton label="Review" about={`tools of ${server}`} href={hrefOf('tools', server, first)} />
    </Matter>
  );
}

function PlainSecrets({ item: { server, secrets, canMove } }: { item: Of<'plain-secrets'> }) {
  const { link, toasts, attention } = useStores();
  async function move(): Promise<void> {
    const { moved } = await link.call('secrets.moveToVault', { server });
    toasts.success(`Moved ${count(moved.length, 'secret')} of ${server} to the vault.`);
    await attention.load();
  }
  return (
    <Matter
      icon={KeyRound}
      title={
        <>
          <VisibleText text={server} /> has {secrets.length === 1 ? 'a secret' : `${secrets.length} secrets`} in plain
          text
        </>
      }
      sub={secrets.join(', ')}
    >
      {canMove ? (
        <ActionButton label="Move to vault" about={`secrets of ${server}`} run={move} />
      ) : (
        <LinkButton label="Show" about={`secrets of ${server}`} href={hrefOf('settings', 'secrets')} />
      )}
    </Matter>
  );
}

function UntrustedFolder({ item: { folder, file, hasChanged } }: { item: Of<'untrusted-folder'> }) {
  return (
    <Matter
      icon={FolderLock}
      title={hasChanged ? 'A trusted folder’s configuration has changed' : 'A folder’s configuration is ignored'}
      sub={file}
    >
      <LinkButton label="Review…" about={folder} href={hrefOf('settings', 'folders', folder)} />
    </Matter>
  );
}

export function ClientRow({ client: { app, state, problem } }: { client: InstallStatus }) {
  const isWiped = state === 'wiped';
  return (
    <Matter
      icon={isWiped ? Unlink : FileWarning}
      title={isWiped ? `${app} removed Gatehouse from its file` : `The config file of ${app} is broken`}
      sub={isWiped ? 'Its agents cannot use your servers until you repair it.' : problem?.message}
    >
      <LinkButton label={isWiped ? 'Repair…' : 'Show'} about={app} href={hrefOf('clients')} />
    </Matter>
  );
}

/** Servers that appeared in clients' files since the last scan. */
export function NewServersRow({ names }: { names: readonly string[] }) {
  const { link, newServers } = useStores();
  return (
    <Matter
      icon={Download}
      tone="plain"
      title={`${count(names.length, 'new server')} found in your clients`}
      sub={names.join(', ')}
    >
      <ActionButton
        label="Ignore"
        about="new servers"
        run={() => link.call('import.dismiss').then(() => newServers.load())}
      />
      <LinkButton label="Import…" about="new servers" href={hrefOf('import')} />
    </Matter>
  );
}

/** A newer version of a server from a registry. */
export function UpdateRow({ server, version, latest }: { server: string; version: string; latest: string }) {
  return (
    <Matter
      icon={RefreshCw}
      tone="plain"
      title={
        <>
          Update available for <VisibleText text={server} />
        </>
      }
      sub={`Version ${latest}. You have ${version}.`}
    >
      <LinkButton label="See what changes" about={`in ${server}`} href={hrefOf('servers', server, 'update')} />
    </Matter>
  );
}
