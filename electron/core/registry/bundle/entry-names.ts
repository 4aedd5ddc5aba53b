/** Refuses file names that could lead outside their folder, or that mean different files on different systems. */
import { createSlices } from '../../async/slices.ts';
import { Refused } from '../launch.ts';

const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

const maxDepth = 32;

/** Throws `Refused`. Runs in slices, because an archive can contain any number of names. */
export async function checkNames(names: readonly string[]): Promise<void> {
  const slice = createSlices();
  const seen = new Map<string, string>();
  const folders = new Set<string>();
  for (const name of names) {
    const problem = problemOf(name);
    if (problem) throw new Refused(`The name ${JSON.stringify(name)} ${problem}.`);
    // Equal for names that mean the same file on systems that ignore case or compose characters.
    const plain = name.normalize('NFC').toLowerCase();
    const known = seen.get(plain.replace(/\/$/, ''));
    if (known !== undefined)
      throw new Refused(`${JSON.stringify(known)} and ${JSON.stringify(name)} are the same file.`);
    seen.set(plain.replace(/\/$/, ''), name);
    const parts = plain.split('/').slice(0, -1);
    // The folders above a known folder are known, too.
    for (let folder = parts.join('/'); parts.length > 0 && !folders.has(folder); folder = parts.join('/')) {
      folders.add(folder);
      parts.pop();
    }
    await slice();
  }
  for (const folder of folders) {
    await slice();
    const file = seen.get(folder);
    if (file !== undefined && !file.endsWith('/'))
      throw new Refused(`${JSON.stringify(file)} is both a file and a folder.`);
  }
}

function problemOf(name: string): string | undefined {
  if (name === '' || name.length > 1000) return 'is empty or too long';
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return 'has control characters';
  if (name.includes('\\')) return 'has a backslash';
  if (name.startsWith('/')) return 'is absolute';
  if (name.includes(':')) return 'has a colon, which marks a drive or a stream on Windows';
  const parts = name.replace(/\/$/, '').split('/');
  if (parts.length > maxDepth) return 'is nested too deeply';
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'leads outside its folder';
  if (parts.some((part) => part.length > 255 || /[<>"|?*]/.test(part))) return 'is not valid on every system';
  if (parts.some((part) => /[. ]$/.test(part))) return 'ends with a dot or a space, which Windows drops';
  return parts.some((part) => reserved.test(part)) ? 'names a device on Windows' : undefined;
}
