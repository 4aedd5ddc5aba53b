/** The exit codes of the command line, and the next step to print for a failure. */
import { type Failure, type FailureCode, fail, failureCodes } from '../../shared/failure.ts';

export const exit = { ok: 0, badArguments: 1, notFound: 2, configError: 2, failed: 3, disabled: 4 } as const;

const codes: Partial<Record<FailureCode, number>> = {
  ARGUMENTS_INVALID: exit.badArguments,
  INPUT_INVALID: exit.badArguments,
  CLIENT_UNKNOWN: exit.badArguments,
  SERVER_NOT_FOUND: exit.notFound,
  TOOL_NOT_FOUND: exit.notFound,
  PROFILE_NOT_FOUND: exit.notFound,
  REGISTRY_ENTRY_NOT_FOUND: exit.notFound,
  CONFIG_INVALID: exit.configError,
  TOOL_DISABLED: exit.disabled,
  TOOL_HELD_BACK: exit.disabled,
  SERVER_DISABLED: exit.disabled,
};

export function exitCodeOf(failure: Failure): number {
  return codes[failure.code] ?? exit.failed;
}

/** An error in the arguments themselves, detected before anything runs. */
export const badArguments = (message: string, hint?: string) => fail('INPUT_INVALID', message, { hint });

/** Replaces hints written for agents. Empty if the message already says everything. */
const atTerminal: Partial<Record<FailureCode, string>> = {
  ARGUMENTS_INVALID: 'Run `toolkeep inspect SERVER TOOL` to see its parameters.',
  INPUT_INVALID: '',
  APPROVAL_DENIED: '',
  APPROVAL_TIMEOUT: '',
  CONFIG_INVALID: '',
  PROFILE_NOT_FOUND: 'Run `toolkeep profiles` to list the profiles.',
  SERVER_CRASHED: '',
  SERVER_NOT_FOUND: 'Run `toolkeep list` to list the servers.',
  TOKEN_NOT_FOUND: 'Run `toolkeep token list` to list the tokens.',
  TOOL_NOT_FOUND: 'Run `toolkeep tools SERVER` to list its tools.',
};

/** The next step: the failure's own hint, or else the hint for its code. Empty if there is nothing to add. */
export function nextStep(failure: Failure): string {
  return failure.hint ?? atTerminal[failure.code] ?? failureCodes[failure.code];
}
