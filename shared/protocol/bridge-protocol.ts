/**
 * The handshake and messages that both ends of the local socket and of the page's WebSocket use.
 *
 * The handshake is a mutual challenge, so neither end gives its secret to the other:
 *
 *     client → Core   { gatehouse, nonce }
 *     Core → client   { nonce, proof }       HMAC-SHA-256 of `transcript('core', …)`
 *     client → Core   { proof, request }     HMAC-SHA-256 of `transcript('client', …)`
 *     Core → client   { ok: true, … } or { ok: false, message }
 *
 * A client sends only a random nonce until Core has proved that it knows the secret, so a process that takes over the port or
 * pipe of a stopped Core learns nothing. `address` is the address that each end believes it is connected to. A proof that a
 * listener at one address obtained from Core at another is therefore refused.
 */

/** Raised when a message of the handshake changes. */
export const handshakeVersion = 2;

/** The modes in which a client sees tools. */
export const modes = ['lazy', 'full', 'hybrid'] as const;

/**
 * `mcp` serves an MCP client and `rpc` a command of the command line. `page` asks for a new address of the page, and
 * `yield` asks a Core that a bridge started to end.
 */
export const purposes = ['mcp', 'rpc', 'page', 'yield'] as const;

export interface CoreRequest {
  purpose: (typeof purposes)[number];
  mode?: (typeof modes)[number];
  /** Only this server. */
  server?: string;
  profile?: string;
  /** The client's name, for the history. */
  client?: string;
  cwd?: string;
  /** `rpc`: the user is at the terminal of this command and may decide. */
  interactive?: boolean;
  /** `rpc`: this command shows questions to the user, so calls may wait for it. */
  answersQuestions?: boolean;
}

export interface CoreReply {
  ok: boolean;
  /** Why the request was refused. */
  message?: string;
  /** `page`: the address, with a code that is good for one use. */
  pageUrl?: string;
}

/** The random values that a proof covers. */
export interface Nonces {
  client: string;
  core: string;
}

/** The text that one end signs with the shared secret. */
export function transcript(side: 'core' | 'client', address: string, { client, core }: Nonces): string {
  return JSON.stringify(['gatehouse', handshakeVersion, side, address, client, core]);
}

/** True while a process with this id runs. `kill` is `process.kill`: EPERM means that the process is another user's. */
export function isProcessAlive(pid: number, kill: (pid: number, signal: 0) => unknown): boolean {
  if (!(pid > 0)) return false;
  try {
    kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}

/** The text whose signature, made with the code of an address, is the key of the tab from then on. */
export function sessionTranscript(address: string, { client, core }: Nonces): string {
  return JSON.stringify(['gatehouse', handshakeVersion, 'session', address, client, core]);
}
