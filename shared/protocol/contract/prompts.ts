/** Commands for the prompts and resources of servers. */
import * as z from 'zod';
import {
  offerKindSchema,
  promptViewSchema,
  resourceTemplateViewSchema,
  resourceViewSchema,
} from '../../model/prompt.ts';
import { command, nothing } from './command.ts';

const result = z.record(z.string(), z.unknown());

export const promptCommands = {
  /** The prompts of the last discovery. */
  'prompts.list': command(z.object({ server: z.string() }), z.array(promptViewSchema)),
  /** The server's MCP result. Starts the server if necessary. */
  'prompts.get': command(
    z.object({ server: z.string(), prompt: z.string(), arguments: z.record(z.string(), z.string()) }),
    result,
  ),
  /** The resources and templates of the last discovery. */
  'resources.list': command(
    z.object({ server: z.string() }),
    z.object({ resources: z.array(resourceViewSchema), templates: z.array(resourceTemplateViewSchema) }),
  ),
  /**
   * The server's MCP result. Starts the server if necessary. `uri`: the URI of a listed resource, or one that matches a
   * template.
   */
  'resources.read': command(z.object({ server: z.string(), uri: z.string() }), result),
  /** Accepts the text of a held prompt or resource, as `tools.accept` does. `id`: its name, URI or URI template. */
  'offers.accept': command(
    z.object({ server: z.string(), kind: offerKindSchema, id: z.string(), fingerprint: z.string().optional() }),
    nothing,
  ),
  /**
   * The server's suggestions for an argument of a prompt or a variable of a template; none if the server does not support
   * completions.
   */
  'prompts.complete': command(
    z.object({
      server: z.string(),
      ref: z.union([z.object({ prompt: z.string() }), z.object({ uriTemplate: z.string() })]),
      argument: z.object({ name: z.string(), value: z.string() }),
      /** The other arguments so far. */
      others: z.record(z.string(), z.string()).optional(),
    }),
    z.array(z.string()),
  ),
} as const;
