/** The log of a server: what it printed, the MCP messages on its connection, and its starts and stops. */
import * as z from 'zod';

/** `stdout`: output that is not an MCP message. `sent`, `received`: MCP messages, as Toolkeep sees them. */
export const logKindSchema = z.enum(['state', 'stderr', 'stdout', 'sent', 'received']);
export type LogKind = z.infer<typeof logKindSchema>;

export const logEntrySchema = z.object({
  /** The number of the entry in the server's log. */
  id: z.number(),
  /** Epoch milliseconds. */
  at: z.number(),
  kind: logKindSchema,
  /** The line, or a summary of the message such as `tools/call read_file`. Redacted, as is `message`. */
  text: z.string(),
  /** The message as JSON, truncated if it is long. */
  message: z.string().optional(),
  isShortened: z.boolean().optional(),
  /** A failed start, an error response, or a result with `isError`. */
  isError: z.boolean().optional(),
});
export type LogEntry = z.infer<typeof logEntrySchema>;
