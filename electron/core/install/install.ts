/** Puts Gatehouse into a client's own config and takes it out again: plan, show, apply, undo (issue 4, point 4). */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Failure, fail, toFailure } from '../../../shared/failure.ts';
import type { Mode } from '../../../shared/model.ts';
import type { Host } from '../host.ts';
import { type DecodedText, decodeText, encodeText, type Format, isOurselves, parseText } from '../import/import.ts';
import { redactedDiff } from './diff.ts';
import { meaning, type Place, putEntry, readEntry, removeEntry } from './formats.ts';
import { type InstallRecord, openRecords, type Records } from './records.ts';
import { isRunning } from './running.ts';
import { hashOf, replaceFile, type Snapshot, takeSnapshot, whileLocked } from './safe-write.ts';
import { type BridgeCommand, fileOf, findTarget, placeIn, type Target, targets } from './targets.ts';

export type { BridgeCommand, InstallRecord };

export interface InstallOptions {
  /** How the client starts the bridge. */
  command: BridgeCommand;
  mode?: Mode | undefined;
  profile?: string | undefined;
  /** Servers in the client's file that Gatehouse has taken over, to be taken out of it. */
  moveServers?: string[] | undefined;
}

/** A change to one client's file, worked out and not yet made. */
export interface InstallPlan {
  client: string;
  app: string;
  file: string;
  action: 'install' | 'uninstall';
  /** The file is already as it should be. */
  unchanged: boolean;
  /** The exact difference, unified, with secrets masked. */
  diff: string;
  /** In plain words. */
  warnings: string[];
  /** What the person does then, so that the client sees it. */
  afterwards: string;
  /** Whether the client runs now; undefined when that is not known. */
  running: boolean | undefined;
  /** For `applyInstall` only; holds the whole file, secrets included, so it never leaves Core. */
  change: { snapshot: Snapshot; bytes: Buffer | undefined; record: Omit<InstallRecord, 'id' | 'at' | 'state'> };
}

export interface InstallStatus {
  client: string;
  app: string;
  file: string;
  /** The file, or at least the client, is there. */
  found: boolean;
  /** `wiped`: Gatehouse was entered and the client lost it; installing again repairs that. `foreign`: not made by this one. */
  state: 'absent' | 'installed' | 'foreign' | 'wiped' | 'unreadable';
  problem?: Failure;
}

/** Works out how Gatehouse is entered into `client`. Fails with CLIENT_UNKNOWN or, when in doubt, CLIENT_FILE_INVALID. */
export async function planInstall(host: Host, client: string, options: InstallOptions): Promise<InstallPlan> {
  const target = targetOf(client);
  const { file, format } = await fileOf(target, host);
  const place = placeIn(target);
  const snapshot = takeSnapshot(file);
  const old = decoded(snapshot, file);
  const { command, mode, profile, moveServers = [] } = options;
  const flags = [
    ...(mode ? ['--mode', mode] : []),
    ...(profile ? ['--profile', profile] : []),
    '--client',
    target.source.id,
  ];
  const entry = target.entry({ ...command, args: [...command.args, ...flags] });
  const document = meaning(old.text, format, file);
  const warnings = warningsOn(readEntry(document, place), old, target);

  let text = old.text;
  const moved = moveServers.filter(
    (name) => name !== place.name && readEntry(document, { ...place, name }) !== undefined,
  );
  for (const name of moved) text = removeEntry(text, format, { ...place, name }, file);
  const unchanged =
    moved.length === 0 && isDeepStrictEqual(plain(readEntry(document, place)), plain(inPlace(entry, place)));
  const put = unchanged ? { text } : putEntry(text, format, place, entry, file);
  return finish(host, target, file, format, snapshot, old, put.text, 'install', warnings, {
    entry,
    moved,
    ...(put.inserted === undefined ? {} : { inserted: put.inserted }),
  });
}

/** Works out how Gatehouse is taken out of `client` again: the bytes of before when nobody wrote since, else our entry alone. */
export async function planUninstall(host: Host, client: string): Promise<InstallPlan> {
  const target = targetOf(client);
  const { file, format } = await fileOf(target, host);
  const place = placeIn(target);
  const snapshot = takeSnapshot(file);
  const old = decoded(snapshot, file);
  const records = openRecords(host);
  const record = latest(settle(records), target, snapshot.target, 'install');
  const entry = readEntry(meaning(old.text, format, file), place);
  if (record && snapshot.hash !== undefined && snapshot.hash === record.after) {
    const bytes = record.before === undefined ? undefined : records.restore(record.before, file);
    return finish(host, target, file, format, snapshot, old, bytes, 'uninstall', [], { entry, moved: [] });
  }
  let text = old.text;
  if (entry !== undefined) {
    if (!isOurs(entry, record)) {
      throw fail(
        'CLIENT_FILE_INVALID',
        `The entry "gatehouse" in ${file} was not made by Gatehouse; it was left there.`,
        {
          file,
          hint: 'Look at it and remove it by hand if you do not need it.',
        },
      );
    }
    text = removeEntry(text, format, place, file, record?.inserted);
  }
  text = putBack(text, format, place, file, record, records);
  return finish(host, target, file, format, snapshot, old, text, 'uninstall', [], { entry, moved: [] });
}

/** Makes the planned change: backs up, journals, writes. Fails with CLIENT_FILE_CHANGED when the file changed since. */
export async function applyInstall(host: Host, plan: InstallPlan): Promise<InstallRecord | undefined> {
  if (plan.unchanged) return undefined;
  const { snapshot, bytes, record: draft } = plan.change;
  return await whileLocked(host, snapshot.target, async () => {
    const now = takeSnapshot(plan.file);
    if (now.hash !== snapshot.hash || now.target !== snapshot.target) {
      throw fail('CLIENT_FILE_CHANGED', `${plan.file} changed since the change was shown. Nothing was written.`, {
        file: plan.file,
        hint: 'Plan again.',
      });
    }
    const records = openRecords(host);
    const record: InstallRecord = { ...draft, id: randomUUID(), at: Date.now(), state: 'pending' };
    // The way back is on disk before the first byte of the client's file changes.
    if (now.bytes) records.backUp(now.bytes);
    records.save(record);
    try {
      await replaceFile(now, bytes);
    } catch (error) {
      records.drop(record.id);
      throw error;
    }
    const done: InstallRecord = { ...record, state: 'done' };
    records.save(done);
    return done;
  });
}

/**
 * Undoes the last change to `client`: the bytes of before when nobody wrote since; otherwise only our own entry goes (or
 * comes back), and only if it is still ours. Fails with CLIENT_FILE_INVALID when there is nothing to undo.
 */
export async function undo(host: Host, client: string): Promise<{ file: string; restored: 'file' | 'entry' }> {
  const target = targetOf(client);
  const { file } = await fileOf(target, host);
  const records = openRecords(host);
  const snapshot = takeSnapshot(file);
  const record = latest(settle(records), target, snapshot.target);
  if (!record) {
    throw fail('CLIENT_FILE_INVALID', `There is nothing to undo in ${target.source.app}.`, {
      file,
      hint: 'See `gatehouse install --list`.',
    });
  }
  return await whileLocked(host, snapshot.target, async () => {
    const now = takeSnapshot(file);
    if (now.hash === record.after) {
      await replaceFile(now, record.before === undefined ? undefined : records.restore(record.before, file));
      records.save({ ...record, state: 'undone' });
      return { file, restored: 'file' as const };
    }
    const old = decoded(now, file);
    const place = placeOf(record);
    const { format } = record;
    const entry = readEntry(meaning(old.text, format, file), place);
    let text = old.text;
    if (record.action === 'uninstall') {
      if (entry === undefined) text = putEntry(text, format, place, record.entry, file).text;
    } else {
      if (entry !== undefined && !isOurs(entry, record)) {
        throw fail(
          'CLIENT_FILE_INVALID',
          `The entry "gatehouse" in ${file} was changed by somebody else; it was left there.`,
          { file },
        );
      }
      text = putBack(removeEntry(text, format, place, file, record.inserted), format, place, file, record, records);
    }
    if (text !== old.text) {
      if (now.bytes) records.backUp(now.bytes);
      await replaceFile(now, encodeText({ ...old, text }));
    }
    records.save({ ...record, state: 'undone' });
    return { file, restored: 'entry' as const };
  });
}

/** How it stands with every client that Gatehouse can be entered into. Never throws for one of them. */
export async function installStatus(host: Host): Promise<InstallStatus[]> {
  const records = settle(openRecords(host));
  const statuses: InstallStatus[] = [];
  for (const target of targets) {
    const { source } = target;
    const place = await fileOf(target, host).catch(() => undefined);
    if (!place) continue;
    const { file, format } = place;
    const base = { client: source.id, app: source.app, file };
    try {
      const snapshot = takeSnapshot(file);
      const entry = readEntry(meaning(decoded(snapshot, file).text, format, file), placeIn(target));
      const record = latest(records, target, snapshot.target);
      const expected = record?.action === 'install';
      const state =
        entry === undefined ? (expected ? 'wiped' : 'absent') : isOurs(entry, record) ? 'installed' : 'foreign';
      statuses.push({ ...base, found: snapshot.bytes !== undefined, state });
    } catch (error) {
      statuses.push({ ...base, found: true, state: 'unreadable', problem: toFailure(error, 'CLIENT_FILE_INVALID') });
    }
  }
  return statuses;
}

function targetOf(client: string): Target {
  const target = findTarget(client);
  if (target) return target;
  const known = targets.map(({ source }) => source.id).join(', ');
  throw fail('CLIENT_UNKNOWN', `Gatehouse cannot be entered into "${client}".`, { hint: `Known: ${known}.` });
}

function decoded({ bytes }: Snapshot, file: string): DecodedText {
  if (!bytes) return { text: '', encoding: 'utf8', bom: false };
  const text = decodeText(bytes, file);
  if (encodeText(text).equals(bytes)) return text;
  throw fail('CLIENT_FILE_INVALID', `${file} was left as it is: it holds characters that would not survive.`, { file });
}

async function finish(
  host: Host,
  target: Target,
  file: string,
  format: Format,
  snapshot: Snapshot,
  old: DecodedText,
  after: string | Buffer | undefined,
  action: InstallPlan['action'],
  warnings: string[],
  more: Pick<InstallRecord, 'entry' | 'moved' | 'inserted'>,
): Promise<InstallPlan> {
  const bytes = typeof after === 'string' ? encodeText({ ...old, text: after }) : after;
  const text = bytes ? decodeText(bytes, file).text : '';
  const unchanged = snapshot.bytes === undefined ? text === '' : (bytes?.equals(snapshot.bytes) ?? false);
  const running = await isRunning(target.processes, host.platform);
  if (running && target.source.id === 'claude-desktop') {
    warnings.push('Claude Desktop runs and may write its file again; quit it first, or check afterwards.');
  }
  const before = snapshot.hash;
  const hash = bytes && hashOf(bytes);
  return {
    client: target.source.id,
    app: target.source.app,
    file,
    action,
    unchanged,
    diff: redactedDiff(file, old.text, text, [
      parseText(old.text, format, file).value,
      parseText(text, format, file).value,
    ]),
    warnings,
    afterwards: target.afterwards,
    running,
    change: {
      snapshot,
      bytes: unchanged ? snapshot.bytes : bytes,
      record: {
        client: target.source.id,
        app: target.source.app,
        file,
        target: snapshot.target,
        action,
        format,
        ...placeIn(target),
        ...(before === undefined ? {} : { before }),
        ...(hash === undefined ? {} : { after: hash }),
        ...more,
      },
    },
  };
}

function warningsOn(entry: unknown, { bom }: DecodedText, { source }: Target): string[] {
  const warnings: string[] = [];
  if (entry !== undefined && !isOurs(entry, undefined)) {
    warnings.push('There is an entry "gatehouse" that this Gatehouse did not make; it is replaced.');
  }
  if (bom && source.id === 'claude-desktop') {
    warnings.push(
      'The file begins with a byte order mark, which has made Claude Desktop discard it; save it without one.',
    );
  }
  return warnings;
}

/** The entry as it stands in a list, where its name is part of it. */
function inPlace(entry: Record<string, unknown>, { list, name }: Place): unknown {
  return list ? { name, ...entry } : entry;
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function placeOf({ section, name, list }: InstallRecord): Place {
  return { section, name, ...(list ? { list } : {}) };
}

/** Ours: starts what we entered, whatever else the client or the person added to it; or is Gatehouse by its command. */
function isOurs(entry: unknown, record: InstallRecord | undefined): boolean {
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

function latest(
  records: InstallRecord[],
  { source }: Target,
  target: string,
  action?: InstallRecord['action'],
): InstallRecord | undefined {
  const last = records.findLast(
    (record) => record.client === source.id && record.target === target && record.state === 'done',
  );
  return action === undefined || last?.action === action ? last : undefined;
}

/** The records with the truth about those that a killed run left open: the file itself tells whether it was written. */
function settle(records: Records): InstallRecord[] {
  for (const record of records.all().filter(({ state }) => state === 'pending')) {
    const written = wasWritten(record);
    if (written) records.save({ ...record, state: 'done' });
    else records.drop(record.id);
  }
  return records.all();
}

function wasWritten(record: InstallRecord): boolean {
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

/** Puts the servers back that were moved behind Gatehouse, as far as nobody took their names. */
function putBack(
  text: string,
  format: Format,
  place: Place,
  file: string,
  record: InstallRecord | undefined,
  records: Records,
): string {
  if (!record || record.moved.length === 0 || record.before === undefined) return text;
  const before = meaning(decodeText(records.restore(record.before, file), file).text, format, file);
  let result = text;
  for (const name of record.moved.toReversed()) {
    const there = { ...place, name };
    const value = readEntry(before, there);
    if (value === undefined || readEntry(meaning(result, format, file), there) !== undefined) continue;
    result = putEntry(result, format, there, value, file).text;
  }
  return result;
}
