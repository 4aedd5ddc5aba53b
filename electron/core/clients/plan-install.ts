/** Plans a change to a client's file: the exact difference, which the user sees before anything is written. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import type { ClientAccess, InstallPlan } from '../../../shared/model/install.ts';
import { parseText } from '../files/document.ts';
import { type DecodedText, decodeText, encodeText } from '../files/text.ts';
import type { Host } from '../host.ts';
import { redactedDiff } from './install/diff.ts';
import type { EntryPath, EntryPlace } from './install/entry-path.ts';
import { meaning, putEntry, readEntry, removeEntry } from './install/formats.ts';
import {
  accessOf,
  decoded,
  installsSinceRemoval,
  isOurs,
  ownKeys,
  plain,
  settle,
  withOthersKeys,
} from './install/own-entry.ts';
import { type InstallRecord, openRecords, type Records } from './install/records.ts';
import { isRunning } from './install/running.ts';
import { hashOf, type Snapshot, takeSnapshot } from './install/safe-write.ts';
import { findTarget, placeIn, type Target, targets } from './install/targets.ts';

export interface InstallOptions extends ClientAccess {
  /** Servers to remove from the client's file because Toolkeep has imported them. */
  moveServers?: string[];
  /** Servers that Toolkeep has imported but not yet started, so the client keeps them. */
  staying?: string[];
}

/** A planned change to one client's file. */
export interface PlannedInstall extends InstallPlan {
  /** For `applyInstall` only. Contains the whole file including secrets, so it never leaves Core. */
  change: { snapshot: Snapshot; bytes: Buffer | undefined; record: Omit<InstallRecord, 'id' | 'at' | 'state'> };
}

/**
 * Plans the installation in `client`. Fails with CLIENT_UNKNOWN, with CLIENT_FILE_INVALID if the file cannot be
 * edited safely, or with INSTALL_REFUSED if this app runs from a temporary location.
 */
export async function planInstall(host: Host, client: string, options: InstallOptions): Promise<PlannedInstall> {
  if (host.bridgeProblem) throw fail('INSTALL_REFUSED', `Clients could not start Toolkeep. ${host.bridgeProblem}`);
  const edit = await openEdit(host, client);
  const { target, place, snapshot, old } = edit;
  const { mode, readTool, profile, letToolkeepAsk, moveServers = [], staying = [] } = options;
  const flags = [
    ...(mode ? ['--mode', mode] : []),
    ...(readTool ? ['--read-tool'] : []),
    ...(profile ? ['--profile', profile] : []),
    '--client',
    target.source.id,
  ];
  const document = meaning(old.text, place);
  const [record] = installsSinceRemoval(settle(openRecords(host)), target, snapshot.target);
  const present = readEntry(document, place);
  const warnings = warningsOn(present, record, old, target);
  // On Windows on ARM, the bridge runs on the app's binary, which an update replaces.
  if (host.platform === 'win32' && host.bridge.env?.ELECTRON_RUN_AS_NODE)
    warnings.push(`After each update of Toolkeep, restart ${target.source.app}.`);
  const ours = isOurs(present, record) ? present : undefined;
  const access = ours === undefined ? {} : accessOf(ours, target);
  const { profile: limit } = access;
  if (limit !== undefined && limit !== profile) {
    const wider = profile === undefined ? 'sees all servers' : `sees the profile "${profile}"`;
    warnings.push(`Removes a limit: ${target.source.app} ${wider} instead of only the profile "${limit}".`);
  }

  if (staying.length > 0)
    warnings.push(`Stays in ${target.source.app} until it starts in Toolkeep: ${staying.join(', ')}.`);

  // Without a choice, an installation leaves the client's own questions unchanged.
  const isOpen = letToolkeepAsk ?? access.letToolkeepAsk ?? false;
  const keys = typeof target.gate === 'object' ? target.gate : {};
  const entry = {
    ...target.entry({ ...host.bridge, args: [...host.bridge.args, ...flags] }),
    ...(isOpen && keys),
  };
  const own = letToolkeepAsk === undefined ? undefined : [...ownKeys, ...Object.keys(keys)];
  const kept = withOthersKeys(entry, { last: record?.entry, present: ours, own });
  let text = old.text;
  const moved = moveServers.filter((name) => name !== place.name && placesOf(document, place, target, name).length > 0);
  for (const name of moved) for (const at of placesOf(document, place, target, name)) text = removeEntry(text, at);
  const unchanged = moved.length === 0 && isDeepStrictEqual(plain(present), plain(asStored(kept, place)));
  const put = unchanged ? { text } : putEntry(text, place, kept);
  const { inserted } = put;
  const change = { action: 'install' as const, entry, moved, ...(inserted && { inserted }) };
  const plan = await planned(host, edit, put.text, warnings, change);
  if (target.gate === undefined) return plan;
  const isChoice = target.gate !== 'elsewhere';
  return { ...plan, asks: { who: isOpen && isChoice ? 'toolkeep' : 'both', isChoice } };
}

/**
 * Plans the removal from `client`: restores the original bytes if the file has not changed since; otherwise removes
 * only our entry.
 */
export async function planUninstall(host: Host, client: string): Promise<PlannedInstall> {
  const edit = await openEdit(host, client);
  const { target, place, snapshot, old } = edit;
  const records = openRecords(host);
  const installs = installsSinceRemoval(settle(records), target, snapshot.target);
  const [record] = installs;
  const entry = readEntry(meaning(old.text, place), place);
  const change = { action: 'uninstall' as const, entry, moved: [] };
  const original = await bytesBefore(installs, snapshot.hash, place, records);
  if (original) return planned(host, edit, original.bytes, [], change);
  let text = old.text;
  if (entry !== undefined) {
    if (!isOurs(entry, record)) {
      throw fail(
        'CLIENT_FILE_INVALID',
        `The entry "toolkeep" in ${place.file} was not created by Toolkeep, so it was not removed.`,
        { file: place.file, hint: 'Review it, and remove it manually if you do not need it.' },
      );
    }
    text = removeEntry(text, place, record?.inserted);
  }
  for (const install of installs) text = await putBack(text, place, target, install, records);
  return planned(host, edit, text, [], change);
}

export function targetOf(client: string): Target {
  const target = findTarget(client);
  if (target) return target;
  const known = targets.map(({ source }) => source.id).join(', ');
  throw fail('CLIENT_UNKNOWN', `Toolkeep cannot be installed in "${client}".`, { hint: `Known: ${known}.` });
}

/** A client's file that is about to be edited, as it is now. */
interface FileEdit {
  target: Target;
  place: EntryPlace;
  snapshot: Snapshot;
  old: DecodedText;
}

async function openEdit(host: Host, client: string): Promise<FileEdit> {
  const target = targetOf(client);
  const place = await placeIn(target, host);
  const snapshot = takeSnapshot(place.file);
  return { target, place, snapshot, old: decoded(snapshot, place.file) };
}

/** The plan of a change that leaves `after` in the file; undefined removes the file. */
async function planned(
  host: Host,
  { target, place, snapshot, old }: FileEdit,
  after: string | Buffer | undefined,
  warnings: string[],
  change: Pick<InstallRecord, 'action' | 'entry' | 'moved' | 'inserted'>,
): Promise<PlannedInstall> {
  const { file, format } = place;
  const bytes = typeof after === 'string' ? encodeText({ ...old, text: after }) : after;
  const text = bytes ? decodeText(bytes, file).text : '';
  const unchanged = snapshot.bytes === undefined ? text === '' : (bytes?.equals(snapshot.bytes) ?? false);
  const running = await isRunning(target.processes ?? [], host.platform);
  if (running && target.source.id === 'claude-desktop') {
    warnings.push(
      'Claude Desktop is running and may overwrite its file. Quit it first, or check the entry afterwards.',
    );
  }
  const before = snapshot.hash;
  const hash = bytes && hashOf(bytes);
  return {
    client: target.source.id,
    app: target.source.app,
    file,
    action: change.action,
    unchanged,
    diff: redactedDiff(file, old.text, text, [
      parseText(old.text, format, file, { valueOnly: true }).value,
      parseText(text, format, file, { valueOnly: true }).value,
    ]),
    moved: change.moved,
    warnings,
    afterwards: target.afterwards,
    ...(running === undefined ? {} : { running }),
    token: [`${snapshot.target}\n${before}`, `${hash}`].map(hashOfText).join('-'),
    change: {
      snapshot,
      bytes: unchanged ? snapshot.bytes : bytes,
      record: {
        client: target.source.id,
        app: target.source.app,
        target: snapshot.target,
        ...place,
        ...(before === undefined ? {} : { before }),
        ...(hash === undefined ? {} : { after: hash }),
        ...change,
      },
    },
  };
}

const hashOfText = (text: string) => createHash('sha256').update(text).digest('hex');

/** Why the change of this plan is not the one that `token` identifies. */
export function notAsShown({ file, token: now }: PlannedInstall, token: string): ToolkeepError {
  const isSameFile = now.split('-')[0] === token.split('-')[0];
  const message = isSameFile
    ? `Toolkeep would now make another change to ${file} than the preview shows. Nothing was written.`
    : `${file} has changed since the preview. Nothing was written.`;
  return fail('CLIENT_FILE_CHANGED', message, { file, hint: 'Preview the change again.' });
}

function warningsOn(
  entry: unknown,
  record: InstallRecord | undefined,
  { bom }: DecodedText,
  { source }: Target,
): string[] {
  const warnings: string[] = [];
  if (entry !== undefined && !isOurs(entry, record)) {
    warnings.push('Replaces an entry "toolkeep" that this installation did not create.');
  }
  if (bom && source.id === 'claude-desktop') {
    warnings.push(
      'The file starts with a byte order mark, which can make Claude Desktop discard it. Save it without one.',
    );
  }
  return warnings;
}

/** The entry in stored form: in a list, its name is part of it. */
function asStored(entry: Record<string, unknown>, { list, name }: EntryPath): unknown {
  return list ? { name, ...entry } : entry;
}

/** The file's bytes before `installs`, without our entry. Undefined if another program has written the file since. */
async function bytesBefore(
  installs: InstallRecord[],
  now: string | undefined,
  place: EntryPlace,
  records: Records,
): Promise<{ bytes: Buffer | undefined } | undefined> {
  let hash = now;
  for (const { before, after } of installs) {
    if (hash === undefined || hash !== after) return undefined;
    if (before === undefined) return { bytes: undefined };
    const bytes = await records.restore(before, place.file);
    const held = readEntry(meaning(decodeText(bytes, place.file).text, place), place);
    if (held === undefined || !installs.some((install) => isOurs(held, install))) return { bytes };
    hash = before;
  }
  return undefined;
}

/** Where the client reads a server of this name from. */
function placesOf(document: Record<string, unknown>, place: EntryPlace, { inner }: Target, name: string): EntryPlace[] {
  const places = [{ ...place, name }, ...(inner === undefined ? [] : [{ ...place, inner, name }])];
  return places.filter((at) => readEntry(document, at) !== undefined);
}

/** Restores the servers that were moved to Toolkeep, unless other servers now have their names. */
export async function putBack(
  text: string,
  place: EntryPlace,
  target: Target,
  { moved, before }: InstallRecord,
  records: Records,
): Promise<string> {
  if (moved.length === 0 || before === undefined) return text;
  const original = meaning(decodeText(await records.restore(before, place.file), place.file).text, place);
  let result = text;
  for (const name of moved.toReversed()) {
    const [from] = placesOf(original, place, target, name);
    if (!from || placesOf(meaning(result, place), place, target, name).length > 0) continue;
    // The client reads both places, so that of Toolkeep's own entry will do.
    result = putEntry(result, { ...place, name }, readEntry(original, from)).text;
  }
  return result;
}
