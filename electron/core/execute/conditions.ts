/** Narrows a grant to calls like the one that was approved (row N2): paths inside a folder, an argument of one value, a host. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Condition } from '../../../shared/model.ts';
import { redact } from '../secrets/secrets.ts';
import { isInside, isTooWide, placeOf } from './paths.ts';

type Arguments = Record<string, unknown>;

const maxSuggestions = 8;
const maxDepth = 32;

const wordsOf = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
const pathName =
  /(?:^|[_\-.\s])(?:paths?|files?|filenames?|filepaths?|dirs?|director(?:y|ies)|folders?|source|src|destination|dest|cwd|root)(?:$|[_\-.\s])/;
/** Names of arguments that say on what a tool works, rather than what it does there. */
const placeName =
  /(?:^|[_\-.\s])(?:repo|repository|owner|org|organi[sz]ation|project|branch|channel|database|db|schema|table|collection|workspace|team|account|tenant|domain|host|environment|env|bucket|namespace|cluster|region|site|recipient|to|user|username|email)(?:$|[_\-.\s](?:id|name)?$)/;

/** A program can reach anywhere, wherever it starts: no folder narrows a call that carries one. */
const programName =
  /(?:^|[_\-.\s])(?:commands?|cmd|args|argv|script|code|shell|program|executable|sql|query)(?:$|[_\-.\s])/;
const carriesProgram = (args: Arguments) => Object.keys(args).some((name) => programName.test(wordsOf(name)));

/** Ways to narrow a grant for this call, the most telling ones first. Nothing that looks like a secret. */
export async function suggestConditions(args: Arguments): Promise<Condition[]> {
  const folders = await foldersOf(args);
  const shown = redact(args) as Arguments;
  const others = Object.entries(args).flatMap(([argument, value]): Condition[] => {
    if (shown[argument] !== value) return [];
    const host = hostOf(value);
    if (host !== undefined) return [{ kind: 'host', argument, value: host }];
    const isShort = typeof value === 'string' && value !== '' && value.length <= 100 && !/[\r\n]/.test(value);
    const isScalar = isShort || isExact(value) || typeof value === 'boolean';
    return isScalar && placeName.test(wordsOf(argument)) ? [{ kind: 'is', argument, value }] : [];
  });
  return [...folders.map((value): Condition => ({ kind: 'inside', value })), ...others].slice(0, maxSuggestions);
}

/** Beyond 2⁵³ different numbers are one here, while servers get the digits as they came. */
const isExact = (value: unknown): value is number => Number.isSafeInteger(value);

/** The folder of each path, and the one that holds them all. */
async function foldersOf(args: Arguments): Promise<string[]> {
  if (carriesProgram(args)) return [];
  const places = await Promise.all(
    pathsIn(args)
      .slice(0, 20)
      .map(({ value }) => placeOf(value)),
  );
  if (places.length === 0 || places.includes(undefined)) return [];
  const folders = await Promise.all(
    (places as string[]).map(async (place) =>
      (await stat(place).catch(() => undefined))?.isDirectory() ? place : dirname(place),
    ),
  );
  let common = folders[0] as string;
  while (!folders.every((folder) => isInside(common, folder))) common = dirname(common);
  // One that holds only some of the paths would not cover the very call that it was granted for.
  const parent = dirname(common);
  return [common, parent].filter((folder, index, all) => !isTooWide(folder) && all.indexOf(folder) === index);
}

/** Whether a call keeps to all conditions. Anything that cannot be told for certain breaks them. */
export async function holds(conditions: readonly Condition[], args: Arguments): Promise<boolean> {
  if (conditions.length === 0) return true;
  const exact = new Set(conditions.flatMap((condition) => (condition.kind === 'is' ? [condition.argument] : [])));
  for (const condition of conditions) {
    if (condition.kind === 'inside') continue;
    const value = Object.hasOwn(args, condition.argument) ? args[condition.argument] : undefined;
    if (condition.kind === 'host' && hostOf(value) !== condition.value) return false;
    if (condition.kind === 'is' && (value !== condition.value || (typeof value === 'number' && !isExact(value))))
      return false;
  }
  const folders = conditions.flatMap((condition) => (condition.kind === 'inside' ? [condition.value] : []));
  return folders.length === 0 || keepsInside(folders, args, exact);
}

/** Every path of the call lies in every folder, and there is at least one. */
async function keepsInside(folders: string[], args: Arguments, exact: Set<string>): Promise<boolean> {
  if (carriesProgram(args)) return false;
  // A folder that became a link to elsewhere is no longer the one that was granted.
  for (const folder of folders) if ((await placeOf(folder)) !== folder) return false;
  const paths = pathsIn(args).filter(({ argument }) => !exact.has(argument));
  if (paths.length === 0) return false;
  for (const { value } of paths) {
    const place = await placeOf(value);
    if (place === undefined || !folders.every((folder) => isInside(folder, place))) return false;
  }
  return true;
}

/** Every text among the arguments, however deep, that is a path by its form or by its name. */
function pathsIn(args: Arguments): { argument: string; value: string }[] {
  const found: { argument: string; value: string }[] = [];
  const look = (value: unknown, argument: string, named: boolean, depth: number): void => {
    if (typeof value === 'string') {
      if (named || isPathLike(value)) found.push({ argument, value });
    } else if (depth > maxDepth) {
      // Too deep to be looked at: a path that nothing covers.
      found.push({ argument, value: '' });
    } else if (Array.isArray(value)) {
      for (const entry of value) look(entry, argument, named, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, entry] of Object.entries(value)) {
        // A key may be the path itself: {"/etc/hosts": "…"}.
        if (isPathLike(key)) found.push({ argument, value: key });
        look(entry, argument, named || pathName.test(wordsOf(key)), depth + 1);
      }
    }
  };
  for (const [argument, value] of Object.entries(args)) look(value, argument, pathName.test(wordsOf(argument)), 0);
  return found;
}

function isPathLike(value: string): boolean {
  if (/^(?:~|\\\\|[A-Za-z]:[\\/]|file:|\.{1,2}(?:[\\/]|$))/i.test(value)) return true;
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(value)) return true;
  // A text of many lines that begins with a slash is content, unless its name says otherwise.
  return value.startsWith('/') && !/[\r\n]/.test(value);
}

/** The host of a web address; undefined for anything else, and where credentials could make it read differently. */
function hostOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value)) return undefined;
  const url = URL.parse(value);
  return url && !url.username && !url.password ? url.host : undefined;
}
