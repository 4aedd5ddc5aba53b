/** The part of the sample Core for notifications. */
import type { Notification } from '../../../shared/model/notification.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { SampleCore } from './sample-core.ts';

type Handlers = Pick<CommandHandlers, 'notifications.list' | 'notifications.read' | 'notifications.clear'>;

export function createSampleNotifications(
  state: { notifications: Notification[] },
  emit: SampleCore['emit'],
): Handlers {
  const isIn = (ids: string[] | undefined, id: string) => ids?.includes(id) ?? true;
  return {
    'notifications.list': () => structuredClone(state.notifications),
    'notifications.read': ({ ids }) => {
      for (const one of state.notifications) if (isIn(ids, one.id)) one.isRead = true;
      emit('notifications.changed', {});
    },
    'notifications.clear': ({ ids }) => {
      state.notifications = state.notifications.filter(({ id }) => !isIn(ids, id));
      emit('notifications.changed', {});
    },
  };
}

const minute = 60_000;

export function sampleNotifications(now: number): Notification[] {
  const base = { times: 1, isRead: false, isOver: false };
  const call = { client: 'claude-ai', server: 'github' };
  return [
    {
      ...{ ...base, ...call, id: 'n1', at: now - 2 * minute, kind: 'not-answered', tool: 'create_issue' },
      ...{ times: 3, asked: 'approval', reason: 'timeout' },
    },
    {
      ...{ ...base, id: 'n2', at: now - 9 * minute, kind: 'server-failed', server: 'postgres' },
      ...{ code: 'SERVER_SPAWN_FAILED', message: 'The command “uvx” was not found on PATH.' },
    },
    { ...base, id: 'n3', at: now - 20 * minute, kind: 'tools-held', server: 'github', tools: ['create_issue'] },
    { ...base, ...call, id: 'n4', at: now - 30 * minute, isRead: true, kind: 'tool-wanted', tool: 'delete_repository' },
    {
      ...base,
      id: 'n5',
      at: now - 1_500 * minute,
      isRead: true,
      kind: 'servers-found',
      servers: ['sequential-thinking'],
    },
    { ...base, id: 'n6', at: now - 1_600 * minute, isOver: true, kind: 'sign-in', server: 'sentry' },
    {
      ...base,
      id: 'n7',
      at: now - 1_700 * minute,
      isRead: true,
      kind: 'server-updated',
      server: 'memory',
      from: '1.0.3',
      to: '1.1.0',
    },
  ];
}
