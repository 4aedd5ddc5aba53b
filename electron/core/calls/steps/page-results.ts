/**
 * Splits long results into parts if the user configured that. The first part is returned at once. The rest is kept for
 * a while, and `execute_tool` with the reserved name `gatehouse`/`read_more` returns the next part. Only text is split.
 */
import { randomUUID } from 'node:crypto';
import { fail } from '../../../../shared/failure.ts';
import type { ResultPaging } from '../../config/schema.ts';
import type { Client, JsonObject, ToolCall } from '../../types.ts';
import type { CallResult, Step } from '../step.ts';

export interface PageResultsOptions {
  resultPaging(): ResultPaging;
  now?(): number;
}

/** The tool that agents call to read the next page. */
const readMore = { server: 'gatehouse', tool: 'read_more' };

const keepMs = 15 * 60_000;
const maxKeptCharacters = 64 * 1024 * 1024;
/** A part ends at a line break if that shortens it by at most this fraction. */
const maxLineShare = 0.2;

interface KeptResult {
  owner: string;
  text: string;
  at: number;
}

/** `drop` discards the results of a client that disconnected. */
export function createPageResults({ resultPaging, now = Date.now }: PageResultsOptions): {
  step: Step;
  drop(client: string): void;
} {
  const kept = new Map<string, KeptResult>();

  function keep(owner: string, text: string): string {
    const handle = randomUUID().slice(0, 8);
    kept.set(handle, { owner, text, at: now() });
    let size = 0;
    for (const [other, entry] of [...kept].reverse()) {
      size += entry.text.length;
      if (now() - entry.at > keepMs || (size > maxKeptCharacters && other !== handle)) kept.delete(other);
    }
    return handle;
  }

  function firstParts(owner: string, result: CallResult, { maxCharacters, structured }: ResultPaging): CallResult {
    const plain = structured ? structuredAsText(result, maxCharacters) : result;
    const blocks = Array.isArray(plain.content) ? (plain.content as JsonObject[]) : [];
    let left = maxCharacters;
    let isChanged = false;
    const content = blocks.map((block) => {
      if (block.type !== 'text' || typeof block.text !== 'string') return block;
      const { text } = block;
      const length = Math.max(0, left);
      left -= text.length;
      if (text.length <= length) return block;
      isChanged = true;
      return { ...block, text: part(keep(owner, text), text, 0, length) };
    });
    return isChanged ? { ...plain, content } : plain;
  }

  function nextPart({ client, arguments: { handle, from } }: ToolCall, length: number): CallResult {
    const entry = typeof handle === 'string' ? kept.get(handle) : undefined;
    if (typeof handle !== 'string' || entry?.owner !== client.id || now() - entry.at > keepMs)
      throw fail('RESULT_NOT_FOUND', `No result is kept under the handle "${String(handle).slice(0, 40)}".`, {
        hint: 'Results are kept for 15 minutes. Run the tool again.',
      });
    const start = typeof from === 'number' && from >= 0 ? Math.floor(from) : 0;
    if (start >= entry.text.length)
      throw fail('INPUT_INVALID', `"from" must be less than ${entry.text.length}, the length of the result.`);
    entry.at = now();
    return { content: [{ type: 'text', text: part(handle, entry.text, start, length) }] };
  }

  return {
    async step(call, next) {
      const paging = resultPaging();
      if (!appliesTo(call.client, paging)) return next();
      if (call.server === readMore.server && call.tool === readMore.tool) return nextPart(call, paging.maxCharacters);
      return firstParts(call.client.id, await next(), paging);
    },
    drop(client) {
      for (const [handle, { owner }] of kept) if (owner === client) kept.delete(handle);
    },
  };
}

/**
 * Only clients with `execute_tool` can read further parts; clients in full mode and those of a single server cannot.
 */
function appliesTo({ mode, scope, name }: Client, { maxCharacters, except }: ResultPaging): boolean {
  return maxCharacters > 0 && mode !== 'full' && scope.server === undefined && !except.includes(name);
}

/** A part of the text, followed by the call for the next part unless it is the last. */
function part(handle: string, text: string, from: number, length: number): string {
  const to = endOf(text, from, length);
  const shown = text.slice(from, to);
  if (to >= text.length) return shown;
  const call = JSON.stringify({ ...readMore, arguments: { handle, from: to } });
  return `${shown}\n[Characters ${from} to ${to} of ${text.length}. To read on: execute_tool ${call}]`;
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

/** Most servers repeat structured content as text. If this one does not, the structured content becomes the text. */
function structuredAsText(result: CallResult, maxCharacters: number): CallResult {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined) return result;
  const text = JSON.stringify(structuredContent);
  if (text.length <= maxCharacters) return result;
  const blocks = Array.isArray(rest.content) ? (rest.content as JsonObject[]) : [];
  const hasText = blocks.some((block) => block.type === 'text' && String(block.text).length >= text.length / 2);
  return hasText ? rest : { ...rest, content: [...blocks, { type: 'text', text }] };
}
