/** Puts Gatehouse into a client's own config and takes it out again: plan, show, apply, undo (issue 4, point 4). */
import { randomUUID } from 'node:crypto';
import { fail, toFailure } from '../../../shared/failure.ts';
import type { InstallStatus } from '../../../shared/model.ts';
import type { Host } from '../host.ts';
import { encodeText } from '../import/import.ts';
import { meaning, putEntry, readEntry, removeEntry } from './formats.ts';
import { decoded, isOurs, latest, placeOf, settle } from './ours.ts';
import { type PlannedInstall, putBack, targetOf } from './plan.ts';
import { type InstallRecord, openRecords } from './records.ts';
import { replaceFile, takeSnapshot, whileLocked } from './safe-write.ts';
import { fileOf, placeIn, targets } from './targets.ts';

export { type InstallOptions, type PlannedInstall, planInstall, planUninstall } from './plan.ts';

/** Makes the planned change: backs up, journals, writes. Fails with CLIENT_FILE_CHANGED when the file changed since. */
export async function applyInstall(host: Host, plan: PlannedInstall): Promise<InstallRecord | undefined> {
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
    if (now.bytes) await records.backUp(now.bytes);
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
      await replaceFile(now, record.before === undefined ? undefined : await records.restore(record.before, file));
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
      const bare = removeEntry(text, format, place, file, record.inserted);
      text = await putBack(bare, format, place, file, record, records);
    }
    if (text !== old.text) {
      if (now.bytes) await records.backUp(now.bytes);
      await replaceFile(now, encodeText({ ...old, text }));
    }
    records.save({ ...record, state: 'undone' });
    return { file, restored: 'entry' as const };
  });
}

/** The file of a client that Gatehouse writes to, with the id under which it is read. */
export async function clientFile(host: Host, client: string): Promise<{ type: string; path: string }> {
  const target = targetOf(client);
  return { type: target.source.id, path: (await fileOf(target, host)).file };
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
