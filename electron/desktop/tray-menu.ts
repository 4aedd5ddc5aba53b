/** The items of the tray's menu: the state, an open question, the latest calls, the pause, and the app itself. */

import type { MenuItemConstructorOptions } from 'electron';
import { addressOf } from '../../shared/address.ts';
import type { CallRecord } from '../../shared/model/call.ts';
import type { Question } from '../../shared/model/question.ts';
import type { UpdateView } from '../../shared/model/update.ts';
import { moment } from '../../shared/moment.ts';
import { minutesToTomorrow } from '../../shared/tomorrow.ts';
import { callText } from './call-text.ts';
import { t } from './text.ts';

/** The state of Core that the menu shows. */
export interface TrayStatus {
  paused: boolean;
  /** Epoch milliseconds; absent unless the user chose the end of the pause. */
  pausedUntil?: number | undefined;
  servers: number;
  enabledTools: number;
  questions: readonly Pick<Question, 'id' | 'from'>[];
  /** Newest first. */
  calls: readonly (Pick<CallRecord, 'id' | 'at' | 'outcome'> & Question['from'])[];
  update: UpdateView | undefined;
}

export interface TrayActions {
  /** `route`: the address of a view. */
  openWindow(route?: string): void;
  openLogs(): void;
  setStartsAtLogin(isWanted: boolean): void;
  quit(): void;
  /** Without `minutes`, until the user resumes. Missing until Core has started. */
  pause?(paused: boolean, minutes?: number): void;
  /** Requests a restart that installs the update, or cancels the request. */
  restart?(wanted: boolean): void;
}

export interface LoginState {
  isEnabled: boolean;
  needsApproval: boolean;
}

export function trayItems(
  status: TrayStatus | undefined,
  { isEnabled, needsApproval }: LoginState,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const isPaused = status?.paused ?? false;
  return [
    { label: t('Open Toolkeep'), click: () => actions.openWindow() },
    { label: status ? summary(status) : t('Starting…'), enabled: false },
    ...questionItems(status, actions),
    ...callItems(status, actions),
    { type: 'separator' },
    {
      label: t('Pause All Tools'),
      type: 'checkbox',
      checked: isPaused,
      enabled: actions.pause !== undefined,
      // Electron toggles the item before it calls the handler.
      click: ({ checked }) => actions.pause?.(checked),
    },
    ...(status && !isPaused ? [pauseItem(actions)] : []),
    {
      label: needsApproval ? t('Start at Login (Allow It in System Settings)') : t('Start at Login'),
      type: 'checkbox',
      checked: isEnabled,
      click: ({ checked }) => actions.setStartsAtLogin(checked),
    },
    { type: 'separator' },
    ...updateItems(status?.update, actions),
    { label: t('Open Log Folder'), click: actions.openLogs },
    { label: t('Quit Toolkeep'), click: actions.quit },
  ];
}

function questionItems(status: TrayStatus | undefined, actions: TrayActions): MenuItemConstructorOptions[] {
  const [first] = status?.questions ?? [];
  if (!first) return [];
  const call = plain(callText(first.from));
  const label = call ? t('Answer {call}…', { call }) : t('Answer…');
  return [{ label, click: () => actions.openWindow(addressOf('question', first.id)) }];
}

function callItems(status: TrayStatus | undefined, actions: TrayActions): MenuItemConstructorOptions[] {
  if (!status || status.calls.length === 0) return [];
  const submenu = status.calls.map((call) => ({
    label: [moment(call.at), plain(callText(call)), outcomeText(call.outcome)].filter(Boolean).join(' · '),
    click: () => actions.openWindow(addressOf('history', call.id)),
  }));
  return [{ label: t('Latest Calls'), submenu }];
}

function outcomeText(outcome: CallRecord['outcome']): string | undefined {
  if (outcome === 'refused') return t('refused');
  return outcome === 'ok' ? undefined : t('failed');
}

function pauseItem({ pause }: TrayActions): MenuItemConstructorOptions {
  return {
    label: t('Pause for a Time'),
    submenu: [
      { label: t('For 15 Minutes'), click: () => pause?.(true, 15) },
      { label: t('For 1 Hour'), click: () => pause?.(true, 60) },
      { label: t('Until Tomorrow'), click: () => pause?.(true, minutesToTomorrow()) },
    ],
  };
}

function updateItems(update: UpdateView | undefined, { restart }: TrayActions): MenuItemConstructorOptions[] {
  const { state, version = '' } = update ?? {};
  if (state === 'ready')
    return [{ label: t('Restart to Update to {version}', { version }), click: () => restart?.(true) }];
  if (state === 'waiting') return [{ label: t('Cancel Restart'), click: () => restart?.(false) }];
  return [];
}

export function toolTip({ paused, questions }: TrayStatus): string {
  if (questions.length > 0) return t('Toolkeep: {state}', { state: waitingText(questions.length) });
  return paused ? t('Toolkeep (paused)') : 'Toolkeep';
}

function summary({ servers, enabledTools, questions, paused, pausedUntil }: TrayStatus): string {
  if (questions.length > 0) return waitingText(questions.length);
  if (paused && pausedUntil !== undefined)
    return t('Paused until {time}: no tool can run', { time: moment(pausedUntil) });
  if (paused) return t('Paused: no tool can run');
  return t('{tools, plural, one {# tool} other {# tools}} from {servers, plural, one {# server} other {# servers}}', {
    tools: enabledTools,
    servers,
  });
}

const waitingText = (count: number) =>
  t('{count, plural, one {# question is waiting} other {# questions are waiting}}', { count });

/** Names come from clients and servers. An ampersand would mark a letter of the menu as its key. */
const plain = (text: string) =>
  [...text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ')].slice(0, 60).join('').replaceAll('&', '&&');
