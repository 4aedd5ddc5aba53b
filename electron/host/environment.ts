/**
 * Reads the environment of the user's login shell, because an app started from a dock or a menu does not get the
 * shell's PATH.
 */
import { delimiter } from 'node:path';
import { shellEnv } from 'shell-env';
import type { Host } from '../core/host.ts';
import { withoutAppVariables } from './app-image.ts';

const timeoutMs = 5_000;

/**
 * Merges the login shell's environment over `given`, without the variables of the app itself. The folders of the given PATH
 * that the shell's lacks, such as those of a version manager in a terminal, follow at its end. If the shell fails or takes longer
 * than five seconds, logs a warning and returns `given`. `TOOLKEEP_NO_SHELL_ENV=1` skips the shell.
 */
export async function loginShellEnv(given: NodeJS.ProcessEnv, log: Host['log']): Promise<NodeJS.ProcessEnv> {
  const env = withoutAppVariables(given);
  if (env.TOOLKEEP_NO_SHELL_ENV === '1' || process.platform === 'win32') return { ...env };
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    log(
      'warn',
      `The login shell did not return its environment within ${timeoutMs / 1000} s; servers get the environment of this process.`,
    );
    timeout.resolve(undefined);
  }, timeoutMs);
  try {
    const shell = await Promise.race([shellEnv(env.SHELL || undefined), timeout.promise]);
    // The data folder is already open, so ignore any TOOLKEEP_HOME from the shell's startup files.
    return {
      ...env,
      ...(shell && withoutAppVariables({ APPDIR: given.APPDIR, ...shell })),
      ...(shell?.PATH !== undefined && env.PATH !== undefined && { PATH: withFoldersOf(env.PATH, shell.PATH) }),
      ...(env.TOOLKEEP_HOME && { TOOLKEEP_HOME: env.TOOLKEEP_HOME }),
    };
  } catch (error) {
    log('warn', `Reading the environment of the login shell failed: ${String(error)}`);
    return { ...env };
  } finally {
    clearTimeout(timer);
  }
}

function withFoldersOf(given: string, path: string): string {
  const folders = [path, given].flatMap((one) => one.split(delimiter)).filter((folder) => folder !== '');
  return [...new Set(folders)].join(delimiter);
}
