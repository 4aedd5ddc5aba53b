/**
 * The handshake and messages that both ends of the local socket and of the page's WebSocket use.
 *
 * The handshake is a mutual challenge, so neither end gives its secret to the other:
 *
 *     client → Core   { toolkeep, nonce }
 *     Core → client   { nonce, proof }       HMAC-SHA-256 of `transcript('core', …)`
 *     client → Core   { proof, request }     HMAC-SHA-256 of `transcript('client', …)`
 *     Core → client   { ok: true, … } or { ok: false, message }
 *
 * A client sends only a random nonce until Core has proved that it knows the secret, so a process that takes over the port or
 * pipe of a stopped Core learns nothing. `address` is the address that each end believes it is connected to. A proof that a
 * listener at one address obtained from Core at another is therefore refused.
 */

/** Increase this when a handshake message changes. */
export const handshakeVersion = 2;

/** The modes in which a client sees tools. */
export const modes = ['lazy', 'full', 'hybrid'] as const;

/**
 * `mcp` serves an MCP client and `rpc` a command-line command. `page` requests a new address of the browser page, and
 * `yield` asks a Core that a bridge started to exit.
 */
export const purposes = ['mcp', 'rpc', 'page', 'yield'] as const;

export interface CoreRequest {
  purpose: (typeof purposes)[number];
  mode?: (typeof modes)[number];
  /** The client also gets `read_tool`. */
  readTool?: boolean;
  /** Limits the client to this server. */
  server?: string;
  profile?: string;
  /** The client's name, for the history. */
  client?: string;
  cwd?: string;
  /** For `mcp`: a random ID of the bridge process. */
  bridge?: string;
  /** For `rpc`: the user is at this command's terminal and may make decisions. */
  interactive?: boolean;
  /** For `rpc`: this command shows questions to the user, so calls may wait for it. */
  answersQuestions?: boolean;
}

export interface CoreReply {
  ok: boolean;
  /** Why the request was refused. */
  message?: string;
  /** For `page`: the page's address with a single-use code. */
  pageUrl?: string;
}

/** The random values that a proof covers. */
export interface Nonces {
  client: string;
  core: string;
}

/**
 * The text that one end signs with the shared secret. `session`: signed with the code of a page address; the signature
 * becomes the tab's key.
 */
export function transcript(role: 'core' | 'client' | 'session', address: string, { client, core }: Nonces): string {
  return JSON.stringify(['toolkeep', handshakeVersion, role, address, client, core]);
}

/**
 * True while a process with this id runs. `kill` is `process.kill`. EPERM means that the process belongs to another
 * user.
 */
export function isProcessAlive(pid: number, kill: (pid: number, signal: 0) => unknown): boolean {
  if (!(pid > 0)) return false;
  try {
    kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}
