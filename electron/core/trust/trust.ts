/** Remembers what each tool looked like when it was accepted, and holds changed ones back (trust on first use). */
import { readFile, rename } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import type { Tool, ToolDefinition } from '../../../shared/model.ts';

/** `before` is what the person accepted; kept while the catalog does not hold it: a change waits, or the tool is gone. */
const pinSchema = z.object({ fingerprint: z.string(), before: z.record(z.string(), z.unknown()).optional() });
const fileSchema = z.object({ version: z.literal(1), pins: z.record(z.string(), pinSchema) });
type Pin = z.infer<typeof pinSchema>;

export interface Trust {
  /** Takes note of a tool: pins it at first sight. `previous` is what the catalog held before, for showing the difference. */
  see(tool: Tool, previous?: ToolDefinition): void;
  /** What the person accepted, when the tool differs from it now. */
  heldBefore(tool: Tool): Record<string, unknown> | undefined;
  /** A tool went away; it may come back as another. */
  gone(tool: Tool): void;
  accept(tool: Tool): void;
  close(): Promise<void>;
}

/** Opens the pins in `file`. A damaged file is set aside, and tools are pinned anew. */
export async function openTrust(file: string): Promise<Trust> {
  const pins = await load(file);
  let saving: NodeJS.Timeout | undefined;

  const save = () =>
    writeFileAtomic(file, JSON.stringify({ version: 1, pins: Object.fromEntries(pins) }), { mode: 0o600 });
  function saveSoon(): void {
    saving ??= setTimeout(() => {
      saving = undefined;
      save().catch(() => undefined);
    }, 200);
    saving.unref();
  }

  return {
    see(tool, previous) {
      const pin = pins.get(tool.key);
      if (!pin) pins.set(tool.key, { fingerprint: tool.fingerprint });
      else if (pin.fingerprint !== tool.fingerprint && !pin.before) pin.before = previous ?? {};
      else if (pin.fingerprint === tool.fingerprint && pin.before) delete pin.before;
      else return;
      saveSoon();
    },
    gone(tool) {
      const pin = pins.get(tool.key);
      if (!pin || pin.before || pin.fingerprint !== tool.fingerprint) return;
      pin.before = tool.definition;
      saveSoon();
    },
    heldBefore(tool) {
      const pin = pins.get(tool.key);
      return pin && pin.fingerprint !== tool.fingerprint ? (pin.before ?? {}) : undefined;
    },
    accept(tool) {
      pins.set(tool.key, { fingerprint: tool.fingerprint });
      saveSoon();
    },
    async close() {
      if (!saving) return;
      clearTimeout(saving);
      saving = undefined;
      await save();
    },
  };
}

async function load(file: string): Promise<Map<string, Pin>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return new Map();
  }
  try {
    return new Map(Object.entries(fileSchema.parse(JSON.parse(text)).pins));
  } catch {
    await rename(file, `${file}.damaged`);
    return new Map();
  }
}
