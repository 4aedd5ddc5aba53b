/** Remembers each tool as the user accepted it, and holds tools that changed, look suspicious or were added later. */
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import type { Tool, ToolDefinition, ToolView } from '../../../shared/model/tool.ts';
import { parseToolKey, toolKey } from '../../../shared/tool-key.ts';
import { createJsonWriter, readJsonFile } from '../files/json-file.ts';
import type { Difference } from '../history/changed-values.ts';

const pinSchema = z.object({
  fingerprint: z.string(),
  /** The server's version when the tool was accepted. */
  version: z.string().optional(),
  /** The accepted definition, kept if the catalog does not have it because the tool changed or was removed. */
  before: z.record(z.string(), z.unknown()).optional(),
  /** True if the user reviewed and accepted the tool. */
  reviewed: z.boolean().optional(),
  /** True if the server added the tool later and the user has not accepted it. */
  isNew: z.boolean().optional(),
});
type Pin = z.infer<typeof pinSchema>;
const fileSchema = z.object({ version: z.literal(1), pins: z.record(z.string(), pinSchema) });

export type HeldReason = NonNullable<ToolView['held']>['reason'];

/** The registry's observations about a tool. */
export interface Sighting {
  /** The definition that the catalog had before, used to show the difference. */
  previous?: ToolDefinition;
  /** The server's version. */
  version?: string;
  /** Hold the tool if it is new. */
  holdIfNew?: boolean;
}

/** The part of a tool that its pin depends on. */
type Pinned = Pick<Tool, 'key' | 'fingerprint' | 'findings'>;

export type Pins = Awaited<ReturnType<typeof openPins>>;

/** Opens the pins in `file`, and calls `onChange` after each change. Renames a damaged file; every tool is then pinned again as if seen for the first time. */
export async function openPins(file: string, onChange = () => {}) {
  const pins = new Map(Object.entries((await readJsonFile(file, fileSchema, { mustSetAside: true }))?.pins ?? {}));
  const servers = new Set(Array.from(pins.keys(), (key) => parseToolKey(key).server));
  const writer = createJsonWriter(file, 200, () => ({ version: 1, pins }));
  function changed(): void {
    onChange();
    writer.schedule();
  }

  const listeners: ((change: Omit<Difference, 'kind'>) => void)[] = [];
  function decide(key: string, after: Pin | undefined): void {
    const before = pins.get(key);
    if (after) pins.set(key, after);
    else pins.delete(key);
    changed();
    const { server, tool } = parseToolKey(key);
    const change = { subject: 'pins' as const, key, name: `${server}/${tool}`, server, before, after };
    for (const listener of listeners) listener(change);
  }

  return {
    /** Records a tool, and pins it the first time. */
    record(tool: Tool, { previous, version, holdIfNew }: Sighting): void {
      const pin = pins.get(tool.key);
      // The file and the catalog would otherwise hold two copies of thousands of equal strings.
      if (pin?.fingerprint === tool.fingerprint) pin.fingerprint = tool.fingerprint;
      servers.add(tool.server);
      // Findings that another server causes later, by the names of its tools, do not hold this one.
      const reviewed = tool.findings.length === 0;
      if (!pin)
        pins.set(tool.key, {
          fingerprint: tool.fingerprint,
          version,
          ...(holdIfNew ? { isNew: true } : reviewed && { reviewed }),
        });
      else if (pin.fingerprint !== tool.fingerprint && !pin.before) pin.before = previous ?? {};
      else if (pin.fingerprint === tool.fingerprint && pin.before) delete pin.before;
      else if (pin.fingerprint === tool.fingerprint && !pin.version && version) pin.version = version;
      else return;
      changed();
    },
    /** Whether any tool of the server was seen before. */
    hasServer: (server: string): boolean => servers.has(server),
    /** Records that a tool was removed, because it may return with changes. */
    recordRemoval(tool: Tool): void {
      const pin = pins.get(tool.key);
      if (!pin || pin.before || pin.fingerprint !== tool.fingerprint) return;
      pin.before = tool.definition;
      changed();
    },
    /** Why the user must accept the tool before it runs. */
    heldReason(tool: Pinned): HeldReason | undefined {
      const pin = pins.get(tool.key);
      if (pin?.isNew) return 'new';
      if (pin && pin.fingerprint !== tool.fingerprint) return 'changed';
      return tool.findings.length > 0 && !pin?.reviewed ? 'suspicious' : undefined;
    },
    /** The definition that the user accepted, if it differs from the current one. */
    heldBefore(tool: Tool): Record<string, unknown> | undefined {
      const pin = pins.get(tool.key);
      return pin && pin.fingerprint !== tool.fingerprint ? (pin.before ?? {}) : undefined;
    },
    /** The server's version when the user accepted the tool. */
    acceptedVersion: (tool: Tool): string | undefined => pins.get(tool.key)?.version,
    /** Fails with TOOL_HELD_BACK if the definition is no longer the one with the fingerprint `seen`. */
    accept(tool: Pinned, version?: string, seen = tool.fingerprint): void {
      if (seen !== tool.fingerprint)
        throw fail('TOOL_HELD_BACK', 'The server changed it again. Read the new text first.');
      decide(tool.key, { fingerprint: tool.fingerprint, version, reviewed: true });
    },
    /** The pin of a key, and puts one back; undefined removes it. */
    get: (key: string): unknown => pins.get(key),
    put: (key: string, pin: unknown): void => decide(key, pinSchema.optional().parse(pin)),
    /** Removes the pins of a server that is removed, and returns them by key. */
    take(server: string): Record<string, unknown> {
      const taken = [...pins].filter(([key]) => parseToolKey(key).server === server);
      for (const [key] of taken) pins.delete(key);
      servers.delete(server);
      if (taken.length > 0) changed();
      return Object.fromEntries(taken);
    },
    /** Puts back the pins of a removed server, under its name or a new one. */
    giveBack(taken: Readonly<Record<string, unknown>>, server?: string): void {
      for (const [key, pin] of Object.entries(taken)) {
        const place = parseToolKey(key);
        servers.add(server ?? place.server);
        pins.set(toolKey(server ?? place.server, place.tool), pinSchema.parse(pin));
      }
      changed();
    },
    /** Calls `listener` after each decision of the user. */
    follow: (listener: (typeof listeners)[number]) => void listeners.push(listener),
    /** Accepts the tools of a server with these fingerprints, by name. */
    restore(server: string, accepted: Readonly<Record<string, string>>): void {
      for (const [name, fingerprint] of Object.entries(accepted))
        decide(toolKey(server, name), { fingerprint, reviewed: true });
    },
    close: writer.close,
  };
}
