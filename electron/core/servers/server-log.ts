/** The logs of all servers, kept in memory. They are redacted when they are read, which is rare. */
import type { LogEntry, LogKind } from '../../../shared/model/server-log.ts';
import { redact, redactText } from '../secrets/redact.ts';

export interface NewLogEntry {
  kind: LogKind;
  text: string;
  /** The message as JSON. */
  message?: string;
  isShortened?: boolean;
  isError?: boolean;
}

/** Receives the log entries of one server's connection. */
export interface ServerLog {
  /** `redact` removes the secrets of the connection. */
  add(entry: NewLogEntry, redact: (text: string) => string): void;
}

export interface ServerLogs {
  of(server: string): ServerLog;
  /** The next entries after the entry with the ID `after`, oldest first. `more`: whether further entries exist. */
  read(server: string, after: number): { entries: LogEntry[]; more: boolean };
  remove(server: string): void;
}

const maxEntries = 2_000;
const maxCharacters = 500_000;
const maxLineLength = 4_000;
/** Entries per page. Redacting a page takes a few milliseconds. */
const pageEntries = 200;
const pageCharacters = 100_000;
const reportAfterMs = 150;

interface Stored {
  entry: NewLogEntry;
  id: number;
  at: number;
  size: number;
  redact(text: string): string;
}

interface Log {
  entries: Stored[];
  characters: number;
  lastId: number;
  /** True if a UI has read everything and is waiting for the next entry. */
  isFollowed: boolean;
}

export interface ServerLogsOptions {
  /** Removes secrets that only the vault knows. */
  redact(text: string): string;
  /** Called once after a `read` when there are new entries. */
  onNew(server: string): void;
}

export function createServerLogs({ redact: redactKnown, onNew }: ServerLogsOptions): ServerLogs {
  const logs = new Map<string, Log>();

  function logOf(server: string): Log {
    const log = logs.get(server) ?? { entries: [], characters: 0, lastId: 0, isFollowed: false };
    logs.set(server, log);
    return log;
  }

  function add(server: string, log: Log, entry: NewLogEntry, redactOwn: Stored['redact']): void {
    log.lastId += 1;
    // Store more than is shown, because redaction does not recognize a truncated secret.
    if (entry.text.length > 2 * maxLineLength) entry.text = flat(entry.text.slice(0, 2 * maxLineLength));
    const size = entry.text.length + (entry.message?.length ?? 0);
    log.entries.push({ entry, id: log.lastId, at: Date.now(), size, redact: redactOwn });
    log.characters += size;
    while (log.entries.length > maxEntries || log.characters > maxCharacters)
      log.characters -= log.entries.shift()?.size ?? 0;
    if (!log.isFollowed) return;
    log.isFollowed = false;
    setTimeout(() => onNew(server), reportAfterMs).unref();
  }

  function shown({ entry: { text, message, ...rest }, id, at, redact: redactOwn }: Stored): LogEntry {
    const clean = (part: string) => redactKnown(redactOwn(part));
    const cleanStrings = (_key: string, value: unknown) => (typeof value === 'string' ? clean(value) : value);
    return {
      ...rest,
      id,
      at,
      text: clean(redactText(text)).slice(0, maxLineLength),
      ...(message !== undefined && { message: JSON.stringify(redact(JSON.parse(message)), cleanStrings) }),
    };
  }

  return {
    of(server) {
      const log = logOf(server);
      return { add: (entry, redactOwn) => add(server, log, entry, redactOwn) };
    },
    read(server, after) {
      const log = logOf(server);
      const start = log.entries.findIndex(({ id }) => id > after);
      const rest = start < 0 ? [] : log.entries.slice(start, start + pageEntries);
      let characters = 0;
      const page = rest.filter(({ size }, index) => {
        characters += size;
        return index === 0 || characters <= pageCharacters;
      });
      const more = page.length > 0 && page.at(-1)?.id !== log.lastId;
      log.isFollowed = !more;
      return { entries: page.map(shown), more };
    },
    remove: (server) => void logs.delete(server),
  };
}

/** Copies a string, because a slice would keep the whole original string in memory. */
const flat = (text: string) => Buffer.from(text).toString();
