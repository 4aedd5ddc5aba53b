/**
 * Long results in parts: the first now, the rest kept for a while and read on by `execute_tool` on the reserved name
 * `gatehouse`/`read_more`. Text only, and only where the person switched it on: a result is the server's own otherwise.
 */
import { randomUUID } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';
import type { ClientSession, GatewayBackend, PartsSettings, RawResult, ToolCall } from './backend.ts';

/** What agents call to read on. */
const readOn = { server: 'gatehouse', tool: 'read_more' };

const keptForMs = 15 * 60_000;
const mostKept = 64 * 1024 * 1024;
/** A part that would end in the middle of a line ends before it, if that does not cost more than this share. */
const lineShare = 0.2;

interface Kept {
  owner: string;
  text: string;
  at: number;
}

type Block = Record<string, unknown>;

/** The same backend with long results in parts. */
export function inParts(backend: GatewayBackend, now = Date.now): GatewayBackend {
  const kept = new Map<string, Kept>();

  function keep(owner: string, text: string): string {
    const handle = randomUUID().slice(0, 8);
    kept.set(handle, { owner, text, at: now() });
    let size = 0;
    for (const [old, entry] of [...kept].reverse()) {
      size += entry.text.length;
      if (now() - entry.at > keptForMs || (size > mostKept && old !== handle)) kept.delete(old);
    }
    return handle;
  }

  /** A part of the text with, unless it is the last, what to call for the next. */
  function part(handle: string, text: string, from: number, length: number): string {
    const to = endOf(text, from, length);
    const shown = text.slice(from, to);
    if (to >= text.length) return shown;
    const call = JSON.stringify({ ...readOn, arguments: { handle, from: to } });
    return `${shown}\n[Characters ${from} to ${to} of ${text.length}; the rest is kept by Gatehouse. To read on: execute_tool ${call}]`;
  }

  function cut(owner: string, result: RawResult, { partLength, structured }: PartsSettings): RawResult {
    const plain = structured ? structuredAsText(result, partLength) : result;
    const blocks = Array.isArray(plain.content) ? (plain.content as Block[]) : [];
    let left = partLength;
    let changed = false;
    const content = blocks.map((block) => {
      if (block.type !== 'text' || typeof block.text !== 'string') return block;
      const { text } = block;
      const length = Math.max(0, left);
      left -= text.length;
      if (text.length <= length) return block;
      changed = true;
      return { ...block, text: part(keep(owner, text), text, 0, length) };
    });
    return changed ? { ...plain, content } : plain;
  }

  function readMore(owner: string, { handle, from }: Record<string, unknown>, length: number): RawResult {
    const entry = typeof handle === 'string' ? kept.get(handle) : undefined;
    if (typeof handle !== 'string' || entry?.owner !== owner || now() - entry.at > keptForMs)
      throw fail('INPUT_INVALID', `There is no kept result "${String(handle).slice(0, 40)}".`, {
        hint: 'Results are kept for 15 minutes. Run the tool again.',
      });
    const start = typeof from === 'number' && from >= 0 ? Math.floor(from) : 0;
    if (start >= entry.text.length)
      throw fail('INPUT_INVALID', `"from" must be below ${entry.text.length}, where the result ends.`);
    entry.at = now();
    return { content: [{ type: 'text', text: part(handle, entry.text, start, length) }] };
  }

  /** Undefined for a client that gets every result whole. */
  function settingsFor(session: ClientSession): PartsSettings | undefined {
    const settings = backend.results?.();
    return settings && concerns(settings, session) ? settings : undefined;
  }
  const readsOn = ({ session, server, tool }: ToolCall) =>
    server === readOn.server && tool === readOn.tool && settingsFor(session) !== undefined;

  return {
    ...backend,
    readsOn,
    async execute(call) {
      const settings = settingsFor(call.session);
      if (!settings) return backend.execute(call);
      const { id } = call.session;
      if (readsOn(call)) return readMore(id, call.arguments, settings.partLength);
      return cut(id, await backend.execute(call), settings);
    },
    connected(session) {
      const leave = backend.connected(session);
      return () => {
        for (const [handle, entry] of kept) if (entry.owner === session.id) kept.delete(handle);
        leave();
      };
    },
  };
}

/** Reading on needs `execute_tool`. */
function concerns({ partLength, except }: PartsSettings, { mode, server, name }: ClientSession): boolean {
  return partLength > 0 && mode !== 'full' && server === undefined && !except.includes(name);
}

/** Where a part ends: after a line if one ends near, and never inside a character. */
function endOf(text: string, from: number, length: number): number {
  const most = Math.min(text.length, from + length);
  if (most === text.length) return most;
  const line = text.lastIndexOf('\n', most - 1) + 1;
  if (line > from + length * (1 - lineShare)) return line;
  const code = text.charCodeAt(most - 1);
  return code >= 0xd800 && code <= 0xdbff && most - 1 > from ? most - 1 : most;
}

/** Most servers put the same into text; where one does not, the structured content becomes the text. */
function structuredAsText(result: RawResult, partLength: number): RawResult {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined) return result;
  const text = JSON.stringify(structuredContent);
  if (text.length <= partLength) return result;
  const blocks = Array.isArray(rest.content) ? (rest.content as Block[]) : [];
  const hasText = blocks.some((block) => block.type === 'text' && String(block.text).length >= text.length / 2);
  return hasText ? rest : { ...rest, content: [...blocks, { type: 'text', text }] };
}
