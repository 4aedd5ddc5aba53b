/** Commands on tools, and finding them. */
import * as z from 'zod';
import {
  categorySchema,
  clientFitSchema,
  lessonSchema,
  safetyLevelSchema,
  searchHitSchema,
  toolSummarySchema,
  toolViewSchema,
} from '../model.ts';
import { command, nothing, toolRef } from './command.ts';

export const toolsCommands = {
  /** The agent's search: relevance order, enabled tools only. */
  'tools.search': command(
    z.object({ query: z.string(), server: z.string().optional(), limit: z.number().int().min(1).max(100).optional() }),
    z.array(searchHitSchema),
  ),
  /** The person's list: filters and sorts (requirement row B7). */
  'tools.list': command(
    z.object({
      server: z.string().optional(),
      servers: z.array(z.string()).optional(),
      /** Part of the server, name, title or description. */
      text: z.string().optional(),
      /** Part of the name or title. */
      name: z.string().optional(),
      /** Words of the description, all of them. */
      description: z.string().optional(),
      category: categorySchema.optional(),
      safetyLevel: safetyLevelSchema.optional(),
      tag: z.string().optional(),
      readOnly: z.boolean().optional(),
      destructive: z.boolean().optional(),
      idempotent: z.boolean().optional(),
      openWorld: z.boolean().optional(),
      requiresConfirmation: z.boolean().optional(),
      /** Only tools that an agent can run now. */
      available: z.boolean().optional(),
      includeDisabled: z.boolean().optional(),
      sortBy: z.enum(['name', 'callCount', 'successRate', 'averageTime']).optional(),
      sortDirection: z.enum(['asc', 'desc']).optional(),
      limit: z.number().int().min(1).optional(),
    }),
    z.array(toolSummarySchema),
  ),
  'tools.details': command(toolRef, toolViewSchema),
  /** For each connected client that is offered the server, whether it can make use of the tool, and what is in the way (requirement row B13). */
  'tools.compatibility': command(toolRef, z.array(clientFitSchema)),
  /**
   * Runs a tool as the person: same rules and checks as for an agent. Output is the MCP result as the server gave it.
   * With a `callId` of the caller's choice its progress is told by `calls.progressed`, and it can be cancelled.
   */
  'tools.execute': command(
    toolRef.extend({ arguments: z.record(z.string(), z.unknown()), callId: z.string().max(100).optional() }),
    z.record(z.string(), z.unknown()),
  ),
  'tools.cancel': command(z.object({ callId: z.string() }), nothing),
  /** Accepts the changed definition of a tool that was held back. */
  'tools.accept': command(toolRef, nothing),
  /** Newest first. */
  'search.aliases': command(nothing, z.array(lessonSchema)),
  /** "This was the right tool": raises it for this query and queries like it (requirement row N7). */
  'search.teach': command(toolRef.extend({ query: z.string().trim().min(1).max(1000) }), nothing),
  'search.forget': command(z.object({ id: z.string() }), z.object({ forgotten: z.boolean() })),
} as const;
