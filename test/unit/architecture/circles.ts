/** Finds files that import each other in a circle, type imports included, because none can be understood first. */
import { dirname, posix } from 'node:path';
import { importsOf } from './imports.ts';

/** The circles as sentences. A file that connects two circles also counts. */
export function circles(files: ReadonlyMap<string, string>): string[] {
  const imports = new Map(
    [...files].map(([file, source]) => {
      const targets = importsOf(file, source).map((name) => posix.normalize(posix.join(dirname(file), name)));
      return [file, targets.filter((target) => files.has(target))];
    }),
  );
  const left = new Set(imports.keys());
  const importsLeft = (file: string) => (imports.get(file) ?? []).filter((target) => left.has(target));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    // A file is in no circle if it imports none of the remaining files, or if none of them imports it.
    for (const file of left) if (importsLeft(file).length === 0) left.delete(file);
    const imported = new Set([...left].flatMap(importsLeft));
    for (const file of left) if (!imported.has(file)) left.delete(file);
  }
  return [...left].map((file) => `${file} is in a circle with ${importsLeft(file).join(', ')}`);
}
