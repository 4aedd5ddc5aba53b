/** The notifications on disk. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Notification, type NotificationContent, notificationSchema } from '../../../shared/model/notification.ts';
import { createJsonWriter, readJsonFile } from '../files/json-file.ts';

const fileSchema = z.object({ version: z.literal(1), entries: z.array(notificationSchema) });
/** The maximum number of notifications. The least important ones are dropped. */
const maxKept = 200;
const writeDelayMs = 500;

/** Reads `file`. A damaged file is renamed. */
export async function openNotifications(file: string, onChange: () => void, now: () => number = Date.now) {
  const stored = await readJsonFile(file, fileSchema);
  /** Oldest first. */
  let entries: readonly Notification[] = stored?.entries ?? [];
  const writer = createJsonWriter(file, writeDelayMs, () => ({ version: 1, entries }));

  function change(next: readonly Notification[]): void {
    entries = withoutOldest(next);
    writer.schedule();
    onChange();
  }
  function add(content: NotificationContent, replaced?: Notification, times = 1): void {
    const entry = { ...content, id: randomUUID(), at: now(), times, isRead: false, isOver: false };
    change([...entries.filter((other) => other !== replaced), entry]);
  }
  const isIn = (ids: readonly string[] | undefined) => {
    const wanted = ids && new Set(ids);
    return ({ id }: Notification) => !wanted || wanted.has(id);
  };
  return {
    /** Newest first. */
    list: (): Notification[] => entries.toReversed(),
    /** Reports an event. Repeats that the user has not read become one notification. */
    happened(content: NotificationContent): void {
      const before = entries.find((entry) => !entry.isRead && isSame(entry, content));
      add(content, before, (before?.times ?? 0) + 1);
    },
    /** Reports that a situation began, continues or changed. Notifies again only if the content is new. */
    continues(content: NotificationContent): void {
      const before = entries.find((entry) => !entry.isOver && isOfSame(entry, content));
      if (!before || !isSame(before, content)) add(content, before);
    },
    /** Reports that all situations of this kind and, if given, of this server have ended. */
    ended(kind: Notification['kind'], server?: string): void {
      const hasEnded = (entry: Notification) =>
        entry.kind === kind &&
        !entry.isOver &&
        (server === undefined || ('server' in entry && entry.server === server));
      if (entries.some(hasEnded))
        change(entries.map((entry) => (hasEnded(entry) ? { ...entry, isOver: true } : entry)));
    },
    /** Marks notifications as read; all if `ids` is undefined. */
    read(ids?: readonly string[]): void {
      const isMeant = isIn(ids);
      change(entries.map((entry) => (isMeant(entry) ? { ...entry, isRead: true } : entry)));
    },
    clear(ids?: readonly string[]): void {
      const isMeant = isIn(ids);
      change(entries.filter((entry) => !isMeant(entry)));
    },
    close: writer.close,
  };
}

/** Drops read notifications before unread ones, and within each group those that are over first. */
function withoutOldest(entries: readonly Notification[]): readonly Notification[] {
  const ranked = entries.toSorted((a, b) => rankOf(a) - rankOf(b));
  const dropped = new Set(ranked.slice(0, Math.max(0, entries.length - maxKept)));
  return dropped.size === 0 ? entries : entries.filter((entry) => !dropped.has(entry));
}

const rankOf = ({ isRead, isOver }: Notification) => (isRead ? 0 : 2) + (isOver ? 0 : 1);

/** Whether both have the same content. */
function isSame(entry: Notification, content: NotificationContent): boolean {
  const { id: _, at: __, times: ___, isRead: ____, isOver: _____, ...own } = entry;
  return JSON.stringify(Object.entries(own).sort()) === JSON.stringify(Object.entries(content).sort());
}

/** Whether both have the same kind and server. */
function isOfSame(entry: Notification, content: NotificationContent): boolean {
  const serverOf = (one: NotificationContent) => ('server' in one ? one.server : undefined);
  return entry.kind === content.kind && serverOf(entry) === serverOf(content);
}
