/** Commands for Core itself, its clients and its settings. */
import * as z from 'zod';
import { clientViewSchema, routingSchema } from '../../model/call.ts';
import { discoveryStateSchema } from '../../model/config-state.ts';
import { attentionSchema, setupStepSchema } from '../../model/home.ts';
import { installationSchema } from '../../model/installation.ts';
import { vaultViewSchema } from '../../model/secret.ts';
import { historyMonthsSchema, resultDaysSchema } from '../../model/setting.ts';
import { trustStatusSchema } from '../../model/trust.ts';
import { command, nothing } from './command.ts';

/** A week. */
const maxPauseMinutes = 7 * 24 * 60;

const settingsSchema = z.object({
  /**
   * How Toolkeep responds when an agent requests a disabled tool: not at all, with a notification to the user, or by asking
   * the user whether to enable it.
   */
  enableRequests: z.enum(['never', 'notify', 'ask']),
  /** Months of history to keep; 0 keeps all. */
  historyMonths: historyMonthsSchema,
  /** Days to keep the results of calls; 0 keeps them until Toolkeep quits. */
  resultDays: resultDaysSchema,
  /** Maximum number of characters of a tool result that a client gets at once; 0 forwards every result whole. */
  maxResultCharacters: z.union([z.literal(0), z.number().int().min(1_000)]),
  /** Timeout of a question to the user, in milliseconds. */
  questionTimeoutMs: z.number().min(0),
  /** Whether clients may connect over HTTP. */
  http: z.boolean(),
  /** Whether the desktop app looks for new versions and installs them. */
  updates: z.boolean(),
});

export const coreCommands = {
  'core.status': command(
    nothing,
    z.object({
      version: z.string(),
      paused: z.boolean(),
      /** When the pause ends automatically, in epoch milliseconds. Absent if it lasts until the user resumes. */
      pausedUntil: z.number().optional(),
      /** Sentences about what keeps every tool from running now. */
      standstill: z.array(z.string()),
      startedAt: z.number(),
      dataDir: z.string(),
      homeDir: z.string(),
      /** How secrets are stored. `persistent: false`: in memory, until Toolkeep quits. */
      vault: vaultViewSchema,
      /** How a client starts the bridge. */
      bridge: z.object({
        command: z.string(),
        args: z.array(z.string()),
        env: z.record(z.string(), z.string()).optional(),
      }),
      /** The certificates that connections trust, and the proxy that the environment names, without its password. */
      network: z.object({
        certificates: z.enum(['bundled', 'system']),
        /** The file that `NODE_EXTRA_CA_CERTS` names. */
        extraCertificates: z.string().optional(),
        proxy: z.object({ url: z.string(), isUsed: z.boolean() }).optional(),
      }),
      /** The endpoint for clients that use streamable HTTP; each client needs a token (`tokens.create`). */
      http: z.object({ url: z.string() }).optional(),
      /** The configuration of the folder that Core was started in. Ignored unless its status is `trusted`. */
      folder: z.object({ path: z.string(), file: z.string().optional(), status: trustStatusSchema }).optional(),
      clients: z.array(clientViewSchema),
      /** The number of calls that wait for their client to fetch the result, whether or not the user has answered. */
      parkedCalls: z.number(),
      discovery: discoveryStateSchema,
      servers: z.number(),
      tools: z.number(),
      enabledTools: z.number(),
      /** The step at which the first-run setup continues. Also `done` if servers were configured without it. */
      setupStep: setupStepSchema,
    }),
  ),
  /** How Toolkeep runs on this computer, and the checks of the last smoke run. */
  'core.installation': command(nothing, installationSchema),
  /** Redacted diagnostics for a bug report: versions, system, configuration, servers, failures and the end of the log. */
  'core.diagnostics': command(nothing, z.object({ text: z.string() })),
  /** Saves the current step of the first run. */
  'core.setup': command(z.object({ step: setupStepSchema }), nothing),
  /** Items that need attention, apart from open questions; most urgent first. */
  'attention.list': command(nothing, z.array(attentionSchema)),
  /** Replaces the current pause. A pause with `minutes` ends automatically; any other lasts until the user resumes. */
  'core.pause': command(
    z.object({ paused: z.boolean(), minutes: z.number().positive().max(maxPauseMinutes).optional() }),
    nothing,
  ),
  /** The display names of known clients, by the name that each client reports. */
  'clients.names': command(nothing, z.record(z.string(), z.string())),
  /** `client` is the client's own name; a null routing restores the configured one. */
  'clients.setRouting': command(z.object({ client: z.string(), routing: routingSchema.nullable() }), nothing),
  /** Lets a client send many calls at once; null restores what the config file says. */
  'clients.setBatch': command(z.object({ client: z.string(), enabled: z.boolean().nullable() }), nothing),
  /** The effective settings: those chosen in a window, otherwise those of the config file. */
  'settings.show': command(nothing, settingsSchema),
  'settings.save': command(
    settingsSchema.partial().extend({ questionTimeoutMs: z.number().int().min(10_000).max(86_400_000).optional() }),
    nothing,
  ),
} as const;
