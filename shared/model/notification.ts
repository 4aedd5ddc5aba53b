/** Notifications: events and situations that Core keeps for the user to read later. */
import * as z from 'zod';
import { failureSchema } from './failure.ts';

const base = {
  id: z.string(),
  /** The time of the last occurrence, in epoch milliseconds. */
  at: z.number(),
  /** The number of occurrences since the user last read the notification. */
  times: z.number(),
  isRead: z.boolean(),
  /** Whether the situation has ended, for example because the server runs again. */
  isOver: z.boolean(),
};
const offered = z.object({ registry: z.string(), name: z.string() });
const call = { client: z.string(), server: z.string(), tool: z.string() };

export const notificationSchema = z.discriminatedUnion('kind', [
  /** A question that no one answered, so the call did not run or the tool got no answer. */
  z.object({
    ...base,
    ...call,
    kind: z.literal('not-answered'),
    asked: z.enum(['approval', 'question', 'enable-request']),
    reason: z.enum(['timeout', 'no-ui', 'too-many']),
  }),
  /** An agent tried to use a disabled tool. */
  z.object({ ...base, ...call, kind: z.literal('tool-wanted') }),
  z.object({
    ...base,
    kind: z.literal('server-failed'),
    server: z.string(),
    code: failureSchema.shape.code,
    /** The failure in one line, redacted. */
    message: z.string(),
  }),
  z.object({ ...base, kind: z.literal('sign-in'), server: z.string() }),
  /** Tools that agents cannot run until the user accepts them. */
  z.object({ ...base, kind: z.literal('tools-held'), server: z.string(), tools: z.array(z.string()) }),
  /** The server (`from`, `to`) or some of its tools report a new version. */
  z.object({
    ...base,
    kind: z.literal('server-updated'),
    server: z.string(),
    from: z.string().optional(),
    to: z.string().optional(),
  }),
  /** The settings file was damaged when Toolkeep started. */
  z.object({ ...base, kind: z.literal('settings-damaged'), file: z.string(), message: z.string() }),
  /** A change of the config file took protection away; `removed` has the old settings and rules. */
  z.object({ ...base, kind: z.literal('protection-removed'), file: z.string(), removed: z.array(z.string()) }),
  /** No tool fits an agent's search, but these servers of the loaded registries may. */
  z.object({
    ...base,
    kind: z.literal('servers-offered'),
    client: z.string(),
    /** Redacted and shortened. */
    query: z.string(),
    servers: z.tuple([offered], offered),
  }),
  /** Servers that appeared in clients' files. */
  z.object({ ...base, kind: z.literal('servers-found'), servers: z.array(z.string()) }),
]);
export type Notification = z.infer<typeof notificationSchema>;
export type NotificationKind = Notification['kind'];

type WithoutBase<N> = N extends unknown ? Omit<N, keyof typeof base> : never;
/** The content of a notification, without its state. */
export type NotificationContent = WithoutBase<Notification>;
