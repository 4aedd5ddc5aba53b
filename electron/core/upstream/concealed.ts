/** What a server says in an error is part of many messages, and servers print what they were given: secrets are taken out. */
import { type Failure, GatehouseError, toFailure } from '../../../shared/failure.ts';
import { UpstreamRpcError } from './rpc-error.ts';

type Conceal = (text: string) => string;

export function concealedFailure(error: unknown, server: string, conceal: Conceal): Failure {
  const failure = toFailure(error, 'SERVER_CRASHED');
  const hint = failure.hint && { hint: conceal(failure.hint) };
  return { server, ...failure, message: conceal(failure.message), ...hint };
}

/** The same error where it holds no secret. */
export function concealedError(error: unknown, server: string, conceal: Conceal): unknown {
  if (!(error instanceof Error) || conceal(error.message) === error.message) return error;
  if (error instanceof UpstreamRpcError) return new UpstreamRpcError(error.code, conceal(error.message), error.data);
  if (!(error instanceof GatehouseError)) return new Error(conceal(error.message));
  return new GatehouseError(concealedFailure(error, server, conceal), { cause: error.cause });
}
