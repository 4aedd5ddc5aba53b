/** Commands for tools and for searching them. */
import * as z from 'zod';
import { callStatisticsSchema } from '../../model/call.ts';
import { searchFeedbackSchema } from '../../model/search.ts';
import {
  categorySchema,
  clientFitSchema,
  confirmSchema,
  destinationsSchema,
  safetyLevelSchema,
  searchHitSchema,
  toolSummarySchema,
  toolViewSchema,
} from '../../model/tool.ts';
import { command, nothing, toolRef } from './command.ts';

export const toolsCommands = {
  /** The agent's search: enabled tools only, by relevance. */
  'tools.search': command(
    z.object({ query: z.string(), server: z.string().optional(), limit: z.number().int().min(1).max(100).optional() }),
    z.array(searchHitSchema),
  ),
  /** The user's list, filtered and sorted. */
  'tools.list': command(
    z.object({
      server: z.string().optional(),
      servers: z.array(z.string()).optional(),
      /** A substring of the server, name, title or description. */
      text: z.string().optional(),
      /** A substring of the name or title, or a glob or `/regex/` for the name, as in rules. */
      name: z.string().optional(),
      /** Words that must all occur in the description. */
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
      /** Adds `explained` to each tool. */
      explain: z.boolean().optional(),
      sortBy: z.enum(['name', 'callCount', 'successRate', 'averageTime']).optional(),
      sortDirection: z.enum(['asc', 'desc']).optional(),
      /** The number of tools to skip, to read a long list in parts. */
      offset: z.number().int().min(0).optional(),
      limit: z.number().int().min(1).optional(),
    }),
    z.array(toolSummarySchema),
  ),
  /** The figures of the tools that were called, without the others. */
  'tools.usage': command(nothing, z.array(z.object({ key: z.string(), calls: callStatisticsSchema }))),
  'tools.details': command(toolRef, toolViewSchema),
  /** How well each connected client that can see the server can use the tool. */
  'tools.compatibility': command(toolRef, z.array(clientFitSchema)),
  /**
   * Runs a tool for the user, with the same rules and checks as for an agent. The output is the server's MCP result.
   * With a `callId`, `calls.progress` reports its progress and `tools.cancel` cancels it.
   */
  'tools.execute': command(
    toolRef.extend({ arguments: z.record(z.string(), z.unknown()), callId: z.string().max(100).optional() }),
    z.record(z.string(), z.unknown()),
  ),
  /** Runs many calls in order after one question at most. The output is one MCP result with a line for each call. */
  'tools.executeMany': command(
    z.object({
      calls: z
        .array(toolRef.extend({ arguments: z.record(z.string(), z.unknown()).default({}) }))
        .min(1)
        .max(100),
      /** After a call that fails, the rest does not run. */
      stopOnError: z.boolean(),
      callId: z.string().max(100).optional(),
    }),
    z.record(z.string(), z.unknown()),
  ),
  'tools.cancel': command(z.object({ callId: z.string() }), nothing),
  /** Accepts a held tool. Rejects with TOOL_HELD_BACK if its definition is not the one with the fingerprint, which the user saw. */
  'tools.accept': command(toolRef.extend({ fingerprint: z.string().optional() }), nothing),
  /**
   * Sets in one step whether a tool is enabled and whether its calls and new destinations need approval, with precedence over all rules. null
   * removes the user's choice, so that the rules decide; an absent field stays unchanged.
   */
  'tools.setPolicy': command(
    toolRef.extend({
      enabled: z.boolean().nullable().optional(),
      confirm: confirmSchema.nullable().optional(),
      destinations: destinationsSchema.nullable().optional(),
    }),
    nothing,
  ),
  /** Enables or disables many tools at once, or removes the user's choice with null. */
  'tools.setPolicies': command(
    z.object({ tools: z.array(toolRef).min(1).max(20_000), enabled: z.boolean().nullable() }),
    nothing,
  ),
  /** Newest first. */
  'search.feedback.list': command(nothing, z.array(searchFeedbackSchema)),
  /** Records the user's "this was the right tool", which ranks it higher for this query and similar ones. */
  'search.feedback.add': command(toolRef.extend({ query: z.string().trim().min(1).max(1000) }), nothing),
  'search.feedback.remove': command(z.object({ id: z.string() }), z.object({ forgotten: z.boolean() })),
} as const;
