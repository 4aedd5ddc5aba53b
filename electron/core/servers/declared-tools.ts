/**
 * Tools that a configuration declares. They are known before the server is discovered; discovery then replaces them.
 */
import type { ServerConfig } from '../../../shared/model/server.ts';
import { type Catalog, declaredHash } from '../tools/catalog/catalog.ts';
import { assessDeclared } from '../tools/discovery/discovery.ts';
import type { CatalogDiff } from '../types.ts';

/** Puts the declared tools into the catalog, unless the server itself has been discovered. */
export async function declareTools(
  { name, tools = [] }: ServerConfig,
  slug: string,
  { catalog, onDiscovered }: { catalog: Catalog; onDiscovered(name: string, diff: CatalogDiff): void },
): Promise<void> {
  if (tools.length === 0 || catalog.isDiscovered(name)) return;
  const discovered = await assessDeclared(name, tools, slug);
  if (catalog.isDiscovered(name)) return;
  onDiscovered(name, catalog.replace(name, discovered, declaredHash));
}
