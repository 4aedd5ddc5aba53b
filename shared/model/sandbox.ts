/** The files that a confined server may read and write, and the hosts that it may reach. */
import * as z from 'zod';

/** An absolute folder or file, or one in the home folder. */
const path = z
  .string()
  .max(4_096)
  .regex(/^(?:\/|~\/)[^\0]+$/, 'an absolute path, or one that starts with "~/"');

/** A host name, all hosts below one, or an IPv4 address, with an optional port. */
const host = z
  .string()
  .max(260)
  .regex(
    /^(?:\*\.)?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*(?::[1-9]\d{0,4})?$/i,
    'a host such as "api.github.com", "*.github.com" or "api.github.com:8443"',
  );

const limitsSchema = z.strictObject({
  files: z
    .strictObject({ read: z.array(path).max(100).default([]), write: z.array(path).max(100).default([]) })
    .prefault({}),
  network: z.strictObject({ allow: z.array(host).max(100).default([]) }).prefault({}),
});
export type SandboxLimits = z.output<typeof limitsSchema>;

/**
 * `true` confines the server to its own files, without a network; an object allows more. `auto` allows what the server's
 * configuration suggests, and asks about each other host. Absent or false: unconfined.
 */
export const sandboxSchema = z.union([z.boolean(), z.literal('auto'), limitsSchema], {
  error: 'true, "auto", or an object such as { files: { write: ["~/notes"] }, network: { allow: ["api.github.com"] } }',
});
export type Sandbox = z.output<typeof sandboxSchema>;

/** The limits that the configuration gives. Undefined if the server is not to be confined. */
export function sandboxLimits(sandbox: Exclude<Sandbox, 'auto'> | undefined): SandboxLimits | undefined {
  return sandbox === true ? limitsSchema.parse({}) : sandbox || undefined;
}
