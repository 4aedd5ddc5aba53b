/** A bounded list of what Toolkeep changed for the user, on disk. It undoes a change if its values are still the same. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import {
  type Change,
  type ChangeItem,
  type ChangeSource,
  type ChangeView,
  changeSchema,
} from '../../../shared/model/change.ts';
import { createJsonWriter, readJsonFile } from '../files/json-file.ts';
import { type RemovedServer, type Store, settingSchemas } from '../settings.ts';
import {
  type Difference,
  differenceOf,
  differences,
  isCovered,
  isSecret,
  mayWiden,
  same,
  valuesOf,
  withValue,
} from './changed-values.ts';

export type Changes = Awaited<ReturnType<typeof openChanges>>;

/** A command while it runs. */
interface Run {
  ui: 'window' | 'terminal';
  command: string;
  /** The id and the time of its entry. */
  id: string;
  at: number;
  hasEnded: boolean;
}

interface ChangesOptions {
  file: string;
  store: Store;
  pins: Promise<{ get(key: string): unknown; follow(listener: (change: Omit<Difference, 'kind'>) => void): void }>;
  /** Replaces secrets in a text. */
  redact(text: string): string;
  onChange(): void;
}

const fileSchema = z.object({ version: z.literal(1), changes: z.array(changeSchema) });

const maxChanges = 200;
/** A larger entry keeps no values, and only its first items. */
const maxCharacters = 20_000;
const maxItems = 50;
const writeDelayMs = 500;

/** The commands that remove and restore a server handle these themselves, or must not put them back with it. */
const followsServer: ReadonlySet<string> = new Set(['serverTags', 'overrides', 'grants', 'knownDestinations', 'pins']);

export async function openChanges({ file, store, redact, onChange, ...given }: ChangesOptions) {
  const [found, pins] = await Promise.all([readJsonFile(file, fileSchema), given.pins]);
  /** Oldest first. */
  let changes: readonly Change[] = found?.changes ?? [];
  const writer = createJsonWriter(file, writeDelayMs, () => ({ version: 1, changes }));
  const running = new AsyncLocalStorage<Run>();

  /** All that the answer to a question changes at once is one entry, too. */
  let answer: Pick<Run, 'id' | 'at'> | undefined;
  function answered(): Pick<Run, 'id' | 'at'> {
    if (!answer) queueMicrotask(() => (answer = undefined));
    answer ??= { id: randomUUID(), at: Date.now() };
    return answer;
  }

  function record(given: readonly Difference[]): void {
    if (given.length === 0) return;
    const run = running.getStore();
    // Events of a server arrive in the context of the command that started it.
    const command = run && !run.hasEnded ? run : undefined;
    const { id, at } = command ?? answered();
    const open = changes.find((change) => change.id === id);
    const items = new Map(open?.items.map((item) => [keyOf(item), item]));
    for (const item of given.map(kept)) {
      const earlier = items.get(keyOf(item));
      const both = earlier ? joined(earlier, item) : item;
      if (both) items.set(keyOf(item), both);
      else items.delete(keyOf(item));
    }
    const others = changes.filter((change) => change !== open);
    const list = [...items.values()];
    if (list.length > 0) {
      const by = command ? sourceOf(command, list) : 'question';
      others.push(bounded({ id, at, by, items: list, omitted: open?.omitted ?? 0 }));
    }
    changes = others.slice(-maxChanges);
    writer.schedule();
    onChange();
  }
  function kept({ before, after, ...item }: Difference): ChangeItem {
    const text = JSON.stringify([item.key, item.name, before, after]);
    if (item.subject !== 'clientFiles' && !isSecret(item.subject) && redact(text) === text)
      return { ...item, before, after, isKept: true };
    return { ...item, key: redact(item.key), name: redact(item.name), isKept: false };
  }
  store.follow((key, before, after) => {
    if (isCovered(key)) record(differences(key, before, after, Date.now()));
  });
  pins.follow((change) => {
    const item = differenceOf(change);
    if (item) record([item]);
  });

  /** Returns the present value of an item. Converts each setting once. */
  function reader(): (item: ChangeItem) => unknown {
    const values = new Map<string, ReadonlyMap<string, unknown>>();
    return ({ subject, key }) => {
      if (!isCovered(subject)) return pins.get(key);
      const known = values.get(subject) ?? valuesOf(subject, store.get(subject));
      values.set(subject, known);
      return known.get(key);
    };
  }

  /** `later`: the items that later changes touched. */
  function stateOf(
    { at, items, omitted }: Change,
    later: ReadonlySet<string>,
    present: (item: ChangeItem) => unknown,
  ): Exclude<ChangeView['undo'], 'done'> {
    const servers = items.filter(({ subject }) => subject === 'servers');
    const [first] = servers;
    const states = items.map((item) => {
      const { subject, key, server, kind, isKept, after } = item;
      if (subject === 'clientFiles') return kind === 'changed' ? 'none' : later.has(keyOf(item)) ? 'changed' : 'ready';
      if (subject === 'servers') {
        if (kind === 'changed' || kind !== first?.kind) return 'none';
        if (later.has(keyOf(item))) return 'changed';
        const isOfThis = ({ config, removedAt }: RemovedServer) => config.name === key && removedAt >= at;
        return kind === 'added' || store.get('removedServers').some(isOfThis) ? 'ready' : 'none';
      }
      if (first && followsServer.has(subject)) return 'ready';
      if (!isKept) return 'none';
      // Another server may have the name since.
      const isOther = server !== undefined && later.has(movedKey(server));
      return !isOther && same(present(item), after) ? 'ready' : 'changed';
    });
    if (omitted > 0 || states.includes('none')) return 'none';
    return states.includes('changed') ? 'changed' : 'ready';
  }

  /** Newest first. */
  function list(): ChangeView[] {
    const done = new Set(changes.flatMap(({ undoes }) => undoes ?? []));
    const later = new Set<string>();
    const present = reader();
    return changes.toReversed().map((change) => {
      const undo = done.has(change.id) ? 'done' : stateOf(change, later, present);
      for (const item of change.items) {
        later.add(keyOf(item));
        if (item.subject === 'servers' && item.kind !== 'changed') later.add(movedKey(item.key));
      }
      return { ...change, undo, mayWiden: change.items.some(mayWiden) };
    });
  }

  return {
    list,
    /** Adds a change of something other than the settings. */
    add: (item: Difference): void => record([item]),
    /** Runs a command of the user. All that it changes becomes one entry. */
    during<T>(started: Pick<Run, 'ui' | 'command'>, work: () => T): T {
      const run: Run = { ...started, id: randomUUID(), at: Date.now(), hasEnded: false };
      const end = () => {
        run.hasEnded = true;
      };
      const result = running.run(run, work);
      if (result instanceof Promise) result.then(end, end);
      else end();
      return result;
    },
    /**
     * Undoes a change, during a command. Fails with INPUT_INVALID if it cannot be undone. `putBack` undoes what is more than a
     * setting; resolves with false if the item is a setting.
     */
    async undo(id: string, putBack: (item: ChangeItem) => Promise<boolean>): Promise<void> {
      const change = list().find((one) => one.id === id);
      if (!change) throw fail('INPUT_INVALID', 'This change is no longer in the list.');
      if (change.undo !== 'ready') throw fail('INPUT_INVALID', refusals[change.undo]);
      const isOfServer = change.items.some(({ subject }) => subject === 'servers');
      for (const item of change.items) {
        const { subject, key, before } = item;
        if (isOfServer && followsServer.has(subject)) continue;
        if ((await putBack(item)) || !isCovered(subject)) continue;
        const value = withValue(subject, key, before, store.get(subject));
        // The file may come from another version.
        if (!settingSchemas[subject].safeParse(value).success) throw fail('INPUT_INVALID', refusals.none);
        store.set(subject, value);
      }
      const own = running.getStore()?.id;
      changes = changes.map((one) => (one.id === own ? { ...one, undoes: id } : one));
      writer.schedule();
      onChange();
    },
    close: writer.close,
  };
}

const keyOf = ({ subject, key }: Pick<ChangeItem, 'subject' | 'key'>): string => `${subject} ${key}`;
/** For a server that was added or removed. */
const movedKey = (server: string): string => `moved ${server}`;

/** Two changes of one value as one; undefined if the second undid the first. */
function joined(first: ChangeItem, second: ChangeItem): ChangeItem | undefined {
  if (first.isKept && second.isKept) {
    const both = differenceOf({ ...second, before: first.before });
    return both && { ...both, isKept: true };
  }
  if (first.kind === 'added') return second.kind === 'removed' ? undefined : { ...second, kind: 'added' };
  return first.kind === 'removed' && second.kind === 'added' ? undefined : second;
}

function sourceOf({ ui, command }: Run, items: readonly ChangeItem[]): ChangeSource {
  if (/^(?:import|setup)\./.test(command)) return 'setup';
  const isUpdated = items.some(({ subject, kind }) => subject === 'servers' && kind === 'changed');
  return isUpdated && /^(?:registry|bundle)\./.test(command) ? 'update' : ui;
}

function bounded(change: Change): Change {
  const { items } = change;
  if (items.length <= maxItems && JSON.stringify(items).length <= maxCharacters) return change;
  const fewer = items.slice(0, maxItems).map(({ before: _, after: __, ...item }) => ({ ...item, isKept: false }));
  return { ...change, items: fewer, omitted: change.omitted + items.length - fewer.length };
}

const refusals: Record<Exclude<ChangeView['undo'], 'ready'>, string> = {
  changed: 'It has changed since, so it cannot be undone.',
  done: 'This change has already been undone.',
  none: 'Toolkeep does not keep the values of this change, so it cannot be undone.',
};
