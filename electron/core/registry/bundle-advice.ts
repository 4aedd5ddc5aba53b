/** Tells the user how to install a bundle that a registry lists, because Toolkeep does not download bundles. */
import type { Package } from './entry.ts';

export function bundleAdvice({ identifier, fileSha256 = '' }: Package): string {
  if (URL.parse(identifier)?.protocol !== 'https:') return `"${identifier}" is not the address of a bundle.`;
  if (!/^[a-f0-9]{64}$/.test(fileSha256)) return 'The entry has no SHA-256, so its bundle cannot be verified.';
  return `Toolkeep does not download bundles. Download ${identifier}, then run \`toolkeep bundle add FILE --sha256 ${fileSha256}\`.`;
}
