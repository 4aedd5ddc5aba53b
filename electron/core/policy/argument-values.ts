/** Finds names, paths, addresses and programs in a call's arguments, at any depth. */
import { wordsOf } from './argument-names.ts';

export type Arguments = Record<string, unknown>;

const maxDepth = 32;
/** More values than a user would compare. Checking all of them would take too long. */
const maxValues = 5_000;
/** In characters, of all keys together. Ordinary calls have a few hundred. */
const maxNames = 100_000;

const isLeaf = (value: unknown) => typeof value !== 'object' || value === null;

/** A string among the arguments, or a key that may itself be a path: {"/etc/hosts": "…"}. */
export interface Found {
  /** The top-level argument. */
  argument: string;
  /** The name of the nearest key. */
  name: string;
  value: string;
  /** True if the value is the key. */
  isKey: boolean;
  /** The place of the value, or of the object that has the key. */
  place: Place;
}

/** Every string and key; undefined if the arguments are too deep or too many to check. */
export function stringsIn(args: Arguments): Found[] | undefined {
  const found: Found[] = [];
  const isComplete = walk(args, ({ argument, name, place, value, isKey }) => {
    if (typeof value === 'string') found.push({ argument, name, value, isKey, place });
  });
  return isComplete ? found : undefined;
}

/** The names that lead to a value, the last one first. Values in one place share it, however many they are. */
export interface Place {
  /** A key, or the part of one between dots. */
  name: string;
  outer: Place | undefined;
}

/** A value that contains no other. */
export interface Leaf {
  /** The top-level argument. */
  argument: string;
  place: Place;
  value: unknown;
}

/** Every value that contains no other; undefined if the arguments are too deep or too many to check. */
export function leavesIn(args: Arguments): Leaf[] | undefined {
  const found: Leaf[] = [];
  const isComplete = walk(args, ({ argument, place, value, isKey }) => {
    if (!isKey && isLeaf(value)) found.push({ argument, place, value });
  });
  return isComplete ? found : undefined;
}

/** Remembers the result for each place, because many values may share one. */
export function oncePerPlace<T>(find: (place: Place) => T): (place: Place) => T {
  const found = new Map<Place, T>();
  return (place) => {
    if (!found.has(place)) found.set(place, find(place));
    return found.get(place) as T;
  };
}

/** Finds the nearest name, in words, that passes the test. */
export function nearestName(test: (words: string) => boolean): (place: Place) => string | undefined {
  const find = oncePerPlace(({ name, outer }: Place): string | undefined => {
    const words = wordsOf(name);
    return test(words) ? words : outer && find(outer);
  });
  return find;
}

/**
 * The path of each value, such as `a.b[].c`, to detect new names at any depth; undefined if too deep or too many. That of a
 * switch includes its value, as in `a.force=true`, because the other value is another action.
 */
export function namesIn(args: Arguments): string[] | undefined {
  const names = new Set<string>();
  const isComplete = walk(args, ({ path, value, isKey }) =>
    names.add(!isKey && isSwitch(value) ? `${path}=${String(value).toLowerCase()}` : path),
  );
  return isComplete ? [...names].sort() : undefined;
}

const isSwitch = (value: unknown) =>
  typeof value === 'boolean' || (typeof value === 'string' && /^(?:true|false|yes|no|on|off)$/i.test(value));

/**
 * Every value by its name in lower case, at any depth; undefined if the arguments are too deep or too many to check.
 */
export function valuesByName(args: Arguments): Map<string, unknown[]> | undefined {
  const found = new Map<string, unknown[]>();
  const isComplete = walk(args, ({ name, value, isKey }) => {
    if (isKey || !isLeaf(value)) return;
    const plain = name.toLowerCase();
    const known = found.get(plain);
    if (known) known.push(value);
    else found.set(plain, [value]);
  });
  return isComplete ? found : undefined;
}

/** Every value under this name, at any depth and in any case; undefined if the arguments are too deep or too many to check. */
export function valuesNamed(args: Arguments, wanted: string): unknown[] | undefined {
  const found = valuesByName(args);
  return found && (found.get(wanted.toLowerCase()) ?? []);
}

/** Whether two keys of one object differ only in case. Servers in some languages treat them as the same key. */
export function hasSimilarKeys(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > maxDepth) return true;
  if (Array.isArray(value)) return value.some((inner) => hasSimilarKeys(inner, depth + 1));
  const keys = Object.keys(value).map(plainKey);
  return new Set(keys).size < keys.length || Object.values(value).some((inner) => hasSimilarKeys(inner, depth + 1));
}

/** Normalizing takes far longer than checking whether it is necessary. */
const plainKey = (key: string) => (/[^\x20-\x7e]/.test(key) ? key.normalize('NFKC') : key).toLowerCase();

const programName =
  /(?:^|[_\-.\s])(?:commands?|cmd|cmdline|command_?line|args|argv|arguments|scripts?|code|shell|bash|sh|powershell|program|executable|binary|exec|execute|run|eval|sql|query|hooks?|befehl|kommando|commande|requete|requête|comando|consulta|polecenie|komut|perintah|команда|запрос|скрипт|命令|指令|脚本|コマンド|スクリプト|명령|명령어|أمر)(?:$|[_\-.\s])/;
const environmentName = /^(?:env|envs|environment|env_?vars?|environment_?variables?)$/;

/** Whether any name indicates a program or its environment. A program can access anything, wherever it starts. */
export function carriesProgram(args: Arguments): boolean {
  let found = false;
  const isComplete = walk(args, ({ name, value }) => {
    const plain = wordsOf(name);
    if (programName.test(plain)) found = true;
    if (environmentName.test(plain) && typeof value === 'object' && value !== null) found = true;
  });
  return found || !isComplete;
}

interface Visit {
  argument: string;
  name: string;
  place: Place;
  path: string;
  value: unknown;
  isKey: boolean;
}

const placeIn = (outer: Place | undefined, key: string): Place =>
  key.split('.').reduce((around, name) => ({ name, outer: around }), outer) as Place;

/** Visits every value and, as a string, every key below the top level. Returns false if it stopped at a limit. */
function walk(args: Arguments, visit: (visit: Visit) => void): boolean {
  let isComplete = true;
  let left = maxValues;
  let leftOfNames = maxNames;
  const look = (value: unknown, at: Pick<Visit, 'argument' | 'name' | 'place' | 'path'>, depth: number): void => {
    left -= 1;
    if (depth > maxDepth || left < 0) {
      isComplete = false;
      return;
    }
    visit({ ...at, value, isKey: false });
    if (Array.isArray(value)) {
      const inList = { ...at, path: `${at.path}[]` };
      for (const inner of value.slice(0, left + 1)) look(inner, inList, depth + 1);
    } else if (typeof value === 'object' && value !== null)
      // Listing the entries of a large object takes three times as long.
      for (const key of Object.keys(value)) {
        leftOfNames -= key.length;
        if (leftOfNames < 0) isComplete = false;
        if (left < 0 || leftOfNames < 0) break;
        const below = { ...at, name: key, place: placeIn(at.place, key), path: `${at.path}.${key}` };
        visit({ ...below, place: at.place, value: key, isKey: true });
        look((value as Arguments)[key], below, depth + 1);
      }
  };
  for (const argument of Object.keys(args)) {
    leftOfNames -= argument.length;
    if (leftOfNames < 0) isComplete = false;
    if (!isComplete) break;
    look(args[argument], { argument, name: argument, place: placeIn(undefined, argument), path: argument }, 0);
  }
  return isComplete;
}

/** The first name, at any depth, with more than `most` characters. */
export function nameLongerThan(most: number, value: unknown): string | undefined {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) {
      for (const inner of next) if (!isLeaf(inner)) open.push(inner);
    } else if (typeof next === 'object' && next !== null) {
      for (const key of Object.keys(next)) {
        if (key.length > most) return key;
        const inner = (next as Arguments)[key];
        if (!isLeaf(inner)) open.push(inner);
      }
    }
  }
  return undefined;
}
