/** One notification: what happened, when, and the next step. */
import {
  ArrowUpCircle,
  Check,
  CircleAlert,
  CircleCheck,
  Download,
  Hand,
  LibraryBig,
  LogIn,
  type LucideIcon,
  MessageCircleQuestion,
  ShieldAlert,
  X,
} from 'lucide-react';
import type { Notification, NotificationKind } from '../../../shared/model/notification.ts';
import { Badge } from '../../components/badge.tsx';
import { IconButton } from '../../components/button.tsx';
import { useClientName } from '../../components/client-name.tsx';
import { allOf, listOf, timeOfDay } from '../../components/format.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { isUnread } from '../../stores/notifications.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './notifications.module.css';

const icons: Record<NotificationKind, { icon: LucideIcon; tone: 'bad' | 'warn' | 'accent' }> = {
  'not-answered': { icon: MessageCircleQuestion, tone: 'warn' },
  'tool-wanted': { icon: Hand, tone: 'accent' },
  'server-failed': { icon: CircleAlert, tone: 'bad' },
  'sign-in': { icon: LogIn, tone: 'warn' },
  'tools-held': { icon: ShieldAlert, tone: 'warn' },
  'server-updated': { icon: ArrowUpCircle, tone: 'accent' },
  'settings-damaged': { icon: ShieldAlert, tone: 'bad' },
  'protection-removed': { icon: ShieldAlert, tone: 'warn' },
  'servers-offered': { icon: LibraryBig, tone: 'accent' },
  'servers-found': { icon: Download, tone: 'accent' },
};

export function NotificationRow({ notification }: { notification: Notification }) {
  const { link, toasts } = useStores();
  const { id, kind, at, times, isRead, isOver } = notification;
  const { icon: Icon, tone } = icons[kind];
  const { title, sub, step, href } = useWords(notification);
  const unread = isUnread(notification);
  const read = () => {
    if (!isRead) void toasts.attempt(() => link.call('notifications.read', { ids: [id] }));
  };
  const clear = () => void toasts.attempt(() => link.call('notifications.clear', { ids: [id] }));
  return (
    <li className={styles.row} data-unread={unread || undefined}>
      <Icon className={`icon ${isOver ? 'faint' : tone}`} aria-hidden />
      <div>
        <p className={styles.title}>
          {unread && <span className="sr-only">{t('Unread:')} </span>}
          <VisibleText text={title} />
          {times > 1 && <Badge>{t('{times, number} times', { times })}</Badge>}
          {isOver && (
            <Badge tone="good" icon={CircleCheck}>
              {t('Resolved')}
            </Badge>
          )}
        </p>
        {sub && <VisibleText as="p" className="ellipsis muted small" title={sub} text={sub} />}
      </div>
      <time className="muted small" dateTime={new Date(at).toISOString()}>
        {timeOfDay(at)}
      </time>
      <div className={styles.actions}>
        <a className="button button-plain" href={href} aria-label={`${step}: ${title}`} onClick={read}>
          {step}
        </a>
        {unread && <IconButton label={t('Mark as read: {title}', { title })} icon={Check} onClick={read} />}
        {!unread && <IconButton label={t('Clear: {title}', { title })} icon={X} onClick={clear} />}
      </div>
    </li>
  );
}

interface Words {
  title: string;
  sub?: string;
  /** The label of the next step, whose link is `href`. */
  step: string;
  href: string;
}

const reasons = {
  timeout: t('no one answered in time'),
  'no-ui': t('Toolkeep could not ask you'),
  'too-many': t('too many questions were open'),
};

const showServer = (server: string) => ({ step: t('Show server'), href: hrefOf('servers', server) });
const showRules = { step: t('Show rules'), href: hrefOf('rules') };

function useWords(notification: Notification): Words {
  const nameOf = useClientName();
  switch (notification.kind) {
    case 'not-answered': {
      const { client, server, tool, asked, reason } = notification;
      const from = [nameOf(client), server].filter(Boolean).join(' → ');
      if (asked === 'question')
        return {
          title: t('A question from {from} was not answered: {reason}', {
            from: tool || server || t('a tool'),
            reason: reasons[reason],
          }),
          sub: from,
          step: t('Show history'),
          href: hrefOf('history'),
        };
      const href = hrefOf('tools', server, tool);
      const values = { tool, reason: reasons[reason] };
      const title =
        asked === 'approval' ? t('{tool} did not run: {reason}', values) : t('{tool} stays disabled: {reason}', values);
      return { title, sub: from, step: t('Show tool'), href };
    }
    case 'tool-wanted': {
      const { client, server, tool } = notification;
      const title = t('{client} tried to use {tool}, which is disabled', { client: nameOf(client), tool });
      return { title, sub: server, step: t('Show tool'), href: hrefOf('tools', server, tool) };
    }
    case 'server-failed': {
      const { server, message } = notification;
      return { title: t('{server} failed', { server }), sub: message, ...showServer(server) };
    }
    case 'sign-in': {
      const { server, isOver } = notification;
      if (isOver) return { title: t('{server} needed you to sign in', { server }), ...showServer(server) };
      return { ...showServer(server), title: t('{server} needs you to sign in', { server }), step: t('Sign in…') };
    }
    case 'tools-held': {
      const { server, tools, isOver } = notification;
      const held = { count: tools.length, server };
      const sub = listOf(tools);
      if (isOver) {
        const title = t('{count, plural, one {# tool on {server} was} other {# tools on {server} were}} held', held);
        return { title, sub, ...showServer(server) };
      }
      const href = hrefOf('tools', server, tools[0] ?? '');
      const title = t(
        '{count, plural, one {# tool on {server} is} other {# tools on {server} are}} held until you accept',
        held,
      );
      return { title, sub, step: t('Review'), href };
    }
    case 'server-updated': {
      const { server, from, to } = notification;
      const version = to ?? t('another version');
      const title = from
        ? t('{server} was updated from {from} to {version}', { server, from, version })
        : t('{server} was updated to {version}', { server, version });
      return { title, ...showServer(server) };
    }
    case 'settings-damaged':
      return { title: t('The file of your settings was damaged'), sub: notification.message, ...showRules };
    case 'protection-removed': {
      const { file, removed } = notification;
      const values = { count: removed.length, file };
      return {
        title: t(
          '{count, plural, one {# protective setting is} other {# protective settings are}} gone from {file}',
          values,
        ),
        sub: removed.join('\n'),
        ...showRules,
      };
    }
    case 'servers-offered': {
      const { client, query, servers } = notification;
      const [{ registry, name }] = servers;
      return {
        title: t('No tool fits what {client} looked for: {query}', { client: nameOf(client), query }),
        sub: t('Servers that may: {servers}', { servers: allOf(servers.map((server) => server.name)) }),
        step: t('Show server'),
        href: hrefOf('browse', registry, name),
      };
    }
    case 'servers-found': {
      const { servers, isOver } = notification;
      const title = t('{count, plural, one {# new server} other {# new servers}} found in your clients', {
        count: servers.length,
      });
      const sub = listOf(servers);
      if (isOver) return { title, sub, step: t('Show servers'), href: hrefOf('servers') };
      return { title, sub, step: t('Import…'), href: hrefOf('import') };
    }
  }
}
