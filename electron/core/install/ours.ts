/** What is ours in a client's file, and what the records say of it, also after a killed run. */
import { isDeepStrictEqual } from 'node:util';
import { fail } from '../../../shared/failure.ts';
import { type DecodedText, decodeText, encodeText, isOurselves } from '../import/import.ts';
import { isAlive } from '../is-alive.ts';
import { meaning, readEntry } from './formats.ts';
import type { Place } from './place.ts';
import type { InstallRecord, Records } from './records.ts';
import { type Snapshot, sweepLeftovers, takeSnapshot } from './safe-write.ts';
import type { Target } from './targets.ts';

/** The text of a file; refused when it would not survive being written again. */
export function decoded({ bytes }: Snapshot, file: string): DecodedText {
  if (!bytes) return { text: '', encoding: 'utf8', bom: false };
  const text = decodeText(bytes, file);
  if (encodeText(text).equals(bytes)) return text;
  throw fail('CLIENT_FILE_INVALID', `${file} was left as it is: it holds characters that would not survive.`, { file });
}

export function placeOf({ section, name, list }: InstallRecord): Place {
  return { section, name, ...(list ? { list } : {}) };
}

/** Ours: starts what we entered, whatever else the client or the person added to it; or is Gatehouse by its command. */
export function isOurs(entry: unknown, record: InstallRecord | undefined): boolean {
  const argv = argvOf(entry);
  if (record && isDeepStrictEqual(argv, argvOf(record.entry))) return true;
  const [command = '', ...args] = argv;
  return command !== '' && isOurselves('', { type: 'stdio', command, args, env: {} }, undefined);
}

function argvOf(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { command, cmd, args } = entry as { command?: unknown; cmd?: unknown; args?: unknown };
  return [command ?? cmd, args].flat().filter((part) => typeof part === 'string');
}

/** The last change that was made to this client's file. */
export function latest(records: InstallRecord[], { source }: Target, target: string): InstallRecord | undefined {
  return records.findLast(
    (record) => record.client === source.id && record.target === target && record.state === 'done',
  );
}

/** Our entering of this client since it was last taken out, the youngest first: again with another mode, for example. */
export function entered(records: InstallRecord[], { source }: Target, target: string): InstallRecord[] {
  const own = records.filter(
    (record) => record.client === source.id && record.target === target && record.state === 'done',
  );
  return own.slice(own.findLastIndex(({ action }) => action === 'uninstall') + 1).toReversed();
}

/** Changes that this very process is making. */
const underWay = new Set<string>();

/** Makes a change to a client's file with its record open on disk the while, so that a killed run can be told from a done one. */
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

/** The records with the truth about those that a killed run left open: the file itself tells whether it was written. */
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

/** Nobody takes a minute; a process of that number is another one by then. */
function isUnderWay({ id, pid, at }: InstallRecord): boolean {
  if (pid === undefined || pid === process.pid) return underWay.has(id);
  return Date.now() - at < 60_000 && isAlive(pid);
}

/** True when the file is as the change made it, by its bytes or at least by our entry. */
function holds(record: InstallRecord): boolean {
  try {
    const snapshot = takeSnapshot(record.file);
    if (snapshot.hash === record.after) return true;
    if (snapshot.hash === record.before) return false;
    const { text } = decoded(snapshot, record.file);
    const entry = readEntry(meaning(text, record.format, record.file), placeOf(record));
    return (entry !== undefined && isOurs(entry, record)) === (record.action === 'install');
  } catch {
    // Whatever the file is now, the backup must not be forgotten.
    return true;
  }
}
