/** The items of the tray's menu, which show names that clients and servers chose. */
import { describe, expect, it, vi } from 'vitest';
import { type TrayActions, type TrayStatus, trayItems } from '../../../electron/desktop/tray-menu.ts';

const status: TrayStatus = {
  ...{ paused: false, servers: 2, enabledTools: 9, questions: [], calls: [], update: { state: 'current' } },
};
type Call = TrayStatus['calls'][number];
const call: Call = {
  ...{ id: 'a', at: Date.now(), client: 'Cursor', server: 'github', tool: 'create_issue', outcome: 'ok' },
};
const actions: TrayActions = { openWindow() {}, openLogs() {}, setStartsAtLogin() {}, quit() {}, pause() {} };
const login = { isEnabled: false, needsApproval: false };
const items = (changes: Partial<TrayStatus> = {}) => trayItems({ ...status, ...changes }, login, actions);
const labels = (changes: Partial<TrayStatus> = {}) => items(changes).map(({ label }) => label);
function latest(changes: Partial<Call>): string | undefined {
  const menu = items({ calls: [{ ...call, ...changes }] }).find(({ label }) => label === 'Latest Calls');
  return Array.isArray(menu?.submenu) ? menu.submenu[0]?.label : undefined;
}

describe('The tray’s menu', () => {
  it('has no entry for a question or a call that does not exist', () => {
    expect(labels().slice(0, 5)).toEqual([
      'Open Toolkeep',
      '9 tools from 2 servers',
      undefined,
      'Pause All Tools',
      'Pause for a Time',
    ]);
  });

  it('names the oldest open question, and how many are waiting', () => {
    const from = { client: 'Cursor', server: 'mail', tool: 'send' };
    const questions = [
      { id: 'q/1', from },
      { id: 'q2', from: {} },
    ];
    expect(labels({ questions }).slice(1, 3)).toEqual(['2 questions are waiting', 'Answer Cursor: mail › send…']);
    expect(labels({ questions: questions.slice(1) })[2]).toBe('Answer…');
  });

  it('opens the question that its item names', () => {
    const openWindow = vi.fn();
    const questions = [{ id: 'q/1', from: {} }];
    const menu = trayItems({ ...status, questions }, login, { ...actions, openWindow });
    menu.find(({ label }) => label === 'Answer…')?.click?.({} as never, undefined, {} as never);
    expect(openWindow).toHaveBeenCalledExactlyOnceWith('#/question/q%2F1');
  });

  it('tells the outcome of a call unless it succeeded', () => {
    expect(latest({})).toMatch(/ · Cursor: github › create_issue$/);
    expect(latest({ outcome: 'refused' })).toMatch(/ · refused$/);
    expect(latest({ outcome: 'tool-error' })).toMatch(/ · failed$/);
  });

  it('keeps a name from becoming a key, a second line or a long line', () => {
    expect(latest({ client: 'A&B', server: 'x\n\u202E\u2028y' })).toMatch(/ · A&&B: x y › create_issue$/);
    expect(latest({ server: '😀'.repeat(300) })).toMatch(/😀 · |😀$/u);
    expect(latest({ server: 'x'.repeat(300) })?.length).toBeLessThan(90);
  });

  it('says when a pause ends, and then offers no other end', () => {
    const pausedUntil = new Date(2030, 0, 2, 15, 15).getTime();
    expect(labels({ paused: true, pausedUntil })).toContainEqual(
      expect.stringMatching(/^Paused until .*2030.*3:15.*: no tool can run$/),
    );
    expect(labels({ paused: true })).not.toContain('Pause for a Time');
  });
});
