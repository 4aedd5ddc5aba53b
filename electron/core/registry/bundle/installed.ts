/** Finds the installed server that a bundle updates. Pure. */
import type { Signer } from '../../../../shared/model/registry.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';

/** `RegistryOrigin.registry` of a server that was installed from a bundle. */
export const fileSource = 'file';

/**
 * The server of an earlier version of the bundle. Anyone can choose the name of a bundle, so only the signature shows
 * that both have the same publisher: `warning` is set if it does not. A bundle with another signer updates nothing,
 * because it would get the server's secrets.
 */
export function installedBefore(
  servers: readonly ServerConfig[],
  { name, version }: { name: string; version: string },
  signer: Signer | undefined,
): { replace?: ServerConfig; warning?: string } {
  const earlier = servers.filter(
    ({ registry }) => registry?.registry === fileSource && registry.name === name && isNewer(version, registry.version),
  );
  const replace = earlier.find(({ registry }) => !registry?.signer || registry.signer.key === signer?.key);
  const [first] = earlier;
  if (!replace && first)
    return {
      warning: `"${first.name}" was installed from a bundle with this name, but from another signer. This bundle does not update it.`,
    };
  if (!replace) return {};
  if (replace.registry?.signer) return { replace };
  return { replace, warning: `The installed version is not signed, so this may come from another publisher.` };
}

/** Compares the numbers of two versions; with the same numbers, a version without a label (`-beta`) is newer. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)];
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] as number;
    if (number !== other) return number > other;
  }
  if (a.label === b.label) return false;
  if (a.label === '' || b.label === '') return a.label === '';
  return a.label.localeCompare(b.label, 'en', { numeric: true }) > 0;
}

function partsOf(version: string): { numbers: number[]; label: string } {
  const [, text = '', label = ''] = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})?[-.]?([^+]*)/.exec(version) ?? [];
  const numbers = text.split('.').map(Number);
  return { numbers: [0, 1, 2, 3].map((index) => numbers[index] ?? 0), label };
}
