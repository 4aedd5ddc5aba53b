/** Checks before a server starts. */
import type { Failure } from '../../../../shared/failure.ts';
import { plainSecrets } from '../../secrets/plain-secrets.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import { checkHttp } from '../connection/http-transport.ts';
import type { HttpAuthorization, ServerHandleOptions } from '../types.ts';

/** Why a server does not start during whose last start Core died. */
export function suspectFailure(server: string): Failure {
  return {
    code: 'SERVER_CRASHED',
    message: `Toolkeep ended unexpectedly while "${server}" started, so it starts "${server}" only after you restart it.`,
    hint: 'Restart the server in Toolkeep to try again.',
    server,
  };
}

/** A warning if the arguments contain a secret, which every user's programs on this machine can read. */
export function argumentsWarning(resolved: ResolvedConnection): string | undefined {
  if (resolved.type !== 'stdio') return undefined;
  const { secrets = [], ...connection } = resolved;
  const isSecret = (arg: string) => secrets.some((secret) => arg.includes(secret));
  const isPlain = plainSecrets(connection).some(({ at }) => at.part === 'args');
  if (!isPlain && !connection.args.some(isSecret)) return undefined;
  return 'Its command line contains a secret, which every program on this computer can read. Pass it in an environment variable if the server supports that.';
}

/** Also validates the URL and headers, so that errors in them are reported in the phase `configuration`. */
export function authorizationFor(
  server: string,
  connection: ResolvedConnection,
  { authorization }: Pick<ServerHandleOptions, 'authorization'>,
): HttpAuthorization | undefined {
  if (connection.type === 'stdio') return undefined;
  checkHttp({ server, connection });
  const hasOwnToken = Object.keys(connection.headers).some((name) => name.toLowerCase() === 'authorization');
  return hasOwnToken ? undefined : authorization?.(connection.url);
}
