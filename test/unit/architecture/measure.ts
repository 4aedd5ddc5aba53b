/** Measures the size and the entanglement of the code. Each measure has one definition, so that numbers of different days compare. */
import { dirname, posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { importsOf } from './imports.ts';

type Files = ReadonlyMap<string, string>;

/** Line breaks in all files, so comments and blank lines count. */
export const linesOf = (files: Files): number =>
  [...files.values()].reduce((sum, source) => sum + source.split('\n').length - 1, 0);

/** The files of ours that a file names in imports and re-exports, also for their types. */
const ownImports = (file: string, source: string) => importsOf(file, source).filter((name) => name.startsWith('.'));

/** Files that import at least `least` files of ours. */
export const filesWithImports = (files: Files, least: number): string[] =>
  [...files].filter(([file, source]) => ownImports(file, source).length >= least).map(([file]) => file);

/** Names that two or more files declare and export, as values or types; re-exports declare nothing. */
export function sharedNames(files: Files): string[] {
  const declaredBy = new Map<string, number>();
  for (const [file, source] of files) {
    const names = new Set<string>();
    for (const { entries } of parseSync(file, source).module.staticExports)
      for (const { exportName, moduleRequest } of entries)
        if (!moduleRequest && exportName.kind === 'Name' && exportName.name) names.add(exportName.name);
    for (const name of names) declaredBy.set(name, (declaredBy.get(name) ?? 0) + 1);
  }
  return [...declaredBy].filter(([, count]) => count > 1).map(([name]) => name);
}

/** Functions, methods and arrow functions with at least `least` lines from their first character to their last, as `FILE:LINE`. */
export function longFunctions(files: Files, least: number): string[] {
  return [...files].flatMap(([file, source]) => {
    const found: string[] = [];
    const line = (offset: number) => source.slice(0, offset).split('\n').length;
    const look = ({ start, end }: { start: number; end: number }) => {
      if (line(end) - line(start) + 1 >= least) found.push(`${file}:${line(start)}`);
    };
    const { program } = parseSync(file, source);
    new Visitor({ FunctionDeclaration: look, FunctionExpression: look, ArrowFunctionExpression: look }).visit(program);
    return found;
  });
}

/** Every module may use these. */
const base = ['shared', 'async', 'files', 'jsonrpc', 'types.ts', 'host.ts', 'events.ts', 'settings.ts'];
/** These files exist to connect modules. */
const composition = ['core.ts', 'upstream.ts', 'stores.ts'];
/** `electron/core/calls/steps/x.ts` → `calls`, `electron/core/core.ts` → `core.ts`, `electron/cli/run.ts` → `cli`, `renderer/x.tsx` → `renderer`. */
const moduleOf = (file: string) => /^(?:electron\/(?:core\/)?)?([^/]+)/.exec(file)?.[1] ?? file;

/** The dependencies between all modules, in Core and outside of it, as `cli → host`: not on the base, nor from the composition. */
export function allArrows(files: Files): string[] {
  const found = new Set<string>();
  for (const [file, source] of files) {
    const from = moduleOf(file);
    for (const name of composition.includes(from) ? [] : ownImports(file, source)) {
      const target = posix.normalize(posix.join(dirname(file), name));
      const to = moduleOf(target);
      if (/\.tsx?$/.test(target) && to !== from && !base.includes(to)) found.add(`${from} → ${to}`);
    }
  }
  return [...found].sort();
}
