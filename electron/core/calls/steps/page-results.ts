/**
 * Splits long results into parts if the user configured that, or if the client would truncate them. Returns the first
 * part at once and keeps the rest for 15 minutes. `execute_tool` with the reserved name `toolkeep`/`read_more` returns the
 * next part, or the parts that its arguments select. Only text is split; binary data is saved to files.
 */
import { randomUUID } from 'node:crypto';
import { fail } from '../../../../shared/failure.ts';
import { textFrom } from '../../../../shared/text-from.ts';
import { largestOwner } from '../../async/largest-owner.ts';
import { definitionOf } from '../../clients/known-clients.ts';
import type { ResultPaging } from '../../config/schema.ts';
import type { Client, JsonObject, ToolCall } from '../../types.ts';
import { excerptOf } from '../result-excerpt.ts';
import type { SavedFiles } from '../saved-files.ts';
import type { CallResult } from '../step.ts';

export interface PageResultsOptions {
  resultPaging(): ResultPaging;
  /** Whether the tool has an MCP App, which needs the structured content unchanged. */
  hasApp(server: string, tool: string): boolean;
  now?(): number;
}

/** The tool that agents call to read the next page. */
const readMore = { server: 'toolkeep', tool: 'read_more' };

const keepMs = 15 * 60_000;
/** Not counting the newest result, which may be as large as a message. */
const maxKeptCharacters = 64 * 1024 * 1024;
/** A part ends at a line break if that shortens it by at most this fraction. */
const maxLineShare = 0.2;

interface KeptResult {
  owner: string;
  text: string;
  at: number;
}

export function createPageResults({ resultPaging, hasApp, now = Date.now }: PageResultsOptions, files: SavedFiles) {
  const kept = new Map<string, KeptResult>();

  function keep(owner: string, text: string): string {
    for (const [handle, { at }] of kept) if (now() - at > keepMs) kept.delete(handle);
    while (keptCharacters() > maxKeptCharacters) makeRoom(owner);
    const handle = randomUUID().slice(0, 8);
    kept.set(handle, { owner, text, at: now() });
    return handle;
  }

  const keptCharacters = () => [...kept.values()].reduce((sum, { text }) => sum + text.length, 0);

  /** Discards the oldest result of the client that has most. */
  function makeRoom(newcomer: string): void {
    const entries = Array.from(kept.values(), ({ owner, text }) => ({ owner, size: text.length }));
    const owner = largestOwner(entries, { owner: newcomer, size: 0 });
    const oldest = Array.from(kept).find(([, entry]) => entry.owner === owner);
    if (oldest) kept.delete(oldest[0]);
  }

  async function firstParts(
    owner: string,
    result: CallResult,
    { maxCharacters, structured }: Pick<ResultPaging, 'maxCharacters' | 'structured'>,
  ): Promise<CallResult> {
    const plain = structured ? structuredAsText(result, maxCharacters) : result;
    const received = Array.isArray(plain.content) ? (plain.content as JsonObject[]) : [];
    const blocks = await files.withoutBinary(received, maxCharacters);
    let left = maxCharacters;
    /** The strings from the first that does not fit. They share one handle, because each note takes space, too. */
    const rest: string[] = [];
    let firstCut: JsonObject | undefined;
    const content = blocks.filter((block) => {
      if (block.type !== 'text' || typeof block.text !== 'string') return true;
      if (!firstCut && block.text.length <= left) {
        left -= block.text.length;
        return true;
      }
      firstCut ??= block;
      rest.push(block.text);
      return block === firstCut;
    });
    if (!firstCut) return blocks === received ? plain : { ...plain, content };
    const text = rest.join('\n');
    const shown = { ...firstCut, text: part(keep(owner, text), text, 0, left) };
    return { ...plain, content: content.map((block) => (block === firstCut ? shown : block)) };
  }

  async function nextPart({ client, arguments: args }: ToolCall, length: number): Promise<CallResult> {
    const { handle, from } = args;
    const entry = typeof handle === 'string' ? kept.get(handle) : undefined;
    if (typeof handle !== 'string' || entry?.owner !== client.id || now() - entry.at > keepMs)
      throw fail('RESULT_NOT_FOUND', `There is no stored result with the handle "${textFrom(handle).slice(0, 40)}".`, {
        hint: 'Results are kept for 15 minutes. Run the tool again.',
      });
    entry.at = now();
    const picked = await excerptOf(entry.text, args);
    if (picked !== undefined) {
      const text = picked.length <= length ? picked : part(keep(client.id, picked), picked, 0, length);
      return { content: [{ type: 'text', text }] };
    }
    const start = typeof from === 'number' && from >= 0 ? Math.floor(from) : 0;
    if (start >= entry.text.length)
      throw fail('INPUT_INVALID', `"from" must be less than ${entry.text.length}, the length of the result.`);
    return { content: [{ type: 'text', text: part(handle, entry.text, start, length) }] };
  }

  return {
    step(call: ToolCall, next: () => Promise<CallResult>): Promise<CallResult> {
      const paging = resultPaging();
      const maxCharacters = limitFor(call.client, paging);
      if (maxCharacters === 0) return next();
      const { client, server, tool } = call;
      if (server === readMore.server && tool === readMore.tool) return nextPart(call, maxCharacters);
      const structured = paging.structured && !hasApp(server, tool);
      return next().then((result) => firstParts(client.id, result, { maxCharacters, structured }));
    },
    /** Discards the results of a client that disconnected. */
    drop(client: string): void {
      for (const [handle, { owner }] of kept) if (owner === client) kept.delete(handle);
    },
  };
}

/**
 * Returns the user's limit in characters, otherwise the client's own, or 0 for none. Only clients with `execute_tool` can
 * read further parts; clients in full mode and those of a single server cannot.
 */
function limitFor(client: Client, { maxCharacters, except }: ResultPaging): number {
  const { mode, scope, name } = client;
  if (mode === 'full' || scope.server !== undefined || except.includes(name)) return 0;
  return maxCharacters > 0 ? maxCharacters : (definitionOf(client)?.resultCharacters ?? 0);
}

/** A part of the text, followed by the call for the next part unless it is the last. */
function part(handle: string, text: string, from: number, length: number): string {
  const to = endOf(text, from, length);
  const shown = text.slice(from, to);
  if (to >= text.length) return shown;
  const call = JSON.stringify({ ...readMore, arguments: { handle, from: to } });
  const picks = /^\s*[[{]/.test(text) ? '"grep", "lines" or "pointer"' : '"grep" or "lines"';
  return `${shown}\n[Characters ${from} to ${to} of ${text.length}. Arguments ${picks} select parts. To continue: execute_tool ${call}]`;
}

/** The end of a part: at a nearby line break if possible, and never inside a surrogate pair. */
function endOf(text: string, from: number, length: number): number {
  const end = Math.min(text.length, from + length);
  if (end === text.length) return end;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  if (line > from + length * (1 - maxLineShare)) return line;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff && end - 1 > from ? end - 1 : end;
}

/** Removes long structured content, which most servers repeat as text. If this one does not, appends it as text. */
function structuredAsText(result: CallResult, maxCharacters: number): CallResult {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined) return result;
  const text = JSON.stringify(structuredContent);
  if (text.length <= maxCharacters) return result;
  const blocks = Array.isArray(rest.content) ? (rest.content as JsonObject[]) : [];
  const hasText = blocks.some((block) => block.type === 'text' && textFrom(block.text).length >= text.length / 2);
  return hasText ? rest : { ...rest, content: [...blocks, { type: 'text', text }] };
}
