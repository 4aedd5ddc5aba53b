/** Failures travel as data with a stable code; bugs throw. Every code is explained, with its cure, in this one table. */

export const failureCodes = {
  ARGUMENTS_INVALID:
    "The tool's input schema does not accept these arguments. Look the schema up with get_tool_details.",
  APPROVAL_DENIED: 'The person said no. Do not try again unless they ask for it.',
  APPROVAL_PENDING: 'The person has not decided yet. Call again with the same arguments.',
  APPROVAL_UNAVAILABLE:
    'The call needs a yes from a person and nobody can be asked. Open Gatehouse or make a rule for the tool, and try again.',
  CANCELLED: 'The call was cancelled by the one who made it.',
  CLIENT_FILE_CHANGED: 'The file changed while it was being edited. Nothing was written; plan again.',
  CLIENT_FILE_INVALID: 'The client file could not be parsed, so it was left as it is. Mend it and try again.',
  CLIENT_UNKNOWN: 'No client of that name is known. See `gatehouse install --list`.',
  COMMAND_UNKNOWN: 'The face and the Core differ in version. Restart Gatehouse.',
  CONFIG_INVALID: 'A config file has a mistake. The last good configuration keeps running.',
  CONFIG_READ_ONLY: 'This setting comes from a config file. Change it there.',
  CORE_RUNNING: 'Gatehouse runs already for this data folder. Use that one, or stop it first.',
  CORE_UNREACHABLE: 'Gatehouse is not running and could not be started. Run `gatehouse serve` to see why.',
  ELICITATION_DECLINED: 'The person declined to answer what the tool asked.',
  ELICITATION_UNAVAILABLE:
    'The tool asked something and nobody could be reached. Open Gatehouse, or use a client that can answer.',
  ELICITATION_TIMEOUT: 'Nobody answered in time.',
  INTERNAL: 'A fault in Gatehouse. Please report it with the message.',
  INPUT_INVALID: 'The request to Gatehouse was not of the expected form.',
  NOT_IN_PROFILE: 'The client was connected with a profile that leaves this out. The person can change the profile.',
  PAUSED: 'Gatehouse is paused. Resume it from the tray or the window.',
  PLUGIN_FAILED: 'A discovery plug-in failed and was left out. See the message.',
  PORT_TAKEN: 'Another program listens on this port. Name another one, or none to get a free one.',
  PROFILE_NOT_FOUND: 'No profile has that name. See `gatehouse profiles`.',
  SECRET_MISSING: 'A value that the server needs is not set. Set the variable or enter the secret in Gatehouse.',
  SECRET_TIMEOUT:
    'What holds a secret of the server, a keyring or a pipe, did not answer in time. Unlock it and restart the server.',
  SECRET_UNREADABLE: 'A stored secret cannot be opened with the key of this machine and account. Enter it again.',
  SERVER_AUTH_REQUIRED: 'The server wants a sign-in: press "Sign in" in the window, or run `gatehouse sign-in SERVER`.',
  SERVER_BREAKER_OPEN: 'The server failed repeatedly and is being left alone for a while.',
  SERVER_CRASHED: 'The server process ended. Its last output is in the message.',
  SERVER_DISABLED: 'The server is switched off in Gatehouse.',
  SERVER_HTTP_ERROR: 'The server answered with an HTTP error. Check its address and credentials.',
  SERVER_NOT_FOUND: 'No server has that name. See list_mcp_servers.',
  SERVER_PROTOCOL_ERROR: 'The server does not speak MCP correctly.',
  SERVER_SPAWN_FAILED: 'The server command could not be started. Is it installed and on PATH?',
  SERVER_TIMEOUT: 'The server did not answer in time.',
  SERVER_UNREACHABLE: 'The server could not be reached. Is it running, and is the address right?',
  TOOL_BREAKER_OPEN: 'The tool failed repeatedly and is being left alone for a while.',
  TOOL_DISABLED: 'A rule switches this tool off. The person can switch it on in Gatehouse.',
  TOOL_EXECUTION_ERROR: 'The call reached the server and failed there.',
  TOOL_HELD_BACK: 'The tool changed since it was accepted. The person has to accept the change in Gatehouse.',
  TOOL_INVALID: 'The server declares this tool in a form that cannot be used.',
  TOOL_NOT_FOUND: 'The server has no tool of that name. Try search_tools.',
  VAULT_IN_MEMORY:
    'No keyring of this machine answers, so secrets last only until Gatehouse ends. Set GATEHOUSE_PASSPHRASE to seal them with a passphrase.',
  URL_REFUSED: 'Only http and https addresses are opened in a browser.',
} as const;

export type FailureCode = keyof typeof failureCodes;

/** A person's no, the client's own cancel or what the client cannot do says nothing about the health of a tool. */
export const blameless: ReadonlySet<string> = new Set<FailureCode>([
  'CANCELLED',
  'APPROVAL_DENIED',
  'ELICITATION_DECLINED',
  'ELICITATION_TIMEOUT',
  'ELICITATION_UNAVAILABLE',
  'SECRET_MISSING',
  'SECRET_TIMEOUT',
  'SERVER_DISABLED',
  'PAUSED',
]);

/** What went wrong, where, and what to do next. Holds no secret. */
export interface Failure {
  code: FailureCode;
  /** One or two plain sentences: the offending value and the place. */
  message: string;
  /** What to do next. */
  hint?: string | undefined;
  server?: string | undefined;
  tool?: string | undefined;
  file?: string | undefined;
  /** 1-based. */
  line?: number | undefined;
  /** Path inside the document, for example `servers[2].connection.url`. */
  path?: string | undefined;
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

/** A failure on its way up; carries the data, never more. */
export class GatehouseError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = 'GatehouseError';
    this.failure = failure;
  }
}

/** Builds the error to throw: `throw fail('TOOL_NOT_FOUND', 'There is no …', { server, tool })`. */
export function fail(code: FailureCode, message: string, more: Omit<Failure, 'code' | 'message'> = {}): GatehouseError {
  return new GatehouseError({ code, message, ...more });
}

/** Turns anything thrown into a failure; what is not ours becomes `fallback` with its own message. */
export function toFailure(error: unknown, fallback: FailureCode = 'INTERNAL'): Failure {
  if (error instanceof GatehouseError) return error.failure;
  return { code: fallback, message: error instanceof Error ? error.message : String(error) };
}

/** Marks a branch that the types say cannot be reached. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
