/** The files that a confined server may read and write, and the hosts that it may reach. */
import * as z from 'zod';
import { failureSchema } from './failure.ts';

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

/** A host that receives a secret. Wildcards are left out: the user knows each host that does. */
const secretHost = host.regex(/^[^*]/, 'a host without a wildcard, such as "api.github.com"');
/** More hosts than one service has. */
export const maxSecretHosts = 5;

/** Where requests to these hosts have the secret. By default in any header. */
const secretPlace = z
  .string()
  .max(300)
  .regex(/^(?:header|query|path):./, 'a place such as "header:authorization", "query:key" or "path:/bot"');

const limitsSchema = z.strictObject({
  /** Also allows what the server's configuration suggests, and asks about each other host. */
  auto: z.boolean().optional(),
  files: z
    .strictObject({ read: z.array(path).max(100).default([]), write: z.array(path).max(100).default([]) })
    .prefault({}),
  network: z
    .strictObject({
      allow: z.array(host).max(100).default([]),
      /** Whether an allowed name may lead to this computer or the local network. */
      local: z.boolean().optional(),
    })
    .prefault({}),
  /** By the name of the variable that holds the secret. `hold`: the server gets the secret itself. */
  secrets: z
    .record(
      z.string().min(1).max(200),
      z.strictObject({
        hosts: z.array(secretHost).max(maxSecretHosts).optional(),
        places: z.array(secretPlace).max(maxSecretHosts).optional(),
        hold: z.boolean().optional(),
      }),
    )
    .optional(),
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

/** The part that remains of limits that the author of a file has chosen, who could leave the server almost unconfined. */
export const strictSandbox = (sandbox: Sandbox | undefined): Sandbox | undefined =>
  sandbox === true || sandbox === 'auto' ? sandbox : undefined;

/** The limits that the configuration gives. Undefined if the server is not to be confined. */
export function sandboxLimits(sandbox: Sandbox | undefined): SandboxLimits | undefined {
  if (sandbox === 'auto') return limitsSchema.parse({ auto: true });
  return sandbox === true ? limitsSchema.parse({}) : sandbox || undefined;
}

const reportedHostSchema = z.object({
  /** With its port. */
  address: z.string(),
  reached: z.number(),
  refused: z.number(),
  /** Epoch milliseconds. */
  firstAt: z.number(),
  lastAt: z.number(),
  /** The names of the secrets that it received. */
  secrets: z.array(z.string()),
});
export type ReportedHost = z.infer<typeof reportedHostSchema>;

/** The limits of a confined server, and the hosts that it reached since Toolkeep started. */
export const confinementReportSchema = z.object({
  may: z.object({
    /** Files and folders besides those of the system. */
    read: z.array(z.string()),
    write: z.array(z.string()),
    reach: z.array(z.string()),
    /** Whether it may ask for further hosts. */
    ask: z.boolean(),
  }),
  hosts: z.array(reportedHostSchema),
  /** Folders that calls named, and that the server did not see. */
  refusedFolders: z.array(z.string()),
  /** The secrets that the server has itself. */
  held: z.array(z.object({ name: z.string(), reason: z.string() })),
  /** The names of the secrets in whose place the server has made-up values. */
  standIns: z.array(z.string()),
});
export type ConfinementReport = z.infer<typeof confinementReportSchema>;

/** The result of starting a server confined, to compare its tools with those that it lists unconfined. */
export const confinementTrialSchema = z.object({
  /** Tools that only one of the two lists has, or whose definitions differ. */
  different: z.array(z.string()),
  /** The number of other tools. */
  same: z.number(),
  /** Why the confined server listed nothing. */
  failure: failureSchema.optional(),
});
export type ConfinementTrial = z.infer<typeof confinementTrialSchema>;
