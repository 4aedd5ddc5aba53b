/** Events that report changes. UIs then request the new state. */
import * as z from 'zod';
import { callRecordSchema } from '../../model/call.ts';
import { failureSchema } from '../../model/failure.ts';
import { disabledReasonSchema, questionSchema } from '../../model/question.ts';
import { serverViewSchema } from '../../model/server.ts';
import { categorySchema } from '../../model/tool.ts';

const iteration = z.number().optional();
/** The end of a discovery. `phases`, in order, include those of the start only if discovery had to start the server. */
const passed = z.object({
  server: z.string(),
  durationMs: z.number(),
  phases: serverViewSchema.shape.phases,
  iteration,
});

export const events = {
  'servers.changed': z.object({ servers: z.array(z.string()) }),
  /** The server's log has new entries. */
  'servers.logged': z.object({ server: z.string() }),
  'tools.changed': z.object({ servers: z.array(z.string()) }),
  /**
   * Steps of the discovery of a server or of a plug-in's tools. `iteration`: the number of the client's request for which a
   * plug-in listed its tools. `rule`: the plug-in's reliability rule that matched.
   */
  'discovery.started': z.object({ server: z.string(), iteration }),
  'discovery.completed': passed.extend({ toolCount: z.number() }),
  'discovery.failed': passed.extend({ code: z.string(), message: z.string(), rule: z.string().optional() }),
  /** Tools that the catalog did not have before. */
  'tools.registered': z.object({
    server: z.string(),
    tools: z.array(z.object({ tool: z.string(), category: categorySchema, complexity: z.string() })),
  }),
  /** A server (`from`, `to`) or some of its tools report a new version. */
  'servers.updated': z.object({
    server: z.string(),
    from: z.string().optional(),
    to: z.string().optional(),
    tools: z.array(z.object({ tool: z.string(), from: z.string(), to: z.string() })),
  }),
  'rules.changed': z.object({}),
  'config.changed': z.object({ problems: z.array(failureSchema) }),
  /** A client's file, an import or an installation changed. */
  'import.changed': z.object({}),
  /** The list of a registry changed, or its synchronization started or ended. */
  'registry.changed': z.object({}),
  'questions.changed': z.object({ pending: z.number() }),
  /** The state changes of one question, without its answer. */
  'questions.lifecycle': z.object({
    kind: z.enum(['requested', 'responded', 'timeout', 'error']),
    id: z.string(),
    type: questionSchema.shape.kind,
    server: z.string().optional(),
    tool: z.string().optional(),
    action: z.enum(['accept', 'decline', 'cancel']).optional(),
  }),
  /** An agent searched for a disabled tool, and `enableRequests` is `notify`. */
  'tools.enableRequested': z.object({
    client: z.string(),
    server: z.string(),
    tool: z.string(),
    reason: disabledReasonSchema,
  }),
  'clients.changed': z.object({}),
  'core.changed': z.object({}),
  'updates.changed': z.object({}),
  'notifications.changed': z.object({}),
  /** The list of what Toolkeep changed for the user has another entry. */
  'changes.changed': z.object({}),
  'calls.recorded': callRecordSchema,
  /** A call started, ended, reported progress, or began or stopped waiting for the user. */
  'calls.changed': z.object({}),
  'calls.progress': z.object({
    callId: z.string(),
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
} as const;
