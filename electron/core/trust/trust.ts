/** Remembers what each tool looked like when it was accepted, and holds changed ones back (trust on first use). */
import * as z from 'zod';
import type { Tool, ToolDefinition } from '../../../shared/model.ts';
import { createKeeper, readKept } from '../kept-file.ts';

/** `before` is what the person accepted; kept while the catalog does not hold it: a change waits, or the tool is gone. */
const pinSchema = z.object({
  fingerprint: z.string(),
  /** Of the server, when the tool was accepted. */
  version: z.string().optional(),
  before: z.record(z.string(), z.unknown()).optional(),
});
const fileSchema = z.object({ version: z.literal(1), pins: z.record(z.string(), pinSchema) });

export interface Trust {
  /**
   * Takes note of a tool: pins it at first sight. `previous` is what the catalog held before, for showing the difference;
   * `version` is what its server says it is.
   */
  see(tool: Tool, previous?: ToolDefinition, version?: string): void;
  /** What the person accepted, when the tool differs from it now. */
  heldBefore(tool: Tool): Record<string, unknown> | undefined;
  /** The version of the server when the person accepted the tool. */
  acceptedVersion(tool: Tool): string | undefined;
  /** A tool went away; it may come back as another. */
  gone(tool: Tool): void;
  accept(tool: Tool, version?: string): void;
  close(): Promise<void>;
}

/** Opens the pins in `file`. A damaged file is set aside, and tools are pinned anew. */
export async function openTrust(file: string): Promise<Trust> {
  const pins = new Map(Object.entries((await readKept(file, fileSchema, { mustSetAside: true }))?.pins ?? {}));
  const keeper = createKeeper(file, 200, () => ({ version: 1, pins: Object.fromEntries(pins) }));

  return {
    see(tool, previous, version) {
      const pin = pins.get(tool.key);
      if (!pin) pins.set(tool.key, { fingerprint: tool.fingerprint, version });
      else if (pin.fingerprint !== tool.fingerprint && !pin.before) pin.before = previous ?? {};
      else if (pin.fingerprint === tool.fingerprint && pin.before) delete pin.before;
      else if (pin.fingerprint === tool.fingerprint && !pin.version && version) pin.version = version;
      else return;
      keeper.touch();
    },
    gone(tool) {
      const pin = pins.get(tool.key);
      if (!pin || pin.before || pin.fingerprint !== tool.fingerprint) return;
      pin.before = tool.definition;
      keeper.touch();
    },
    heldBefore(tool) {
      const pin = pins.get(tool.key);
      return pin && pin.fingerprint !== tool.fingerprint ? (pin.before ?? {}) : undefined;
    },
    acceptedVersion: (tool) => pins.get(tool.key)?.version,
    accept(tool, version) {
      pins.set(tool.key, { fingerprint: tool.fingerprint, version });
      keeper.touch();
    },
    close: keeper.close,
  };
}
