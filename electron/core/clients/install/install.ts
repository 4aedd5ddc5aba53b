/** Installs Toolkeep in clients' config files: apply, undo, status. */
import { randomUUID } from 'node:crypto';
import { fail, toFailure } from '../../../../shared/failure.ts';
import type { InstallStatus } from '../../../../shared/model/install.ts';
import { parseText } from '../../files/document.ts';
import { decodeText, encodeText } from '../../files/text.ts';
import type { Host } from '../../host.ts';
import { parseFile } from '../documents/parse-file.ts';
import { type PlannedInstall, putBack, targetOf } from '../plan-install.ts';
import { redactedDiff } from './diff.ts';
import { contentOf, meaning, putEntry, readEntry, removeEntry } from './formats.ts';
import { accessOf, decoded, installsSinceRemoval, isOurs, latest, recorded, settle } from './own-entry.ts';
import { type InstallRecord, openRecords, type Records } from './records.ts';
import { replaceFile, type Snapshot, takeSnapshot, whileLocked } from './safe-write.ts';
import { placeIn, targets } from './targets.ts';

/**
 * Applies a planned change: makes a backup, saves a record, writes the file. Fails with CLIENT_FILE_CHANGED if the file
 * has changed since the plan.
 */
export async function applyInstall(host: Host, plan: PlannedInstall): Promise<InstallRecord | undefined> {
  if (plan.unchanged) return undefined;
  const { snapshot, bytes, record: draft } = plan.change;
  return await whileLocked(snapshot.target, async () => {
    const now = takeSnapshot(plan.file);
    if (now.hash !== snapshot.hash || now.target !== snapshot.target) {
      throw fail('CLIENT_FILE_CHANGED', `${plan.file} has changed since the preview. Nothing was written.`, {
        file: plan.file,
        hint: 'Preview the change again.',
      });
    }
    const records = openRecords(host);
    const last = records.all().at(-1)?.at ?? 0;
    const done: InstallRecord = { ...draft, id: randomUUID(), at: Math.max(Date.now(), last + 1), state: 'done' };
    await recorded(records, done, 'pending', async () => {
      // Write the backup to disk before changing the client's file.
      if (now.bytes) await records.backUp(now.bytes);
      await replaceFile(now, bytes);
    });
    return done;
  });
}

/**
 * Undoes the last change to `client`. Restores the previous bytes if the file has not changed since; otherwise removes
 * or restores only our entry, if it is still ours. Fails with CLIENT_FILE_INVALID if there is nothing to undo. With
 * `dryRun`, only returns the difference.
 */
export async function undo(
  host: Host,
  client: string,
  { dryRun = false } = {},
): Promise<{ file: string; restored: 'file' | 'entry'; diff: string }> {
  const target = targetOf(client);
  const { file } = await placeIn(target, host);
  return await whileLocked(takeSnapshot(file).target, async () => {
    const now = takeSnapshot(file);
    const records = openRecords(host);
    const record = latest(settle(records), target, now.target);
    if (!record) {
      throw fail('CLIENT_FILE_INVALID', `Nothing to undo in ${target.source.app}.`, {
        file,
        hint: 'Run `toolkeep install --list` to see the state of each client.',
      });
    }
    const whole = now.hash === record.after;
    const { before } = record;
    const bytesBefore = whole && before !== undefined ? await records.restore(before, file) : undefined;
    const bytes = whole ? bytesBefore : await withEntryUndone({ ...record, file }, now, records);
    const done = {
      file,
      restored: whole ? ('file' as const) : ('entry' as const),
      diff: diffOf(record, file, now, bytes),
    };
    if (dryRun) return done;
    await recorded(records, { ...record, ...(now.hash && { undone: now.hash }) }, 'undoing', async () => {
      if (bytes !== undefined && now.bytes?.equals(bytes)) return;
      if (now.bytes) await records.backUp(now.bytes);
      await replaceFile(now, bytes);
    });
    return done;
  });
}

function diffOf({ format }: InstallRecord, file: string, now: Snapshot, bytes: Buffer | undefined): string {
  const before = decoded(now, file).text;
  const after = bytes ? decodeText(bytes, file).text : '';
  const values = [before, after].map((text) => parseText(text, format, file, { valueOnly: true }).value);
  return redactedDiff(file, before, after, values);
}

/** The current file without our entry, or with the entry restored if the change had removed it. */
async function withEntryUndone(record: InstallRecord, now: Snapshot, records: Records): Promise<Buffer> {
  const { file } = record;
  const old = decoded(now, file);
  const entry = readEntry(meaning(old.text, record), record);
  let text = old.text;
  if (record.action === 'uninstall') {
    if (entry === undefined) text = putEntry(text, record, record.entry).text;
  } else {
    if (entry !== undefined && !isOurs(entry, record)) {
      throw fail(
        'CLIENT_FILE_INVALID',
        `The entry "toolkeep" in ${file} was changed by another program, so it was not removed.`,
        { file, hint: 'Review it, and remove it manually if you do not need it.' },
      );
    }
    text = await putBack(removeEntry(text, record, record.inserted), record, targetOf(record.client), record, records);
  }
  return text === old.text && now.bytes ? now.bytes : encodeText({ ...old, text });
}

/** The client's file that Toolkeep writes to, with the client's id. */
export async function clientFile(host: Host, client: string): Promise<{ type: string; path: string }> {
  const target = targetOf(client);
  return { type: target.source.id, path: (await placeIn(target, host)).file };
}

/** Files whose servers were moved to Toolkeep and have not been restored. */
export function emptiedFiles(host: Host): { client: string; app: string; file: string }[] {
  const records = settle(openRecords(host));
  return targets.flatMap((target) => {
    const { id: client, app } = target.source;
    const behind = new Set(records.filter((record) => record.client === client).map((record) => record.target));
    return [...behind].flatMap((path) => {
      const emptied = installsSinceRemoval(records, target, path).find(({ moved }) => moved.length > 0);
      return emptied ? [{ client, app, file: emptied.file }] : [];
    });
  });
}

/** The state of every client that Toolkeep can be installed in. A client's error is part of its state. */
export async function installStatus(host: Host): Promise<InstallStatus[]> {
  const records = settle(openRecords(host));
  const statuses: InstallStatus[] = [];
  for (const target of targets) {
    const { source } = target;
    const place = await placeIn(target, host).catch(() => undefined);
    if (!place) continue;
    const { file, format, section } = place;
    const base = { client: source.id, app: source.app, file };
    try {
      const snapshot = takeSnapshot(file);
      const document = await parseFile(snapshot.bytes ?? Buffer.alloc(0), format, file, [[section]]);
      const entry = readEntry(contentOf(document, file), place);
      const record = latest(records, target, snapshot.target);
      const expected = record?.action === 'install';
      const state =
        entry === undefined ? (expected ? 'wiped' : 'absent') : isOurs(entry, record) ? 'installed' : 'foreign';
      const ours = state === 'installed' ? entry : state === 'wiped' ? record?.entry : undefined;
      const access = ours === undefined ? {} : { access: accessOf(ours, target) };
      statuses.push({ ...base, found: snapshot.bytes !== undefined, state, ...access });
    } catch (error) {
      statuses.push({ ...base, found: true, state: 'unreadable', problem: toFailure(error, 'CLIENT_FILE_INVALID') });
    }
  }
  return statuses;
}
