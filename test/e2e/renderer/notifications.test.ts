/** The notifications in the window. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

type Offered = { registry: string; name: string };

describe('The notifications', () => {
  it('are counted in the navigation, and each leads to its next step', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('link', { name: 'Notifications 3 unread' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'create_issue did not run: no one answered in time' });
    await row.getByText('3 times').waitFor();
    await row.getByText('Claude Desktop → github').waitFor();
    expect(await findings(page)).toEqual([]);
    await row.getByRole('link', { name: /^Show tool/ }).click();
    await page.getByRole('heading', { name: 'create_issue' }).waitFor();
    await page.getByRole('link', { name: 'Notifications 2 unread' }).waitFor();
    expect(core.state.notifications.filter(({ isRead }) => !isRead).map(({ id }) => id)).toEqual(['n2', 'n3', 'n6']);
  });

  it('are read and cleared by keyboard, and new ones appear at once', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+8');
    await page.getByRole('button', { name: 'Mark as read: postgres failed' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Notifications 2 unread' }).waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('All read').waitFor();
    await page.getByRole('button', { name: 'Clear: postgres failed' }).click();
    await page.getByRole('button', { name: 'Clear read' }).click();
    await page.getByText('No notifications').waitFor();
    expect(core.state.notifications).toEqual([]);

    const call = { client: 'Cursor', server: 'slack', tool: 'post', asked: 'question', reason: 'timeout' } as const;
    const state = { id: 'x', at: Date.now(), times: 1, isRead: false, isOver: false };
    core.state.notifications = [{ ...state, ...call, kind: 'not-answered' }];
    core.emit('notifications.changed', {});
    await page.getByText('A question from post was not answered: no one answered in time').waitFor();

    const servers: [Offered, Offered] = [
      { registry: 'official', name: 'io.github.acme/flights' },
      { registry: 'official', name: 'com.example/travel' },
    ];
    core.state.notifications = [
      { ...state, kind: 'servers-offered', client: 'Cursor', query: 'book a flight', servers },
    ];
    core.emit('notifications.changed', {});
    await page.getByText('No tool fits what Cursor looked for: book a flight').waitFor();
    await page.getByText('Servers that may: io.github.acme/flights and com.example/travel').waitFor();
    const step = page.getByRole('link', { name: /^Show server: No tool fits/ });
    expect(await step.getAttribute('href')).toBe('#/browse/official/io.github.acme%2Fflights');
  });

  it('that are resolved need no attention, and can be hidden', async () => {
    const { page } = await tests.open('notifications');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'sentry needed you to sign in' })
      .getByText('Resolved')
      .waitFor();
    await page.getByRole('radio', { name: 'Unread (3)' }).check();
    await expect.poll(() => page.getByRole('main').getByRole('listitem').count()).toBe(3);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('No unread notifications').waitFor();
    await page.getByRole('button', { name: 'Show 7 earlier notifications' }).click();
    await expect.poll(() => page.getByRole('main').getByRole('listitem').count()).toBe(7);
  });

  it('are reached from Home in a narrow window', async () => {
    const { page } = await tests.open('home', { viewport: { width: 380, height: 740 } });
    await page.getByRole('link', { name: 'Home 3 unread notifications' }).waitFor();
    await page.getByRole('link', { name: '3 notifications' }).click();
    await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    expect(await findings(page)).toEqual([]);
  });
});
