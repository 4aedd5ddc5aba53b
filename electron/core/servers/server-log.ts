/** The logs of all servers, kept in memory as bytes. They are read and redacted when the user opens them, which is rare. */
import type { LogEntry, LogKind } from '../../../shared/model/server-log.ts';
import { ByteRing, type RingRecord } from '../jsonrpc/byte-ring.ts';
import { redact, redactText } from '../secrets/redact.ts';
import type { Params } from './connection/server-message.ts';
import { hasError, keptMessage, requestsOf, titleOf } from './log-messages.ts';

type Redact = (text: string) => string;
type MessageKind = 'sent' | 'received';

interface NewLogEntry {
  kind: Exclude<LogKind, MessageKind>;
  text: string;
  isError?: boolean;
}

/** Receives the log entries of one server. `redact` removes the secrets of its connection. */
export interface ServerLog {
  add(entry: NewLogEntry, redact: Redact): void;
  /** Adds an MCP message. */
  message(kind: MessageKind, message: Params, redact: Redact): void;
}

/** Receives the log entries of one connection. */
export interface ConnectionLog {
  add(entry: NewLogEntry): void;
  message(kind: MessageKind, message: Params): void;
}

export type ServerLogs = ReturnType<typeof createServerLogs>;

const maxEntries = 2_000;
const maxBytes = 512 * 1024;
const maxLineLength = 4_000;
/** Entries per page. Redacting a page takes a few milliseconds. */
const pageEntries = 200;
const pageBytes = 100_000;
const reportAfterMs = 150;
/** When there are this many redactors, those without entries are forgotten. */
const maxRedactors = 32;

/** The tag of a record: the index of its kind, two flags, and the number of its redactor times `redactorStep`. */
const kinds: readonly LogKind[] = ['state', 'stderr', 'stdout', 'sent', 'received'];
const flags = { isShortened: 8, isError: 16 };
const redactorStep = 32;
const kindOf = ({ tag }: RingRecord) => kinds[tag & 7] as LogKind;
const isMessage = (record: RingRecord) => kindOf(record) === 'sent' || kindOf(record) === 'received';
const redactorOf = ({ tag }: RingRecord) => Math.floor(tag / redactorStep);

export interface ServerLogsOptions {
  /** Removes secrets that only the vault knows. */
  redact: Redact;
  /** Called once after a `read` when there are new entries. */
  onNew(server: string): void;
}

export function createServerLogs({ redact: redactKnown, onNew }: ServerLogsOptions) {
  const logs = new Map<string, RingLog>();

  function logOf(server: string): RingLog {
    const log = logs.get(server) ?? new RingLog(() => onNew(server));
    logs.set(server, log);
    return log;
  }

  function shown(record: RingRecord, request: RingRecord | undefined, redactOwn: Redact): LogEntry {
    const clean = (part: string) => redactKnown(redactOwn(part));
    const cleanStrings = (_key: string, value: unknown) => (typeof value === 'string' ? clean(value) : value);
    const { id, at, tag, bytes } = record;
    const message = isMessage(record) ? parsed(record) : undefined;
    const answered = request && { request: parsed(request), ms: at - request.at };
    const text = message ? titleOf(message, answered) : bytes.toString();
    const isError = (tag & flags.isError) !== 0 || (message !== undefined && hasError(message));
    return {
      id,
      at,
      kind: kindOf(record),
      text: clean(redactText(text)).slice(0, maxLineLength),
      ...(message && { message: JSON.stringify(redact(message), cleanStrings) }),
      ...((tag & flags.isShortened) !== 0 && { isShortened: true }),
      ...(isError && { isError }),
    };
  }

  return {
    of: (server: string): ServerLog => logOf(server),
    /** The next entries after the entry with the ID `after`, oldest first. `more`: whether further entries exist. */
    read(server: string, after: number): { entries: LogEntry[]; more: boolean } {
      const log = logOf(server);
      const records = [...log.ring.records()];
      const start = records.findIndex(({ id }) => id > after);
      const rest = start < 0 ? [] : records.slice(start, start + pageEntries);
      let bytes = 0;
      const page = rest.filter((record, index) => {
        bytes += record.bytes.length;
        return index === 0 || bytes <= pageBytes;
      });
      const more = page.length > 0 && page.at(-1)?.id !== log.ring.lastId;
      log.isFollowed = !more;
      const requests = requestsOf(records.filter(isMessage), kindOf);
      return { entries: page.map((record) => shown(record, requests.get(record), log.redactorOf(record))), more };
    },
    remove: (server: string) => void logs.delete(server),
  };
}

const parsed = ({ bytes }: RingRecord): Params => JSON.parse(bytes.toString());

class RingLog implements ServerLog {
  readonly ring = new ByteRing(maxBytes, maxEntries);
  /** True if a UI has read everything and is waiting for the next entry. */
  isFollowed = false;
  readonly #onNew: () => void;
  readonly #redactors = new Map<Redact, number>();
  #lastRedactor = 0;

  constructor(onNew: () => void) {
    this.#onNew = onNew;
  }

  add({ kind, text, isError }: NewLogEntry, redactOwn: Redact): void {
    // Store more than is shown, because redaction does not recognize a truncated secret.
    this.#put(kind, [text.slice(0, 2 * maxLineLength)], isError ? flags.isError : 0, redactOwn);
  }

  message(kind: MessageKind, message: Params, redactOwn: Redact): void {
    const { pieces, isShortened } = keptMessage(message);
    // The rest of a shortened message may not show its error.
    const more = isShortened ? flags.isShortened + (hasError(message) ? flags.isError : 0) : 0;
    this.#put(kind, pieces, more, redactOwn);
  }

  redactorOf(record: RingRecord): Redact {
    const number = redactorOf(record);
    for (const [redactor, known] of this.#redactors) if (known === number) return redactor;
    throw new Error('A log entry has no redactor.');
  }

  #put(kind: LogKind, pieces: readonly (string | Buffer)[], more: number, redactOwn: Redact): void {
    const redactor = this.#redactors.get(redactOwn) ?? this.#remember(redactOwn);
    this.ring.add(pieces, redactor * redactorStep + more + kinds.indexOf(kind));
    if (!this.isFollowed) return;
    this.isFollowed = false;
    setTimeout(this.#onNew, reportAfterMs).unref();
  }

  #remember(redactOwn: Redact): number {
    if (this.#redactors.size >= maxRedactors) {
      const used = new Set(Array.from(this.ring.records(), redactorOf));
      for (const [redactor, number] of this.#redactors) if (!used.has(number)) this.#redactors.delete(redactor);
    }
    this.#lastRedactor += 1;
    this.#redactors.set(redactOwn, this.#lastRedactor);
    return this.#lastRedactor;
  }
}
