/** Failures travel as data with a stable code; bugs throw. This table explains every code and what to do about it. */
import { messageOf } from './text-from.ts';

// translated: the window passes them to its `t`
export const failureCodes = {
  ARGUMENTS_INVALID: "The tool's input schema does not accept these arguments. Read the schema with get_tool_details.",
  APPROVAL_DENIED: 'The user denied the call. Do not try again unless the user asks for it.',
  APPROVAL_PENDING: 'The user has not decided yet. Call again with the same arguments.',
  APPROVAL_TIMEOUT: 'The user did not answer in time, so the call did not run. Call again when the user can answer.',
  APPROVAL_UNAVAILABLE:
    'The call needs approval, and Toolkeep cannot ask the user. Open Toolkeep, or allow the tool, and try again.',
  CALL_PENDING: 'The tool is still running. Call again with the same arguments; it does not run twice.',
  CALL_NOT_FOUND:
    'No call of this tool is pending under this handle. Its result was already fetched, or it expired. This call did not run the tool.',
  CANCELLED: 'The caller canceled the call.',
  CLIENT_FILE_CHANGED: 'The file changed while it was being edited. Nothing was written. Try again.',
  CLIENT_FILE_INVALID: "The client's config file could not be parsed, so it was not changed. Fix it and try again.",
  CLIENT_UNKNOWN: 'There is no known client with this ID. See `toolkeep install --list`.',
  COMMAND_UNKNOWN: 'The UI and Core have different versions. Restart Toolkeep.',
  CONFIG_INVALID: 'A config file contains an error.',
  CONFIG_READ_ONLY: 'This setting comes from a config file. Change it there.',
  CONFIG_UNTRUSTED:
    'A folder contains a configuration that you have not trusted, so Toolkeep ignored it. Run `toolkeep trust` in the folder.',
  CORE_RESTARTED:
    'Toolkeep restarted while the call was in progress, so it may have run. Check its effect before you call again.',
  CORE_RUNNING: 'Toolkeep is already running for this data folder. Use it, or stop it first.',
  CORE_UNREACHABLE: 'Toolkeep is not running and could not be started. Run `toolkeep serve` to see why.',
  ELICITATION_DECLINED: "The user declined to answer the tool's question.",
  ELICITATION_UNAVAILABLE:
    'The tool asked a question, but Toolkeep could not reach the user. Open Toolkeep, or use a client that can answer.',
  ELICITATION_TIMEOUT: 'The user did not answer the question in time. Call again when the user can answer.',
  INTERNAL: 'This is a bug in Toolkeep. Please report it, and include the message.',
  INSTALL_REFUSED: 'Toolkeep does not install this. The message says why; nothing was changed.',
  INPUT_INVALID: 'The request to Toolkeep is not valid. The message says why.',
  NOT_IN_PROFILE: "The client's profile does not include this. The user can change the profile.",
  PACKAGE_UNVERIFIED:
    "The server's package differs from the installed one, or it could not be verified. The message has the details.",
  PAUSED: 'Toolkeep is paused. Resume it from the tray or the window.',
  PLUGIN_FAILED: 'A plug-in failed and was not loaded. The message says why.',
  PORT_TAKEN: 'Another program is using this port. Choose a different port, or omit the option to use any free port.',
  PROFILE_NOT_FOUND: 'There is no profile with this name. See `toolkeep profiles`.',
  PROMPT_NOT_FOUND: 'No server offers a prompt with this name. See prompts/list.',
  REGISTRY_ENTRY_NOT_FOUND: 'The registry has no such entry. See `toolkeep registry search`.',
  REGISTRY_UNREACHABLE:
    'The registry could not be read. Toolkeep keeps using the list on this computer, if there is one.',
  RESOURCE_NOT_FOUND: 'No server offers a resource with this URI. See resources/list.',
  RESULT_NOT_FOUND: 'There is no stored result with this handle. Results are kept for 15 minutes.',
  SECRET_MISSING: 'A value that the server needs is not set. Set the variable, or enter the secret in Toolkeep.',
  SECRET_TIMEOUT: 'The keyring or pipe that holds a secret did not answer in time. Unlock it and restart the server.',
  SECRET_UNREADABLE: 'A stored secret cannot be decrypted with the key of this computer and account. Enter it again.',
  SERVER_AUTH_REQUIRED:
    'The server requires a sign-in. Press "Sign in" in the window, or run `toolkeep sign-in SERVER`.',
  SERVER_BREAKER_OPEN: 'The server failed repeatedly and is paused for a while. Try again later.',
  SERVER_CRASHED: 'The server process ended. The next call starts it again.',
  SERVER_DISABLED: 'The server is disabled. The user can enable it in Toolkeep.',
  SERVER_FULL: 'All processes of this server are in use by other clients. Try again when one of them has disconnected.',
  SERVER_HTTP_ERROR: 'The server answered with an HTTP error. Check its address and credentials.',
  SERVER_NOT_FOUND: 'There is no server with this name. See list_mcp_servers.',
  SERVER_PROTOCOL_ERROR: 'The server violates the MCP specification. Report this to its developer.',
  SERVER_SPAWN_FAILED: 'The server command could not be started. Is it installed and on PATH?',
  SERVER_TIMEOUT: 'The server did not answer in time. Try again, or increase its timeout.',
  SERVER_UNREACHABLE: 'The server could not be reached. Is it running, and is its address correct?',
  SETTINGS_DAMAGED:
    "The file of Toolkeep's settings was damaged. Its last valid rules apply; the message says what was reset.",
  TOKEN_NOT_FOUND: 'There is no client token with this name. Run `toolkeep token list`.',
  TOOL_BREAKER_OPEN: 'The tool failed repeatedly and is paused for a while. Try again later.',
  TOOL_DISABLED: 'A rule, an allow-list or an override disables this tool. The user can enable it in Toolkeep.',
  TOOL_EXECUTION_ERROR: 'The call reached the server, which returned an error. The message has the details.',
  TOOL_HELD_BACK: 'The tool changed, is new, or looks suspicious. The user must accept it in Toolkeep.',
  TOOL_INVALID: "The server's definition of this tool is not valid. Report this to the server's developer.",
  TOOL_NOT_FOUND: 'The server has no tool with this name. Try search_tools.',
  TOOL_NOT_READ_ONLY: 'read_tool runs only tools that read and need no approval. Run this one with execute_tool.',
  UI_REQUIRED: 'Only the user can decide this, in the Toolkeep window or with a command in a terminal.',
  URL_REFUSED: 'Toolkeep did not open or contact this address. The message says why.',
  VAULT_IN_MEMORY:
    'No keyring is available, so secrets are lost when Toolkeep quits. Set a passphrase under Settings > Secrets to keep them.',
  VAULT_LOCKED: "The vault's passphrase is needed. Enter it under Settings > Secrets, or set TOOLKEEP_PASSPHRASE_FILE.",
} as const;

export type FailureCode = keyof typeof failureCodes;

/** Failure codes of a secret that exists: the user has to unlock the keyring, pipe or vault that holds it. */
export const lockedSecret: readonly FailureCode[] = ['SECRET_TIMEOUT', 'VAULT_LOCKED'];

/** Failure codes that do not count against a tool's health. */
export const blameless: ReadonlySet<string> = new Set<FailureCode>([
  'CANCELLED',
  'APPROVAL_DENIED',
  'APPROVAL_TIMEOUT',
  'ELICITATION_DECLINED',
  'ELICITATION_TIMEOUT',
  'ELICITATION_UNAVAILABLE',
  'SECRET_MISSING',
  ...lockedSecret,
  'SERVER_DISABLED',
  'SERVER_FULL',
  'PAUSED',
]);

/** A failure: its cause, where it happened, and the next step. Never contains a secret. */
export interface Failure {
  code: FailureCode;
  /** One or two plain sentences with the offending value and its location. */
  message: string;
  /** The next step. */
  hint?: string | undefined;
  server?: string | undefined;
  tool?: string | undefined;
  file?: string | undefined;
  /** 1-based. */
  line?: number | undefined;
  /** For an approval: the destinations of the call that the user has not allowed. */
  newDestinations?: { kind: string; value: string; tool?: string | undefined }[] | undefined;
  /** Path inside the document, for example `servers[2].connection.url`. */
  path?: string | undefined;
}

/** Carries a Failure as an error. */
export class ToolkeepError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = 'ToolkeepError';
    this.failure = failure;
  }
}

/** Builds the error to throw: `throw fail('TOOL_NOT_FOUND', 'There is no …', { server, tool })`. */
export function fail(code: FailureCode, message: string, more: Omit<Failure, 'code' | 'message'> = {}): ToolkeepError {
  return new ToolkeepError({ code, message, ...more });
}

/** Turns anything thrown into a Failure. An error without a code keeps its message and gets the code `fallback`. */
export function toFailure(error: unknown, fallback: FailureCode = 'INTERNAL'): Failure {
  if (error instanceof ToolkeepError) return error.failure;
  return { code: fallback, message: messageOf(error) };
}

/** Marks a branch that the types rule out. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
