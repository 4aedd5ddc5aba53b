/** The environment of the person's login shell: apps started from a dock or a tray have none of its PATH. */
import { shellEnv } from 'shell-env';
import type { Host } from '../core/host.ts';

const limitMs = 5_000;

/**
 * The login shell's environment merged over `env`. A shell that fails or takes longer than five seconds costs nothing but a
 * warning. `GATEHOUSE_NO_SHELL_ENV=1` and CI skip it.
 */
export async function loginShellEnv(env: NodeJS.ProcessEnv, log: Host['log']): Promise<NodeJS.ProcessEnv> {
  if (env.GATEHOUSE_NO_SHELL_ENV === '1' || env.CI || process.platform === 'win32') return { ...env };
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    log('warn', `The login shell gave no environment within ${limitMs / 1000} s; servers get the one of this process.`);
    timeout.resolve(undefined);
  }, limitMs);
  try {
    const shell = await Promise.race([shellEnv(env.SHELL || undefined), timeout.promise]);
    // GATEHOUSE_HOME decides where the data is: a shell's start-up file must not move it after the fact.
    return { ...env, ...shell, ...(env.GATEHOUSE_HOME && { GATEHOUSE_HOME: env.GATEHOUSE_HOME }) };
  } catch (error) {
    log('warn', `The login shell could not be asked for its environment: ${String(error)}`);
    return { ...env };
  } finally {
    clearTimeout(timer);
  }
}
