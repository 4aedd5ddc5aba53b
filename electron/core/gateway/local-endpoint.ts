/** The local socket of the one Core on this machine, where bridges and the command line connect. */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { fail } from '../../../shared/failure.ts';
import type { CoreReply } from '../../../shared/protocol/bridge-protocol.ts';
import { withoutDecisions } from '../../../shared/protocol/rpc.ts';
import type { Wire } from '../../../shared/protocol/wire.ts';
import { privateFolder } from '../files/private-folder.ts';
import type { Host } from '../host.ts';
import type { BridgeClient } from './session-options.ts';
import { acceptHandshake } from './socket-handshake.ts';
import { socketWire } from './socket-wire.ts';

export type LocalEndpoint = Awaited<ReturnType<typeof listenLocal>>;

export interface LocalEndpointOptions {
  /** Origin of the loopback server. */
  httpUrl?: string;
  /** The reason why a client cannot be served; undefined if it can be. */
  refusal?(client: BridgeClient): string | undefined;
  onMcp(stream: Socket, client: BridgeClient): void;
  /** `answersQuestions`: the other end can show questions to the user. */
  onRpc(wire: Wire, ui: { answersQuestions: boolean; isTerminal: true }): void;
  /** A new, single-use page address; undefined if no page is served. */
  pageUrl?(): string | undefined;
  /** Shuts this Core down in favor of the Core that requests this. Absent if only the user may stop this Core. */
  onYield?(): void;
}

type SocketLocation = Pick<Host, 'dataDir' | 'platform'> & Partial<Pick<Host, 'env'>>;

/** `sun_path` holds 104 bytes on macOS, 108 on Linux. */
const maxSocketPathBytes = 100;

/**
 * Listens, and writes run/core.key and run/core.json. The caller must hold the data folder's lock. The key is new at
 * each start. Replaces the files of a killed Core. Rejects with CORE_RUNNING if another Core answers at the address.
 */
export async function listenLocal(host: SocketLocation & Pick<Host, 'version'>, options: LocalEndpointOptions) {
  const { dataDir, platform, version } = host;
  const run = join(dataDir, 'run');
  privateFolder(run);
  const address = socketAddress(host);
  const key = newKey();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    // Ignore errors, because each one is followed by 'close', which every reader handles.
    socket.on('error', () => undefined);
    void welcome(socket, { key, address }, options);
  });
  if (await answers(address)) throw fail('CORE_RUNNING', `Toolkeep is already running (socket ${address}).`);
  if (platform !== 'win32') rmSync(address, { force: true });
  // Write the key before any client can connect.
  writeFileAtomic.sync(join(run, 'core.key'), key, { mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    // Also hears of connections that cannot be accepted, for example because too many files are open.
    server.on('error', reject);
    server.listen(address, resolve);
  });
  if (platform !== 'win32') chmodSync(address, 0o600);
  const about = {
    pid: process.pid,
    computer: hostname(),
    socket: address,
    httpUrl: options.httpUrl,
    version,
    startedAt: Date.now(),
  };
  writeFileAtomic.sync(join(run, 'core.json'), `${JSON.stringify(about)}\n`, { mode: 0o600 });
  return {
    /** Socket path or pipe name. */
    address,
    async close(): Promise<void> {
      // Do this first, so that a bridge that loses its connection can distinguish a shutdown from a crash.
      removeOwnFiles(run, key);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function welcome(
  socket: Socket,
  secret: { key: Buffer; address: string },
  options: LocalEndpointOptions,
): Promise<void> {
  const accepted = await acceptHandshake(socket, secret);
  if (!accepted) return;
  const { purpose, interactive, answersQuestions, ...client } = accepted;
  const end = (reply: CoreReply) => {
    socket.end(`${JSON.stringify(reply)}\n`);
    socket.destroySoon();
  };
  if (purpose === 'page') {
    const pageUrl = options.pageUrl?.();
    return end(pageUrl ? { ok: true, pageUrl } : { ok: false, message: 'This Toolkeep serves no page.' });
  }
  if (purpose === 'yield') {
    end(
      options.onYield ? { ok: true } : { ok: false, message: 'The user started this Toolkeep, so it keeps running.' },
    );
    return options.onYield?.();
  }
  const reason = purpose === 'mcp' ? options.refusal?.(client) : undefined;
  if (reason !== undefined) return end({ ok: false, message: reason });
  socket.write('{"ok":true}\n');
  if (purpose === 'mcp') return options.onMcp(socket, client);
  const wire = socketWire(socket);
  return options.onRpc(interactive || answersQuestions ? wire : withoutDecisions(wire), {
    answersQuestions,
    isTerminal: true,
  });
}

/**
 * The data folder's own socket, or, if its path is too long, one in the user's runtime folder or else the shared
 * temporary folder. A pipe gets a new random name at each start, so that no other program can claim it first.
 */
function socketAddress({ dataDir, platform, env = process.env }: SocketLocation): string {
  if (platform === 'win32') return `\\\\.\\pipe\\toolkeep-${randomBytes(16).toString('hex')}`;
  const path = join(dataDir, 'run', 'core.sock');
  if (Buffer.byteLength(path) <= maxSocketPathBytes) return path;
  const name = `${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`;
  const folders = [
    env.XDG_RUNTIME_DIR && join(env.XDG_RUNTIME_DIR, 'toolkeep'),
    join(tmpdir(), `toolkeep-${process.getuid?.() ?? 0}`),
  ].filter((folder) => folder && Buffer.byteLength(join(folder, name)) <= maxSocketPathBytes) as string[];
  let failure: unknown;
  for (const folder of folders) {
    try {
      privateFolder(folder);
      return join(folder, name);
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? fail('INTERNAL', `The socket path is too long: ${path}. Set TOOLKEEP_HOME to a shorter path.`);
}

async function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/**
 * 384 random bits in bytes of which none is valid UTF-8, so that a tool that reads text cannot return them: it replaces
 * every byte or fails.
 */
const newKey = () => Buffer.from(randomBytes(64).map((byte) => 0x80 | (byte & 0x3f)));

/** Removes the files, unless another Core has replaced them. */
function removeOwnFiles(run: string, key: Buffer): void {
  try {
    if (!readFileSync(join(run, 'core.key')).equals(key)) return;
  } catch {
    return;
  }
  for (const name of ['core.json', 'core.key']) rmSync(join(run, name), { force: true });
}
