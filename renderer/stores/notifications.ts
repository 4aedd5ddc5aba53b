/** The notifications of Core, and which of them the view shows. */
import type { Notification } from '../../shared/model/notification.ts';
import { createViewState, type ViewState } from './view-state.ts';

export interface NotificationListState {
  show: 'all' | 'unread';
}

/** A situation that has ended needs no attention, read or not. */
export const isUnread = ({ isRead, isOver }: Notification): boolean => !isRead && !isOver;

export const createNotificationList = (): ViewState<NotificationListState> =>
  createViewState<NotificationListState>('notifications', { show: 'all' }, {});
