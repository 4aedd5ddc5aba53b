import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openNotifications } from '../../../electron/core/history/notifications.ts';
import type { NotificationContent } from '../../../shared/model/notification.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'notifications-')), 'notifications.json');
const failed = (message: string): NotificationContent => ({
  ...{ kind: 'server-failed', server: 'a', code: 'SERVER_CRASHED', message },
});
const wanted: NotificationContent = { kind: 'tool-wanted', client: 'c', server: 'a', tool: 't' };

async function open(file = newFile()) {
  let time = 0;
  let changes = 0;
  const store = await openNotifications(
    file,
    () => {
      changes += 1;
    },
    () => {
      time += 1;
      return time;
    },
  );
  return { store, file, changes: () => changes };
}

describe('Notifications', () => {
  it('count repeats until the user has read them', async () => {
    const { store } = await open();
    store.happened(wanted);
    store.happened({ kind: 'sign-in', server: 'b' });
    store.happened({ tool: 't', server: 'a', client: 'c', kind: 'tool-wanted' });
    expect(store.list()).toMatchObject([
      { kind: 'tool-wanted', times: 2, at: 3, isRead: false },
      { kind: 'sign-in', times: 1 },
    ]);
    store.read();
    store.happened(wanted);
    expect(store.list().map(({ times }) => times)).toEqual([1, 2, 1]);
  });

  it('report a situation once, and again only if it changes or comes back', async () => {
    const { store, changes } = await open();
    store.continues(failed('one'));
    store.continues(failed('one'));
    store.read();
    store.continues(failed('one'));
    expect(store.list()).toMatchObject([{ message: 'one', isRead: true }]);
    store.continues(failed('two'));
    expect(store.list()).toMatchObject([{ message: 'two', isRead: false }]);
    const before = changes();
    store.ended('server-failed', 'other');
    store.ended('sign-in', 'a');
    expect(changes()).toBe(before);
    store.ended('server-failed', 'a');
    expect(store.list()).toMatchObject([{ isOver: true }]);
    store.continues(failed('two'));
    expect(store.list().map(({ isOver }) => isOver)).toEqual([false, true]);
  });

  it('are read and cleared one by one or all at once, and survive a restart', async () => {
    const { store, file } = await open();
    for (const tool of ['x', 'y', 'z']) store.happened({ ...wanted, tool });
    const [z, y, x] = store.list().map(({ id }) => id);
    store.read([x ?? '']);
    store.clear([y ?? '']);
    await store.close();
    const { store: later } = await open(file);
    expect(later.list()).toMatchObject([
      { id: z, isRead: false },
      { id: x, isRead: true },
    ]);
    later.clear();
    expect(later.list()).toEqual([]);
  });

  it('are limited in number, and start empty after damage to their file', async () => {
    const file = newFile();
    writeFileSync(file, '{"version":1,"entries":[{"kind":"unknown"}]}');
    const { store } = await open(file);
    for (let index = 0; index < 250; index += 1) store.happened({ ...wanted, tool: `t${index}` });
    expect(store.list()).toHaveLength(200);
    expect(store.list()[0]).toMatchObject({ tool: 't249' });
  });

  it('are dropped first if the user has read them', async () => {
    const { store } = await open();
    for (let index = 0; index < 200; index += 1) store.happened({ ...wanted, tool: `t${index}` });
    store.read(
      store
        .list()
        .slice(0, 50)
        .map(({ id }) => id),
    );
    for (let index = 0; index < 50; index += 1) store.happened({ ...wanted, tool: `new${index}` });
    expect(store.list().filter(({ isRead }) => isRead)).toEqual([]);
    expect(store.list()).toHaveLength(200);
  });
});
