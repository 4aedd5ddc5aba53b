/** Exit codes of the command line, as its specification has them (requirement row A6), and failures as people read them. */
import { type Failure, type FailureCode, failureCodes } from '../../shared/failure.ts';

export const exit = { ok: 0, badArguments: 1, notFound: 2, configError: 2, failed: 3, disabled: 4 } as const;

const codes: Partial<Record<FailureCode, number>> = {
  ARGUMENTS_INVALID: exit.badArguments,
  INPUT_INVALID: exit.badArguments,
  CLIENT_UNKNOWN: exit.badArguments,
  SERVER_NOT_FOUND: exit.notFound,
  TOOL_NOT_FOUND: exit.notFound,
  PROFILE_NOT_FOUND: exit.notFound,
  CONFIG_INVALID: exit.configError,
  TOOL_DISABLED: exit.disabled,
  TOOL_HELD_BACK: exit.disabled,
  SERVER_DISABLED: exit.disabled,
};

export function exitCodeOf(failure: Failure): number {
  return codes[failure.code] ?? exit.failed;
}

/** A mistake in the arguments themselves, found before anything ran. */
export function badArguments(message: string, hint?: string): Failure {
  return { code: 'INPUT_INVALID', message, ...(hint ? { hint } : {}) };
}

/** Where the words of the table are for an agent and its meta-tools; a mistake in the arguments tells all in its message. */
const atTerminal: Partial<Record<FailureCode, string>> = {
  ARGUMENTS_INVALID: 'See what it takes with `gatehouse inspect SERVER TOOL`.',
  INPUT_INVALID: '',
  APPROVAL_DENIED: '',
  PROFILE_NOT_FOUND: 'See which there are with `gatehouse profiles`.',
  SERVER_CRASHED: '',
  SERVER_NOT_FOUND: 'See which there are with `gatehouse list`.',
  TOOL_NOT_FOUND: 'See which there are with `gatehouse tools SERVER`.',
};

/** What to do next: the failure's own hint, or the one that goes with its code; empty where there is nothing to add. */
export function nextStep(failure: Failure): string {
  return failure.hint ?? atTerminal[failure.code] ?? failureCodes[failure.code];
}
