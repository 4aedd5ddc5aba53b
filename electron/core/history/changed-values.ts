/** The settings that the list of changes covers, as single values: how they differ, and how to put one back. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../shared/is-object.ts';
import type { ChangeItem } from '../../../shared/model/change.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import type { Settings } from '../settings.ts';

type Covered = Exclude<ChangeItem['subject'], 'pins' | 'clientFiles'>;
type Named = Record<string, string>;
type Label = Pick<ChangeItem, 'key' | 'name' | 'server'>;

const ofServer = (name = ''): Label => ({ key: name, name, server: name });
const ofClient = (name: string): Label => ({ key: name, name });

/** How a setting divides into items: a list of objects, a list of names, a record, or one value. */
type Shape = { each: (item: Named) => Label } | { names: (name: string) => Label } | 'record' | 'single';

/** The covered settings. The others are no decisions of the user, or repeat one of these. */
const shapes: Readonly<Record<Covered, Shape>> = {
  servers: { each: ({ name }) => ofServer(name) },
  disabledServers: { names: ofServer },
  serverTags: { each: ({ server }) => ofServer(server) },
  rules: 'single',
  overrides: {
    each: ({ server = '', tool = '' }) => ({ key: toolKey(server, tool), name: `${server}/${tool}`, server }),
  },
  profiles: { each: ({ name = '' }) => ({ key: name, name }) },
  grants: {
    each: ({ id = '', server = '', tool }) => ({ key: id, name: tool ? `${server}/${tool}` : server, server }),
  },
  knownDestinations: { each: ({ id = '', server = '', value = '' }) => ({ key: id, name: value, server }) },
  clientTokens: { each: ({ id = '', name = '' }) => ({ key: id, name }) },
  routing: 'record',
  batch: 'record',
  enableRequests: 'single',
  userSettings: 'record',
  registries: { names: ofClient },
};
export const isCovered = (key: string): key is Covered => Object.hasOwn(shapes, key);

/** The values of these settings may contain secrets, so they are not kept. */
export const isSecret = (subject: ChangeItem['subject']): boolean =>
  subject === 'servers' || subject === 'clientTokens';

type Entries = Map<string, { label: Label; value: unknown }>;

function entriesOf(subject: Covered, setting: unknown): Entries {
  const shape = shapes[subject];
  const entry = (label: Label, value: unknown) => [label.key, { label, value }] as const;
  if (shape === 'single') return new Map([entry({ key: '', name: '' }, setting)]);
  if (shape === 'record')
    return new Map(Object.entries(setting as object).map(([name, value]) => entry(ofClient(name), value)));
  if ('names' in shape) return new Map((setting as string[]).map((name) => entry(shape.names(name), true)));
  return new Map((setting as Named[]).map((item) => entry(shape.each(item), item)));
}

export type Difference = Omit<ChangeItem, 'isKept'>;

export const same = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || isDeepStrictEqual(plain(one), plain(other));

/** As it is after a restart, which omits undefined values. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** A value before and after a change; undefined if there is no difference. */
export function differenceOf(item: Omit<Difference, 'kind'>): Difference | undefined {
  const { before, after } = item;
  if (same(before, after)) return undefined;
  return { ...item, kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed' };
}

/** The values that differ. A permission that has merely expired is no change. */
export function differences(subject: Covered, before: unknown, after: unknown, now: number): Difference[] {
  const old = entriesOf(subject, before);
  const present = entriesOf(subject, after);
  return [...new Set([...old.keys(), ...present.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key), present.get(key)];
    const label = (is ?? was)?.label ?? { key, name: key };
    if (!is && hasExpired(was?.value, now)) return [];
    return differenceOf({ subject, ...label, ...switched(subject, was?.value, is?.value) }) ?? [];
  });
}

/** Some servers keep in their own entry that they are disabled. This is the same decision as one in `disabledServers`. */
function switched(subject: Covered, before: unknown, after: unknown): Partial<Difference> {
  if (subject !== 'servers' || !isObject(before) || !isObject(after)) return { before, after };
  if (!same({ ...before, enabled: 0 }, { ...after, enabled: 0 })) return { before, after };
  const disabled = ({ enabled }: Record<string, unknown>) => (enabled === false ? true : undefined);
  return { subject: 'disabledServers', before: disabled(before), after: disabled(after) };
}

const hasExpired = (value: unknown, now: number) =>
  isObject(value) && typeof value.expiresAt === 'number' && value.expiresAt <= now;

/** The values of a setting by key. */
export const valuesOf = (subject: Covered, setting: unknown): ReadonlyMap<string, unknown> =>
  new Map(Array.from(entriesOf(subject, setting), ([key, { value }]) => [key, value]));

/** The setting with one item put back to `before`; undefined removes it. */
export function withValue<K extends Covered>(subject: K, key: string, before: unknown, setting: unknown): Settings[K] {
  const shape: Shape = shapes[subject];
  const entries = entriesOf(subject, setting);
  if (before === undefined) entries.delete(key);
  else entries.set(key, { label: { key, name: key }, value: before });
  const values = Array.from(entries.values(), ({ value }) => value);
  if (shape === 'single') return before as Settings[K];
  if (shape === 'record') return Object.fromEntries([...entries].map(([name, { value }]) => [name, value])) as never;
  return ('names' in shape ? [...entries.keys()] : values) as unknown as Settings[K];
}

/** Whether putting `before` back may allow agents more than `after` does. Anything not known to restrict them may. */
export function mayWiden({ subject, kind, before, after }: ChangeItem): boolean {
  switch (subject) {
    case 'servers':
    case 'grants':
    case 'knownDestinations':
    case 'registries':
      return kind !== 'added';
    case 'batch':
      return before !== undefined && before !== false;
    case 'disabledServers':
      return before === undefined;
    case 'serverTags':
      return false;
    case 'overrides':
      return overrideWidens(objectOf(before), objectOf(after));
    default:
      return true;
  }
}

const objectOf = (value: unknown) => (isObject(value) ? value : {});

/** The values of an override, from the most restrictive to the least. An absent value follows the rules. */
const strictness: [name: string, strictest: unknown, loosest: unknown][] = [
  ['enabled', false, true],
  ['confirm', 'always', 'never'],
  ['destinations', 'known', 'any'],
];

function overrideWidens(before: Record<string, unknown>, after: Record<string, unknown>): boolean {
  return strictness.some(
    ([name, strictest, loosest]) =>
      before[name] !== after[name] && before[name] !== strictest && after[name] !== loosest,
  );
}
