/**
 * Limits a grant to calls like the approved one: paths inside a folder, a fixed argument value, a number up to the
 * approved one, or addresses of one origin.
 */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Condition } from '../../../shared/model/question.ts';
import { redact } from '../secrets/redact.ts';
import {
  addressName,
  amountName,
  contentName,
  destinationName,
  ownerName,
  pathName,
  placeName,
  unitName,
  wordsOf,
} from './argument-names.ts';
import {
  type Arguments,
  carriesProgram,
  type Found,
  type Leaf,
  leavesIn,
  nearestName,
  stringsIn,
  valuesNamed,
} from './argument-values.ts';
import { isInside, isTooWide, resolvedPath } from './paths.ts';

const maxSuggestions = 8;

/**
 * Ways to limit a grant for this call, most useful first. Never uses a value that looks secret. `only: folders` leaves
 * places and addresses to the known destinations, unless the call has an amount: a grant limits both.
 */
export async function suggestConditions(args: Arguments, only?: 'folders'): Promise<Condition[]> {
  if (Object.keys(args).length > maxArguments) return [];
  const folders = await foldersOf(args);
  const shown = withoutSecrets(args);
  const hasAmount = Object.entries(shown).some(isAmount);
  if (only === 'folders' && !hasAmount) return folders.filter((condition) => !leavesDestination([condition], args));
  let origins: ReturnType<typeof originsIn>;
  const others = Object.entries(shown).flatMap((entry): Condition[] => {
    if (isAmount(entry)) return [{ kind: 'atMost', argument: entry[0], value: entry[1] }];
    const [argument, value] = entry;
    const origin = originOf(value);
    if (origin !== undefined) {
      const condition: Condition = { kind: 'host', argument, value: origin };
      origins ??= originsIn(args);
      return isOnly(origins, origin) ? [condition] : [];
    }
    const words = wordsOf(argument);
    const isPlace = placeName.test(words) || destinationName.test(words) || (hasAmount && unitName.test(words));
    return isPlace && isComparable(value) ? [{ kind: 'is', argument, value }] : [];
  });
  return [...folders, ...others]
    .slice(0, maxSuggestions)
    .filter((condition) => !leavesDestination(withOwnersIn([condition], shown), args));
}

/**
 * Returns the chosen conditions. Adds the destination of the approved call, because no limited grant allows sending
 * something elsewhere. For a chosen place, also adds the places in the approved call that contain it, and for an amount its
 * unit.
 */
export const withOwners = (chosen: readonly Condition[], args: Arguments): Condition[] =>
  chosen.length === 0 ? [] : withOwnersIn(chosen, withoutSecrets(args));

function withOwnersIn(chosen: readonly Condition[], shown: Arguments): Condition[] {
  const isPlace = chosen.some(({ kind }) => kind === 'is');
  const hasAmount = chosen.some(({ kind }) => kind === 'atMost');
  const isKept = (argument: string, value: unknown) =>
    (isPlace && ownerName.test(wordsOf(argument))) ||
    (hasAmount && unitName.test(wordsOf(argument))) ||
    (destinationName.test(wordsOf(argument)) &&
      !chosen.some((condition) =>
        isChecked(condition, { argument, place: { name: argument, outer: undefined }, value }),
      ));
  const named = new Set(chosen.flatMap((condition) => (condition.kind === 'is' ? [condition.argument] : [])));
  const owners = Object.entries(shown).flatMap(([argument, value]): Condition[] =>
    !named.has(argument) && isComparable(value) && isKept(argument, value) ? [{ kind: 'is', argument, value }] : [],
  );
  return [...chosen, ...owners];
}

/** Longer values do not become conditions. */
const maxCompared = 2_000;
const maxArguments = 200;

/** The arguments that may become conditions: none that is secret, long, a list or an object. */
function withoutSecrets(args: Arguments): Arguments {
  const short = Object.entries(args).filter(
    ([, value]) => typeof value !== 'object' && String(value).length <= maxCompared,
  );
  const given = Object.fromEntries(short);
  const shown = redact(given) as Arguments;
  return Object.fromEntries(short.filter(([argument, value]) => Object.is(shown[argument], value)));
}

/**
 * Whether the condition checks the value. A folder condition checks all paths, a host condition all addresses, and each
 * condition its own argument.
 */
function isChecked(condition: Condition, { argument, place, value }: Leaf): boolean {
  if (condition.kind === 'inside') return typeof value === 'string' && isPathLike(value);
  if (condition.kind === 'atMost') return false;
  if (condition.argument === argument) return true;
  return condition.kind === 'host' && addressName.test(wordsOf(place.name)) && originOf(value) !== undefined;
}

function isComparable(value: unknown): value is string | number | boolean {
  const isShort = typeof value === 'string' && value !== '' && value.length <= 100 && !/[\r\n]/.test(value);
  return isShort || isExact(value) || typeof value === 'boolean';
}

/** Beyond 2⁵³, different numbers compare as equal, but servers receive the original digits. */
const isExact = (value: unknown): value is number => Number.isSafeInteger(value);

/** A number from which a limit can be made. */
function isAmount(entry: [string, unknown]): entry is [string, number] {
  const [argument, value] = entry;
  return amountName.test(wordsOf(argument)) && isWithin(value, Number.MAX_SAFE_INTEGER);
}

/** A negative amount may do the opposite of a positive one. */
const isWithin = (value: unknown, most: number) => typeof value === 'number' && value >= 0 && value <= most;

/** Whether the conditions, as granted for this call, leave the choice of a destination to the agent. */
function leavesDestination(conditions: readonly Condition[], args: Arguments): boolean {
  const nearest = nearestName((name) => destinationName.test(name));
  const isLeft = (leaf: Leaf) =>
    nearest(leaf.place) !== undefined && !conditions.some((condition) => isChecked(condition, leaf));
  return leavesIn(args)?.some(isLeft) ?? true;
}

/** The folder of each path, and the one that contains them all. */
async function foldersOf(args: Arguments): Promise<Condition[]> {
  const paths = pathsIn(args);
  if (!paths || paths.length === 0 || carriesProgram(args)) return [];
  const resolved = await Promise.all(paths.slice(0, 20).map(({ value }) => resolvedPath(value)));
  if (resolved.includes(undefined)) return [];
  const folders = await Promise.all(
    (resolved as string[]).map(async (path) =>
      (await stat(path).catch(() => undefined))?.isDirectory() ? path : dirname(path),
    ),
  );
  let common = folders[0] as string;
  while (!folders.every((folder) => isInside(common, folder))) common = dirname(common);
  // A folder that contains only some of the paths would not cover the approved call itself.
  const candidates = [common, dirname(common)].filter(
    (folder, index, all) => !isTooWide(folder) && all.indexOf(folder) === index,
  );
  return candidates.map(
    (value): Condition =>
      resolved.includes(value) ? { kind: 'inside', value, itself: true } : { kind: 'inside', value },
  );
}

/** Whether a call meets all conditions. A condition that cannot be checked is not met. */
export async function holds(conditions: readonly Condition[], args: Arguments): Promise<boolean> {
  const exact = new Set(conditions.flatMap((condition) => (condition.kind === 'is' ? [condition.argument] : [])));
  for (const condition of conditions) {
    const value =
      condition.kind !== 'inside' && Object.hasOwn(args, condition.argument) ? args[condition.argument] : undefined;
    if (condition.kind === 'host' && !(originOf(value) === condition.value && isOnly(originsIn(args), condition.value)))
      return false;
    if (condition.kind === 'is' && !(isExactly(value, condition.value) && keepsValue(condition, args))) return false;
    if (condition.kind === 'atMost' && !(isWithin(value, condition.value) && keepsMost(condition, args))) return false;
  }
  if (conditions.length > 0 && leavesDestination(conditions, args)) return false;
  const folders = conditions.filter((condition) => condition.kind === 'inside');
  return folders.length === 0 || keepsInside(folders, args, exact);
}

const isExactly = (value: unknown, approved: unknown) =>
  value === approved && (typeof value !== 'number' || isExact(value));

/** Whether the argument has this value wherever its name appears. */
const keepsValue = ({ argument, value }: { argument: string; value: unknown }, args: Arguments) =>
  valuesNamed(args, argument)?.every((other) => isExactly(other, value)) ?? false;

/** Whether the argument is at most this number wherever its name appears. */
const keepsMost = ({ argument, value: most }: { argument: string; value: number }, args: Arguments) =>
  valuesNamed(args, argument)?.every((other) => isWithin(other, most)) ?? false;

type InsideCondition = Extract<Condition, { kind: 'inside' }>;

/** Whether the call has paths and all of them are in every folder. */
async function keepsInside(folders: InsideCondition[], args: Arguments, exact: Set<string>): Promise<boolean> {
  const found = pathsIn(args);
  if (!found || carriesProgram(args)) return false;
  // A folder that has become a link to another place is not the folder that the user granted.
  for (const { value } of folders) if ((await resolvedPath(value)) !== value) return false;
  const paths = found.filter(({ argument }) => !exact.has(argument));
  if (paths.length === 0) return false;
  for (const { value } of paths) {
    const path = isPlainPath(value) ? await resolvedPath(value) : undefined;
    const isCovered = (folder: InsideCondition) =>
      path !== undefined && isInside(folder.value, path) && (folder.itself === true || path !== folder.value);
    if (!folders.every(isCovered)) return false;
  }
  return true;
}

/** Characters that some servers convert to a separator or a dot when they normalize Unicode. */
const likeSeparator = /[\u2024-\u2026\u2044\u2215\u29f5\u29f8\ufe52\ufe68\uff0e\uff0f\uff3c\uff5e\uff1a]/;

/** Several paths in one string, as in `/a,/b`. */
const severalPaths = /[,;:|\s]\s*(?:[\\/~]|file:|[A-Za-z]:[\\/])/i;

/** A server may expand wildcards and variables, and may decode percent encoding outside URLs. */
function isPlainPath(value: string): boolean {
  const rest = value.replace(/^(?:file:|[A-Za-z]:)/i, '');
  return (
    !/[*?$`\r\n]/.test(value) &&
    !severalPaths.test(rest) &&
    !likeSeparator.test(value) &&
    (/^file:/i.test(value) || !/%[0-9a-f]{2}/i.test(value))
  );
}

/** Every string among the arguments that is a path by form or by name; undefined if they are too deep to check. */
function pathsIn(args: Arguments): Found[] | undefined {
  return stringsIn(args)?.filter(({ argument, name, value, isKey }) => {
    if (isPathLike(value)) return true;
    if (isKey) return /[\\/]/.test(value);
    if (pathName.test(wordsOf(name)) || pathName.test(wordsOf(argument))) return true;
    return /[\\/]/.test(value) && !/[\r\n]/.test(value) && !contentName.test(wordsOf(name));
  });
}

function isPathLike(value: string): boolean {
  if (/^(?:~|\\\\|[A-Za-z]:[\\/]|file:|\.{1,2}(?:[\\/]|$))/i.test(value)) return true;
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(value)) return true;
  // Multi-line text that starts with a slash is content, unless the name of the argument identifies it as a path.
  return value.startsWith('/') && !/[\r\n]/.test(value);
}

/** The origins of all addresses among the arguments, at any depth; undefined if they are too deep or too many to check. */
function originsIn(args: Arguments): Set<string | undefined> | undefined {
  const addresses = stringsIn(args)?.filter(({ name, value, isKey }) => {
    const isAddress = /[a-z\d+.-]:\/\//i.test(value) || /^[\\/]{2}/.test(value);
    return isAddress || (!isKey && addressName.test(wordsOf(name)));
  });
  return addresses && new Set(addresses.map(({ value }) => originOf(value)));
}

const isOnly = (origins: Set<string | undefined> | undefined, origin: string) =>
  origins?.size === 1 && origins.has(origin);

/**
 * The origin of a web address, as in `https://example.com`; undefined for anything else, and for addresses that a server
 * may read differently.
 */
function originOf(value: unknown): string | undefined {
  // Some servers take what follows an `@` for the host, also after a `?`, or stop at a control character.
  if (typeof value !== 'string' || !/^https?:\/\/[^/?#@]+(?:\/|[?#][^@]*$|$)/i.test(value)) return undefined;
  if (/[\s\\\p{Cc}]/u.test(value)) return undefined;
  const url = URL.parse(value);
  return url && !url.username && !url.password ? url.origin : undefined;
}
