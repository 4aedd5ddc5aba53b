/** The dependencies between the modules of Core, leaving aside the general libraries and the files that compose the modules. */
import { dirname, posix } from 'node:path';
import { importsOf } from './imports.ts';

/** Every module may use these. */
const libraries = ['async', 'files', 'jsonrpc'];

/** Each dependency once, as `calls → policy`. */
export function arrows(files: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  for (const [file, source] of files) {
    const from = folderOf(file);
    if (from === undefined) continue;
    for (const name of importsOf(file, source)) {
      const to = folderOf(posix.normalize(posix.join(dirname(file), name)));
      if (to !== undefined && to !== from && !libraries.includes(to)) found.add(`${from} → ${to}`);
    }
  }
  return [...found].sort();
}

/** `electron/core/search/query/rank.ts` → `search`. Undefined for files directly in Core. */
const folderOf = (file: string) => /^electron\/core\/([a-z-]+)\//.exec(file)?.[1];
