/** The programs that start packages: checks whether they are installed, and says how to install them. */
import which from 'which';
import { sourceOf } from '../../../shared/program-sources.ts';
import type { Host } from '../host.ts';

/** Searches the PATH of the login shell, which servers use as well. */
export async function findRuntime(command: string, { env }: Pick<Host, 'env'>) {
  const found = await which(command, { path: env.PATH ?? env.Path ?? '', nothrow: true });
  const source = sourceOf(command);
  return { command, isMissing: found === null, fix: source ? `Install ${source}.` : '' };
}
