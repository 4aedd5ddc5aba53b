/** Recognizes our entry in a client's file, and repairs the records after a process was killed. */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { fail } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { modeSchema } from '../../../../shared/model/call.ts';
import type { ClientAccess } from '../../../../shared/model/install.ts';
import { isAlive } from '../../files/process-alive.ts';
import { type DecodedText, decodeText, encodeText } from '../../files/text.ts';
import { isToolkeep } from '../import/gateways.ts';
import { meaning, readEntry } from './formats.ts';
import type { InstallRecord, Records } from './records.ts';
import { type Snapshot, sweepLeftovers, takeSnapshot } from './safe-write.ts';
import type { Target } from './targets.ts';

/** Decodes a file. Fails if encoding it again would give different bytes. */
export function decoded({ bytes }: Snapshot, file: string): DecodedText {
  if (!bytes) return { text: '', encoding: 'utf8', bom: false };
  const text = decodeText(bytes, file);
  if (encodeText(text).equals(bytes)) return text;
  throw fail('CLIENT_FILE_INVALID', `${file} was not changed: it contains characters that Toolkeep cannot encode.`, {
    file,
    hint: 'Save it as UTF-8 in an editor, then try again.',
  });
}

/** True if the entry contains everything that we installed, or if its command is Toolkeep. */
export function isOurs(entry: unknown, record: InstallRecord | undefined): boolean {
  const argv = argvOf(entry);
  if (record && isDeepStrictEqual(argv, argvOf(record.entry))) return true;
  const [command = '', ...args] = argv;
  return command !== '' && isToolkeep('', { type: 'stdio', command, args, env: {} }, undefined);
}

function argvOf(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { command, cmd, args } = entry as { command?: unknown; cmd?: unknown; args?: unknown };
  return [command ?? cmd, args].flat().filter((part) => typeof part === 'string');
}

/** The access that our entry gives. */
export function accessOf(entry: unknown, { gate }: Pick<Target, 'gate'>): ClientAccess {
  const { values } = parseArgs({
    args: argvOf(entry).slice(1),
    strict: false,
    options: { mode: { type: 'string' }, profile: { type: 'string' }, 'read-tool': { type: 'boolean' } },
  });
  const { mode, profile, 'read-tool': readTool } = values;
  return {
    ...(modeSchema.safeParse(mode).success && { mode: modeSchema.parse(mode) }),
    ...(readTool === true && { readTool }),
    ...(hasAll(entry, gate) && { letToolkeepAsk: true }),
    ...(typeof profile === 'string' && { profile }),
  };
}

const hasAll = (entry: unknown, gate: Target['gate']): boolean =>
  typeof gate === 'object' &&
  isObject(entry) &&
  Object.entries(gate).every(([key, value]) => isDeepStrictEqual(entry[key], value));

/** The keys that start Toolkeep. Every installation writes them. */
export const ownKeys = ['name', 'type', 'command', 'cmd', 'args'];

/**
 * Our entry `next` with every key of the `present` entry that the user or the client has added or changed since Toolkeep wrote
 * `last`. Takes `own` keys from `next`.
 */
export function withOthersKeys(
  next: Record<string, unknown>,
  { last, present, own = ownKeys }: { last: unknown; present: unknown; own?: string[] },
): Record<string, unknown> {
  if (!isObject(present)) return next;
  const before = isObject(last) ? last : {};
  const merged = [...new Set([...Object.keys(present), ...Object.keys(next)])].map((key): [string, unknown] => {
    const [now, ours, theirs] = [present[key], next[key], before[key]];
    if (own.includes(key)) return [key, ours];
    if (isObject(now) && isObject(ours)) return [key, withOthersKeys(ours, { last: theirs, present: now, own: [] })];
    return [key, isDeepStrictEqual(plain(now), plain(theirs)) ? ours : now];
  });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

/** As JSON stores it: a record on disk has no `undefined`, and TOML's objects have no prototype. */
export function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** The changes to this client's file, oldest first. */
const doneIn = (records: InstallRecord[], { source }: Target, path: string) =>
  records.filter(({ client, target, state }) => client === source.id && target === path && state === 'done');

/** The last change to this client's file. */
export const latest = (records: InstallRecord[], target: Target, path: string) => doneIn(records, target, path).at(-1);

/** Installations since the last uninstallation, newest first. There are several after a change of mode, for example. */
export function installsSinceRemoval(records: InstallRecord[], target: Target, path: string): InstallRecord[] {
  const own = doneIn(records, target, path);
  return own.slice(own.findLastIndex(({ action }) => action === 'uninstall') + 1).toReversed();
}

/** Changes that this process is currently making. */
const underWay = new Set<string>();

/** Makes a change while its record on disk is open, so that a killed process can be detected later. */
export async function recorded(
  records: Records,
  record: InstallRecord,
  during: 'pending' | 'undoing',
  change: () => Promise<void>,
): Promise<void> {
  underWay.add(record.id);
  try {
    records.save({ ...record, state: during, pid: process.pid });
    await change();
    records.save({ ...record, state: during === 'pending' ? 'done' : 'undone' });
  } catch (error) {
    if (during === 'pending') records.drop(record.id);
    else records.save(record);
    throw error;
  } finally {
    underWay.delete(record.id);
  }
}

/** Closes records that a killed process left open. The file shows whether the change was written. */
export function settle(records: Records): InstallRecord[] {
  for (const record of records.all()) {
    if ((record.state !== 'pending' && record.state !== 'undoing') || isUnderWay(record)) continue;
    const { pid: _, ...closed } = record;
    if (holds(record)) records.save({ ...closed, state: 'done' });
    else if (record.state === 'undoing') records.save({ ...closed, state: 'undone' });
    else records.drop(record.id);
    sweepLeftovers(record.target);
  }
  return records.all();
}

/** No change takes as long as a minute; after that, the process id must belong to a different process. */
function isUnderWay({ id, pid, at }: InstallRecord): boolean {
  if (pid === undefined || pid === process.pid) return underWay.has(id);
  return Date.now() - at < 60_000 && isAlive(pid);
}

/** True if the file contains the change: the same bytes, or at least our entry. */
function holds(record: InstallRecord): boolean {
  try {
    const snapshot = takeSnapshot(record.file);
    if (snapshot.hash === record.after) return true;
    if (snapshot.hash === record.before) return false;
    const { text } = decoded(snapshot, record.file);
    const entry = readEntry(meaning(text, record), record);
    return (entry !== undefined && isOurs(entry, record)) === (record.action === 'install');
  } catch {
    // The file cannot be read or parsed. Keep the record, because it refers to the backup.
    return true;
  }
}
