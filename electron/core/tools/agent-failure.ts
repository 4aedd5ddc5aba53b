/** A server's failure as agents may read it. Its message can quote the server's output. */
import { type Failure, failureCodes } from '../../../shared/failure.ts';
import { findPoisonIn } from './assessment/poisoning.ts';

/** Leaves out a message that is meant to mislead the agent. The user reads all of it. */
export function agentFailure(failure: Failure): Failure {
  const { code, message } = failure;
  if (!code.startsWith('SERVER_') || findPoisonIn(message).length === 0) return failure;
  return { ...failure, message: `${failureCodes[code]} Toolkeep leaves out what the server wrote.` };
}
