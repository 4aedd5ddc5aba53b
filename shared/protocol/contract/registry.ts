/** Commands that find servers in registries and install them. */
import * as z from 'zod';
import {
  registryCardSchema,
  registryChoiceSchema,
  registryOriginSchema,
  registryPlanSchema,
  registryViewSchema,
} from '../../model/registry.ts';
import { command, nothing, uploadPartSchema } from './command.ts';

const planInput = registryChoiceSchema.extend({
  /** The installed server to replace with another version of the same entry. */
  replace: z.string().optional(),
});

const bundleInput = z.object({
  /** An absolute path. */
  file: z.string(),
  inputs: registryChoiceSchema.shape.inputs,
});

export const registryCommands = {
  'registry.list': command(nothing, z.array(registryViewSchema)),
  /** Reads the lists from the network, and allows Toolkeep to keep them up to date while the user browses. */
  'registry.sync': command(z.object({ registry: z.string().optional() }), nothing),
  /** Searches the lists on disk. An empty query returns the latest entries. */
  'registry.search': command(
    z.object({ query: z.string().max(500), limit: z.number().int().min(1).max(200).default(30) }),
    z.object({ cards: z.array(registryCardSchema), total: z.number() }),
  ),
  /** The entry and its options. Needs no network for the latest version. */
  'registry.show': command(
    registryChoiceSchema.pick({ registry: true, name: true, version: true }),
    registryCardSchema,
  ),
  /** Plans an installation. `check` asks the package registry about the package; nothing else leaves the computer. */
  'registry.plan': command(planInput.extend({ check: z.boolean().default(false) }), registryPlanSchema),
  /**
   * Installs exactly what the plan with this hash showed, and starts it. Fails with INSTALL_REFUSED if anything has changed
   * since. An update holds new and changed tools until the user accepts them.
   */
  'registry.install': command(planInput.extend({ hash: z.string() }), z.object({ server: z.string() })),
  /** Reverts to the version that the last update replaced, and accepts the tools that were accepted then. */
  'registry.revert': command(z.object({ server: z.string() }), z.object({ version: z.string() })),
  /** The installed servers that came from a registry, with the latest version of their entry in the list on disk. */
  'registry.installed': command(
    nothing,
    z.array(
      z.object({
        server: z.string(),
        origin: registryOriginSchema,
        /** The name of the registry; absent if it is no longer configured. */
        registry: z.string().optional(),
        latest: z.string().optional(),
        /** The version that `registry.revert` restores. */
        previous: z.string().optional(),
        /** Why the entry was withdrawn; absent if it was not. */
        withdrawn: z.string().optional(),
      }),
    ),
  ),
  /**
   * Takes the next part of a bundle that the user chose in a page, in base64. The first part has no ID. `file` is the path of
   * the bundle on this computer, until the bundle is installed or discarded, Core exits, or several other bundles arrive.
   */
  'bundle.receive': command(
    z.object({ id: z.uuid().optional(), part: uploadPartSchema }),
    z.object({ id: z.uuid(), file: z.string() }),
  ),
  /** Deletes a received bundle that the user does not install. Never deletes any other file. */
  'bundle.discard': command(bundleInput.pick({ file: true }), nothing),
  /**
   * The plan of a bundle (`.mcpb`, `.dxt`) on this computer; nothing is unpacked. If an earlier version of the bundle is
   * installed, it is the plan of an update.
   */
  'bundle.plan': command(bundleInput, registryPlanSchema),
  /** Installs exactly what the plan with this hash showed. Fails with INSTALL_REFUSED. */
  'bundle.install': command(bundleInput.extend({ hash: z.string() }), z.object({ server: z.string() })),
} as const;
