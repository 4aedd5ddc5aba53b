/** The results of calls: in memory until Core exits, and in one file per day if the user wants to keep them longer. */
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isObject } from '../../../shared/is-object.ts';
import type { KeptResult } from '../../../shared/model/call.ts';
import { textFrom } from '../../../shared/text-from.ts';
import { createSlices } from '../async/slices.ts';
import { excerptText } from '../jsonrpc/excerpt.ts';
import { hasOriginalText } from '../jsonrpc/raw-json.ts';
import type { Client } from '../types.ts';

export interface CallOfResult {
  callId: string;
  /** The start of the call in epoch milliseconds. */
  at: number;
}

type Result = KeptResult['result'];

/** Where a text appears in a kept result. */
export interface TextInResult {
  server: string;
  tool: string;
  /** The start of the call in epoch milliseconds. */
  at: number;
  /** The text around it, without secrets. */
  before: string;
  after: string;
}

/** `receiver`: `receiverOf` the client that received it. */
export type SourceOfResult = CallOfResult & { server: string; tool: string; receiver: string };

/** Results belong to a client's entry or token, because its agent may remember them after a reconnect; otherwise to the connection. */
export const receiverOf = ({ id, identity }: Pick<Client, 'id' | 'identity'>): string => identity ?? id;

export type Results = Awaited<ReturnType<typeof openResults>>;

const maxInMemory = { results: 1_000, characters: 4_000_000 };
const maxCharacters = 10_000;
/** The limit of a day's file. Results beyond it are only in memory. */
const maxBytesOfDay = 50_000_000;
const batchMs = 200;
/** A search must not delay calls. */
const maxSliceMs = 4;
/** Characters before and after a found text. */
const maxAround = 80;
const dayMs = 86_400_000;

interface Stored {
  call: SourceOfResult;
  text: string;
  isShortened: boolean;
  /** The titled objects of a shortened result, as JSON. */
  titledObjects?: string;
  /** The characters of both strings. */
  size: number;
  parse(json: string): Result;
}

/** `titledObjectsIn` finds what is kept of a long result in addition to its start. */
export async function openResults(folder: string, titledObjectsIn: (result: Result) => object[]) {
  const memory = new Map<string, Stored>();
  let characters = 0;
  let days = 0;
  let unwritten: Stored[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let prunedOn = '';

  /** `parse` parses JSON and removes its secrets. It is called when the result is read or written. */
  function add(call: SourceOfResult, result: Result, parse: Stored['parse']): void {
    const kept = keptText(result);
    const titledObjects = kept.isShortened ? JSON.stringify(titledObjectsIn(result)) : undefined;
    const size = kept.text.length + (titledObjects?.length ?? 0);
    const stored = { call, ...kept, ...(titledObjects && { titledObjects }), size, parse };
    memory.set(call.callId, stored);
    characters += stored.size;
    for (const [id, { size }] of memory) {
      if (memory.size <= maxInMemory.results && characters <= maxInMemory.characters) break;
      memory.delete(id);
      characters -= size;
    }
    if (days === 0) return;
    unwritten.push(stored);
    timer ??= setTimeout(() => void flush(), batchMs);
  }

  /** Resolves when everything added so far is on disk. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = unwritten;
    unwritten = [];
    writing = writing.then(() => write(batch)).catch(() => undefined);
    return writing;
  }

  async function write(batch: Stored[]): Promise<void> {
    if (days === 0) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const stored of batch) {
      const file = fileOf(stored.call.at);
      const { size } = await stat(file).catch(() => ({ size: 0 }));
      if (size > maxBytesOfDay) continue;
      const line = JSON.stringify({ callId: stored.call.callId, ...shown(stored) });
      // A crash or a full disk may have cut off the last line, which must not take this one with it.
      await appendFile(file, `\n${line}\n`, { mode: 0o600 });
    }
    if (prunedOn !== dayOf(Date.now())) await prune();
  }

  async function prune(): Promise<void> {
    prunedOn = dayOf(Date.now());
    const oldest = days === 0 ? '9999' : dayOf(Date.now() - days * dayMs);
    const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name));
    await Promise.all(names.filter((name) => name < oldest).map((name) => unlink(join(folder, name))));
  }

  const fileOf = (at: number) => join(folder, `${dayOf(at)}.jsonl`);

  return {
    add,
    flush,
    async find({ callId, at }: CallOfResult): Promise<KeptResult | undefined> {
      const stored = memory.get(callId);
      return stored ? shown(stored) : findLine(fileOf(at), callId);
    },
    /** The JSON of the results in memory that a receiver got, oldest first. */
    of: (receiver: string): readonly Stored[] => [...memory.values()].filter(({ call }) => call.receiver === receiver),
    /** The first result in memory that contains the text, in any case; searches until the signal aborts. */
    async findText(text: string, signal: AbortSignal): Promise<TextInResult | undefined> {
      const wanted = JSON.stringify(text).slice(1, -1).toLowerCase();
      const pause = createSlices(maxSliceMs);
      for (const stored of [...memory.values()]) {
        await pause();
        if (signal.aborted) return undefined;
        const around = stored.text.toLowerCase().includes(wanted) && textAround(readable(stored), text);
        if (!around) continue;
        const { server, tool, at } = stored.call;
        return { server, tool, at, ...around };
      }
      return undefined;
    },
    /** Keeps results for `next` days; 0 keeps them until Core exits, and deletes those on disk. */
    async setRetention(next: number): Promise<void> {
      days = next;
      writing = writing.then(prune).catch(() => undefined);
      await writing;
    },
  };
}

/** The first string in the value that contains the text, without the text. */
function textAround(value: unknown, text: string): Pick<TextInResult, 'before' | 'after'> | undefined {
  if (typeof value === 'string') {
    const at = value.toLowerCase().indexOf(text.toLowerCase());
    if (at < 0) return undefined;
    const end = at + text.length;
    return { before: value.slice(Math.max(at - maxAround, 0), at), after: value.slice(end, end + maxAround) };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const found = textAround(inner, text);
    if (found) return found;
  }
  return undefined;
}

function shown(stored: Stored): KeptResult {
  return { result: readable(stored), ...(stored.isShortened && { isShortened: true }) };
}

const readable = ({ text, parse }: Stored): Result => withoutMedia(parse(text));

/** The original text of a short result, which is not read unless the user asks for it. */
function keptText(result: Result): Pick<Stored, 'text' | 'isShortened'> {
  const text = hasOriginalText(result);
  if (typeof text === 'string' && text.length <= maxCharacters) return { text, isShortened: false };
  return excerptText(withoutMedia(result), maxCharacters);
}

async function findLine(file: string, callId: string): Promise<KeptResult | undefined> {
  const start = `{"callId":${JSON.stringify(callId)},`;
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (!line.startsWith(start)) continue;
      const { result, isShortened } = JSON.parse(line);
      return { result, ...(isShortened && { isShortened }) };
    }
  } catch {
    // The day's file was deleted, or never existed.
  }
  return undefined;
}

/** In UTC: `2026-11-21`. */
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Replaces images, audio and binary resources with their size, because an incomplete one would be useless. */
function withoutMedia(result: Result): Result {
  const { content } = result;
  if (!Array.isArray(content)) return result;
  const kept = content.map(withoutBytes);
  return kept.every((block, at) => block === content[at]) ? result : { ...result, content: kept };
}

function withoutBytes(block: unknown): unknown {
  if (!isObject(block)) return block;
  const { resource } = block;
  if (typeof block.data === 'string') return notKept(textFrom(block.type), block.data);
  if (!isObject(resource) || typeof resource.blob !== 'string') return block;
  return notKept(textFrom(resource.uri), resource.blob);
}

function notKept(what: string, base64: string): { type: 'text'; text: string } {
  return { type: 'text', text: `(${what}, ${Math.ceil((base64.length * 3) / 4 / 1024)} KB, not kept)` };
}
