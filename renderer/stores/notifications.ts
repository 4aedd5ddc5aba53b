/** Core's notifications, and the filter of the view. */
import type { Notification } from '../../shared/model/notification.ts';
import { createViewState, type ViewState } from './view-state.ts';

export interface NotificationListState {
  show: 'all' | 'unread';
}

/** True if a notification needs attention: it is unread, and its situation has not ended. */
export const isUnread = ({ isRead, isOver }: Notification): boolean => !isRead && !isOver;

export const createNotificationList = (): ViewState<NotificationListState> =>
  createViewState<NotificationListState>('notifications', { show: 'all' }, {});
