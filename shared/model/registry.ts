/** Registries of servers, their entries, and the plan of an installation. */
import * as z from 'zod';
import { fieldSchema } from './question.ts';

export const registryViewSchema = z.object({
  name: z.string(),
  url: z.string(),
  /** The number of entries in the list on disk. */
  entries: z.number(),
  /** Epoch milliseconds; absent if the list was never read completely. */
  syncedAt: z.number().optional(),
  /** Whether the user enabled this registry. Core contacts no others. */
  isWanted: z.boolean(),
  isSyncing: z.boolean(),
  /** Why the last synchronization failed. */
  failure: z.string().optional(),
});
export type RegistryView = z.infer<typeof registryViewSchema>;

/** One of the ways to reach an entry's server: a package or a remote address. */
export const registryOptionSchema = z.object({
  id: z.string(),
  /** `npm`, `pypi`, `oci`, …; `http` and `sse` for a remote server. */
  kind: z.string(),
  /** The package with its version, or the address. */
  target: z.string(),
  /** Why Toolkeep does not install this option; absent if it does. */
  refused: z.string().optional(),
});

export const registryCardSchema = z.object({
  registry: z.string(),
  /** `namespace/name`. */
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  version: z.string(),
  publishedAt: z.number().optional(),
  updatedAt: z.number().optional(),
  isDeprecated: z.boolean(),
  repository: z.string().optional(),
  options: z.array(registryOptionSchema),
  /** The needs of the preferred option. */
  needs: z.object({
    /** The program that must be installed, such as `npx`. */
    runtime: z.string().optional(),
    secrets: z.number(),
    inputs: z.number(),
    files: z.number(),
    /** The hosts that the server contacts, according to its publisher. Toolkeep does not enforce this. */
    hosts: z.array(z.string()).optional(),
  }),
  /** The server that was installed from this entry, and its version. */
  installed: z.object({ server: z.string(), version: z.string() }).optional(),
});
export type RegistryCard = z.infer<typeof registryCardSchema>;

/** Identifies an installation. Core derives everything else, so that no UI can send a command. */
export const registryChoiceSchema = z.object({
  registry: z.string(),
  name: z.string(),
  /** The latest by default. */
  version: z.string().optional(),
  /** The ID of an option; the best one by default. */
  option: z.string().optional(),
  /** The user's inputs by field name. A field that takes several values has one per line. */
  inputs: z.record(z.string(), z.string()).default({}),
});
export type RegistryChoice = z.input<typeof registryChoiceSchema>;

/** The needs of a server: its inputs, the hosts that its installation contacts, and an install script. */
export const registryWantsSchema = z.object({
  inputs: z.array(z.object({ name: z.string(), kind: fieldSchema.shape.kind })),
  hosts: z.array(z.string()),
  /** The hosts that the server contacts, according to its publisher. */
  declaredHosts: z.array(z.string()).optional(),
  /** The name and the text of the script that its package runs when it is installed. */
  script: z.string().optional(),
});
export type RegistryWants = z.infer<typeof registryWantsSchema>;

/** One item that an update changes, adds (no `before`) or removes (no `after`). */
export const planChangeSchema = z.object({
  what: z.enum(['command', 'variable', 'secret', 'path', 'input', 'host', 'script']),
  before: z.string().optional(),
  after: z.string().optional(),
});
export type PlanChange = z.infer<typeof planChangeSchema>;

export const registryPlanSchema = z.object({
  card: registryCardSchema,
  /** The ID of the option that this plan is for. */
  option: z.string(),
  /** The name of the new server. */
  server: z.string(),
  /** The version that it replaces. */
  replaces: z.string().optional(),
  /** With `replaces`: the differences from the installed version. */
  changes: z.array(planChangeSchema).optional(),
  fields: z.array(fieldSchema),
  /** A message for each missing or invalid input, by field name. */
  problems: z.record(z.string(), z.string()),
  /** The program with its arguments, or the address. Secrets and missing values are written `‹name›`. */
  command: z.array(z.string()),
  isRemote: z.boolean(),
  /** Environment variables or headers. */
  values: z.array(z.object({ name: z.string(), value: z.string(), isSecret: z.boolean() })),
  /** Paths among the inputs. */
  files: z.array(z.string()),
  /** The hosts that the installation itself contacts: the server's, or that of the package registry. */
  hosts: z.array(z.string()),
  /** The hosts that the server contacts, according to its publisher. A server that is not confined can reach others. */
  declaredHosts: z.array(z.string()).optional(),
  /** Whether the local server will run confined, and if not, why. Absent while the inputs are incomplete. */
  confinement: z
    .discriminatedUnion('isConfined', [
      z.object({ isConfined: z.literal(true) }),
      z.object({ isConfined: z.literal(false), reason: z.string() }),
    ])
    .optional(),
  /** The program that the server needs. If `isMissing`, `fix` says how to install it. */
  runtime: z.object({ command: z.string(), isMissing: z.boolean(), fix: z.string() }).optional(),
  /**
   * Whether the package names this entry as its own. `unknown`: not checked, or the check failed. `confirmed` only means that
   * the publisher of the entry and of the package are the same.
   */
  ownership: z.object({ state: z.enum(['confirmed', 'denied', 'unknown']), detail: z.string() }),
  integrity: z.string().optional(),
  warnings: z.array(z.string()),
  /** Why the server cannot be installed, regardless of the inputs. */
  refused: z.string().optional(),
  /** Identifies everything shown. Absent while something prevents the installation. */
  hash: z.string().optional(),
});
export type RegistryPlan = z.infer<typeof registryPlanSchema>;

/** Where an installed server came from. */
export const registryOriginSchema = z.object({
  /** The address of the registry. */
  registry: z.string(),
  name: z.string(),
  version: z.string(),
  option: z.string(),
  /** The package with its version, or the address. */
  target: z.string(),
  integrity: z.string().optional(),
  /** The inputs that are not secret, for updates. */
  inputs: z.record(z.string(), z.string()),
  /** The prefix of its secrets' names in the vault; by default the server's name. */
  owner: z.string().optional(),
  /** The needs that the user saw, for comparison with an update. */
  wants: registryWantsSchema.optional(),
});
export type RegistryOrigin = z.infer<typeof registryOriginSchema>;
