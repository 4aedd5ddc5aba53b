/** Events say what changed; faces ask again for what they show. */
import * as z from 'zod';
import {
  callRecordSchema,
  categorySchema,
  failureSchema,
  offReasonSchema,
  questionSchema,
  serverViewSchema,
} from '../model.ts';

/** What a discovery went through: its phases in order, those of the start only when it had to start the server. */
const passed = z.object({ server: z.string(), durationMs: z.number(), phases: serverViewSchema.shape.phases });

export const events = {
  'servers.changed': z.object({ servers: z.array(z.string()) }),
  'tools.changed': z.object({ servers: z.array(z.string()) }),
  /** Steps of the discovery of a server or of a plug-in's tools (requirement rows B16, C6). */
  'discovery.started': z.object({ server: z.string() }),
  'discovery.completed': passed.extend({ toolCount: z.number() }),
  'discovery.failed': passed.extend({ code: z.string(), message: z.string() }),
  /** Tools that were not in the catalog before. */
  'tools.registered': z.object({
    server: z.string(),
    tools: z.array(z.object({ tool: z.string(), category: categorySchema, complexity: z.string() })),
  }),
  /** A server (`from`, `to`) or tools of it say another version than before. */
  'servers.updated': z.object({
    server: z.string(),
    from: z.string().optional(),
    to: z.string().optional(),
    tools: z.array(z.object({ tool: z.string(), from: z.string(), to: z.string() })),
  }),
  'rules.changed': z.object({}),
  'config.changed': z.object({ problems: z.array(failureSchema) }),
  /** A file of another app changed, or what Gatehouse took from it or put into it. */
  'import.changed': z.object({}),
  'questions.changed': z.object({ pending: z.number() }),
  /** The life of one question (requirement row B10), without what was answered. */
  'questions.told': z.object({
    kind: z.enum(['requested', 'responded', 'timeout', 'error']),
    id: z.string(),
    type: questionSchema.shape.kind,
    server: z.string().optional(),
    tool: z.string().optional(),
    action: z.enum(['accept', 'decline', 'cancel']).optional(),
  }),
  /** An agent looked for a tool that is off, and the setting is to notify. */
  'tools.wanted': z.object({ client: z.string(), server: z.string(), tool: z.string(), reason: offReasonSchema }),
  'clients.changed': z.object({}),
  'core.changed': z.object({}),
  'calls.recorded': callRecordSchema,
  'calls.progressed': z.object({
    callId: z.string(),
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
} as const;
