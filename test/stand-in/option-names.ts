/** Checks the options that the app passes against electron.d.ts: misspelled names and options of another platform throw. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from './platform.ts';

const definitions = readFileSync(join(import.meta.dirname, '../../node_modules/electron/electron.d.ts'), 'utf8');
const known = new Map<string, Map<string, string | undefined>>();

/** The members of an interface with the platforms of their `@platform` tags. */
function membersOf(name: string): Map<string, string | undefined> {
  const found = known.get(name);
  if (found) return found;
  const match = new RegExp(`\\n  interface ${name}(?: extends (\\w+))? \\{\\n([\\s\\S]*?)\\n  \\}\\n`).exec(
    definitions,
  );
  if (!match) throw new Error(`electron.d.ts has no interface ${name}`);
  const members = new Map<string, string | undefined>(match[1] ? membersOf(match[1]) : []);
  for (const [, comment = '', member = ''] of (match[2] ?? '').matchAll(
    /((?: {4}\/\*\*[\s\S]*?\*\/\n)?) {4}(\w+)\??:/g,
  ))
    members.set(member, /@platform ([\w,]+)/.exec(comment)?.[1]);
  known.set(name, members);
  return members;
}

/** Throws if `options` has a key that the interface lacks or that exists only on another platform. */
export function checkOptions(name: string, options: object): void {
  const members = membersOf(name);
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!members.has(key)) throw new Error(`electron.d.ts has no ${name}.${key}`);
    const platforms = members.get(key);
    // An option that exists on only one platform belongs in code for that platform. Other options may be ignored.
    if (platforms && !platforms.includes(',') && platforms !== platform)
      throw new Error(`${name}.${key} has no effect on ${platform}, only on ${platforms}`);
  }
}
