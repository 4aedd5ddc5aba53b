/**
 * The subscriptions of modern clients. The SDK manages their streams and filters what each one receives. This module
 * tracks the subscribed resources, so that Toolkeep can subscribe to them on the servers, and adds tasks, which the
 * SDK does not support.
 */
import { ProtocolError, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import { isObject } from '../../../../shared/is-object.ts';
import type { JsonObject } from '../../types.ts';
import type { ClientSession, GatewayServices, TaskSubscription } from '../services.ts';
import { type ClientInfo, modernClientInfo } from './session.ts';

export type ModernSubscriptions = ReturnType<typeof createModernSubscriptions>;

interface JsonRpcError {
  code: number;
  message: string;
  data?: unknown;
}

interface Subscription {
  tasks?: TaskSubscription | undefined;
  end(): void;
}

/** Added to a subscription to tasks, because the SDK ends a subscription that contains nothing it knows. */
const tasksResource = 'toolkeep://tasks';

/** `send`: sends a notification to the client. */
export function createModernSubscriptions(
  { promptsResources, tasks }: Pick<GatewayServices, 'promptsResources' | 'tasks'>,
  openSession: (client: ClientInfo) => ClientSession,
  send: (notification: { method: string; params: JsonObject }) => void,
) {
  const open = new Map<unknown, Subscription>();

  function begin(id: unknown, params: JsonObject): Subscription | undefined {
    const filter = isObject(params.notifications) ? params.notifications : {};
    const [uris, taskIds] = [stringsIn(filter.resourceSubscriptions), stringsIn(filter.taskIds)];
    if (uris.length === 0 && taskIds.length === 0) return undefined;
    const session = openSession(modernClientInfo(isObject(params._meta) ? params._meta : {}));
    const followed = taskIds.length > 0 ? followTasks(session, id, taskIds) : undefined;
    if (followed) filter.resourceSubscriptions = [...uris, tasksResource];
    // Each subscription has an ID of its own, so that its end does not end another on the same resource.
    const subscriber = { ...session, id: `${session.id}/${String(id)}` };
    const setSubscribed = (isSubscribed: boolean) => {
      // Ignore errors: the SDK cannot refuse a resource that no server offers.
      for (const uri of uris) promptsResources.subscribe(subscriber, uri, isSubscribed).catch(() => undefined);
    };
    setSubscribed(true);
    return {
      tasks: followed,
      end() {
        setSubscribed(false);
        followed?.end();
      },
    };
  }

  function followTasks(session: ClientSession, id: unknown, taskIds: string[]): TaskSubscription | undefined {
    const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
    const tell = (state: JsonObject) => send({ method: 'notifications/tasks', params: { ...state, _meta } });
    const followed = tasks.subscribe(session, taskIds, tell);
    return followed.taskIds.length > 0 ? followed : undefined;
  }

  function end(id: unknown): void {
    open.get(id)?.end();
    open.delete(id);
  }

  return {
    /** Reads a message from the client before the SDK does. Returns an error if the subscription is refused. */
    note(message: unknown): JsonRpcError | undefined {
      const { id, method, params: given } = message as { id?: unknown; method?: unknown; params?: unknown };
      const params = isObject(given) ? given : {};
      if (method === 'notifications/cancelled') end(params.requestId);
      if (method !== 'subscriptions/listen' || id === undefined) return undefined;
      end(id);
      try {
        const subscription = begin(id, params);
        if (subscription) open.set(id, subscription);
        return undefined;
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        return { code: error.code, message: error.message, data: error.data };
      }
    },
    /** Adds the tasks to a message from the SDK that acknowledges a subscription, and starts to follow them. */
    acknowledge<M extends object>(message: M): M {
      const { method, params } = message as { method?: unknown; params?: unknown };
      if (method !== 'notifications/subscriptions/acknowledged' || !isObject(params)) return message;
      const followed = open.get(isObject(params._meta) ? params._meta[SUBSCRIPTION_ID_META_KEY] : undefined)?.tasks;
      if (!followed) return message;
      followed.start();
      const { resourceSubscriptions, ...rest } = params.notifications as JsonObject;
      const uris = stringsIn(resourceSubscriptions).filter((uri) => uri !== tasksResource);
      const notifications = {
        ...rest,
        ...(uris.length > 0 && { resourceSubscriptions: uris }),
        taskIds: followed.taskIds,
      };
      return { ...message, params: { ...params, notifications } };
    },
    /** Ends every subscription of the client. */
    close(): void {
      for (const id of [...open.keys()]) end(id);
    },
  };
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
