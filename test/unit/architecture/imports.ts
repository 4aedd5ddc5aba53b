/** Reads the imports of a source file, with type imports and re-exports, using a real parser. */
import { parseSync } from 'oxc-parser';

/** Every module that `source` names, as written. Throws if the source cannot be parsed. */
export function importsOf(file: string, source: string): string[] {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found = new Set<string>();
  for (const { moduleRequest } of module.staticImports) found.add(moduleRequest.value);
  for (const { entries } of module.staticExports)
    for (const { moduleRequest } of entries) if (moduleRequest) found.add(moduleRequest.value);
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^(['"`])(.*)\1$/.exec(source.slice(moduleRequest.start, moduleRequest.end));
    // A computed specifier (the user's config file) names no source file of Toolkeep.
    if (literal?.[2]) found.add(literal[2]);
  }
  // The parser does not report `import('x').Y` in a type as an import.
  for (const [, name] of source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) if (name) found.add(name);
  return [...found];
}
