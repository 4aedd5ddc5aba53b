/** One notification: what happened, when, and the next step. */
import {
  ArrowUpCircle,
  Check,
  CircleAlert,
  CircleCheck,
  Download,
  Hand,
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
import { count, timeOfDay } from '../../components/format.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { isUnread } from '../../stores/notifications.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import styles from './notifications.module.css';

const icons: Record<NotificationKind, { icon: LucideIcon; tone: 'bad' | 'warn' | 'plain' }> = {
  'not-answered': { icon: MessageCircleQuestion, tone: 'warn' },
  'tool-wanted': { icon: Hand, tone: 'plain' },
  'server-failed': { icon: CircleAlert, tone: 'bad' },
  'sign-in': { icon: LogIn, tone: 'warn' },
  'tools-held': { icon: ShieldAlert, tone: 'warn' },
  'server-updated': { icon: ArrowUpCircle, tone: 'plain' },
  'servers-found': { icon: Download, tone: 'plain' },
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
      <Icon className="icon" data-tone={isOver ? 'over' : tone} aria-hidden />
      <div className={styles.text}>
        <p className={styles.title}>
          {unread && <span className="sr-only">Unread: </span>}
          <VisibleText text={title} />
          {times > 1 && <Badge>{times} times</Badge>}
          {isOver && (
            <Badge tone="good" icon={CircleCheck}>
              Resolved
            </Badge>
          )}
        </p>
        {sub && (
          <p className={styles.sub} title={sub}>
            <VisibleText text={sub} />
          </p>
        )}
      </div>
      <time className="muted small" dateTime={new Date(at).toISOString()}>
        {timeOfDay(at)}
      </time>
      <div className={styles.actions}>
        <a className="button button-plain" href={href} aria-label={`${step}: ${title}`} onClick={read}>
          {step}
        </a>
        {unread && <IconButton label={`Mark as read: ${title}`} icon={Check} onClick={read} />}
        {!unread && <IconButton label={`Clear: ${title}`} icon={X} onClick={clear} />}
      </div>
    </li>
  );
}

interface Words {
  title: string;
  sub?: string;
  /** The next step, and where it is. */
  step: string;
  href: string;
}

const whyNot = {
  timeout: 'no one answered in time',
  'no-ui': 'no window was open to ask in',
  'too-many': 'too many questions were open',
};

function useWords(notification: Notification): Words {
  const nameOf = useClientName();
  switch (notification.kind) {
    case 'not-answered': {
      const { client, server, tool, asked, reason } = notification;
      const from = [nameOf(client), server].filter(Boolean).join(' → ');
      if (asked === 'question')
        return {
          title: `A question from ${tool || server || 'a tool'} was not answered: ${whyNot[reason]}`,
          sub: from,
          step: 'Show history',
          href: hrefOf('history'),
        };
      const fact = asked === 'approval' ? `${tool} did not run` : `${tool} stays disabled`;
      const href = hrefOf('tools', server, tool);
      return { title: `${fact}: ${whyNot[reason]}`, sub: from, step: 'Show tool', href };
    }
    case 'tool-wanted': {
      const { client, server, tool } = notification;
      const title = `${nameOf(client)} tried to use ${tool}, which is disabled`;
      return { title, sub: server, step: 'Show tool', href: hrefOf('tools', server, tool) };
    }
    case 'server-failed': {
      const { server, message } = notification;
      return { title: `${server} failed`, sub: message, step: 'Show server', href: hrefOf('servers', server) };
    }
    case 'sign-in': {
      const { server, isOver } = notification;
      const href = hrefOf('servers', server);
      if (isOver) return { title: `${server} needed you to sign in`, step: 'Show server', href };
      return { title: `${server} needs you to sign in`, step: 'Sign in…', href };
    }
    case 'tools-held': {
      const { server, tools, isOver } = notification;
      const held = `${count(tools.length, 'tool')} of ${server}`;
      const sub = tools.join(', ');
      const isOne = tools.length === 1;
      if (isOver) {
        const title = `${held} ${isOne ? 'was' : 'were'} held`;
        return { title, sub, step: 'Show server', href: hrefOf('servers', server) };
      }
      const href = hrefOf('tools', server, tools[0] ?? '');
      return { title: `${held} ${isOne ? 'is' : 'are'} held until you accept`, sub, step: 'Review', href };
    }
    case 'server-updated': {
      const { server, from, to } = notification;
      const title = `${server} was updated${from ? ` from ${from}` : ''} to ${to ?? 'another version'}`;
      return { title, step: 'Show server', href: hrefOf('servers', server) };
    }
    case 'servers-found': {
      const { servers, isOver } = notification;
      const title = `${count(servers.length, 'new server')} found in your clients`;
      const sub = servers.join(', ');
      if (isOver) return { title, sub, step: 'Show servers', href: hrefOf('servers') };
      return { title, sub, step: 'Import…', href: hrefOf('import') };
    }
  }
}
