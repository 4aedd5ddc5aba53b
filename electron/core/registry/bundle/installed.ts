/** Finds the installed server that a bundle updates. Pure. */
import type { ServerConfig } from '../../../../shared/model/server.ts';

/** `RegistryOrigin.registry` of a server that was installed from a bundle. */
export const fileSource = 'file';

/** The server of an earlier version of the bundle. `warning`: anyone can choose the name of a bundle. */
export function installedBefore(
  servers: readonly ServerConfig[],
  { name, version }: { name: string; version: string },
): { replace?: ServerConfig; warning?: string } {
  const replace = servers.find(
    ({ registry }) => registry?.registry === fileSource && registry.name === name && isNewer(version, registry.version),
  );
  if (!replace) return {};
  return { replace, warning: 'Anyone can give a bundle this name, so it may come from another publisher.' };
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
