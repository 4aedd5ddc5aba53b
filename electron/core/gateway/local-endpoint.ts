/** The local socket of the one Core on this machine, where bridges and the command line come in. */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import { modeSchema } from '../../../shared/model.ts';
import type { Wire } from '../../../shared/wire.ts';
import type { Host } from '../host.ts';
import { sameToken } from './http-guard.ts';
import { socketWire } from './socket-wire.ts';
import { takeStartLock } from './start-lock.ts';
import type { StreamClient } from './view.ts';

export interface LocalEndpoint {
  /** Socket path or pipe name. */
  readonly address: string;
  close(): Promise<void>;
}

type Place = Pick<Host, 'dataDir' | 'platform'>;

/** `run/core.json`: how others find the Core. */
const coreFileSchema = z.object({ pid: z.number(), socket: z.string() });

const helloSchema = z.object({
  gatehouse: z.literal(1),
  token: z.string(),
  purpose: z.enum(['mcp', 'rpc']),
  mode: modeSchema.optional(),
  server: z.string().max(200).optional(),
  profile: z.string().max(200).optional(),
  client: z.string().max(200).optional(),
  cwd: z.string().max(4096).optional(),
  answersQuestions: z.boolean().default(false),
});

const maxHelloBytes = 8192;
const helloTimeoutMs = 5000;
/** `sun_path` holds 104 bytes on macOS, 108 on Linux. */
const maxSocketPath = 100;

/** The token that every client of this data folder shows; made on first use, mode 0600. */
export function ensureToken(dataDir: string): string {
  const file = join(runFolder(dataDir), 'token');
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (token.length >= 32) return token;
  } catch {
    // There is none yet.
  }
  const token = randomBytes(32).toString('base64url');
  writeFileAtomic.sync(file, `${token}\n`, { mode: 0o600 });
  return token;
}

/**
 * Listens, and writes run/core.json. Rejects with CORE_RUNNING when another Core answers there; what a killed one left
 * behind is cleared away.
 */
export async function listenLocal(
  host: Place & Pick<Host, 'version'>,
  options: {
    token: string;
    httpUrl?: string | undefined;
    /** Why a client cannot be served as it asks; undefined when it can. */
    refusal?(client: StreamClient): string | undefined;
    onMcp(stream: Socket, client: StreamClient): void;
    /** `answersQuestions`: a person sits at the other end. */
    onRpc(wire: Wire, face: { answersQuestions: boolean }): void;
  },
): Promise<LocalEndpoint> {
  const run = runFolder(host.dataDir);
  const address = socketAddress(host);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    welcome(socket, options);
  });
  const unlock = await takeStartLock(join(run, 'core.lock'));
  try {
    if (await answers(address)) throw fail('CORE_RUNNING', `Gatehouse runs already (socket ${address}).`);
    if (host.platform !== 'win32') rmSync(address, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, resolve);
    });
    if (host.platform !== 'win32') chmodSync(address, 0o600);
    const { version } = host;
    const about = { pid: process.pid, socket: address, httpUrl: options.httpUrl, version, startedAt: Date.now() };
    writeFileAtomic.sync(join(run, 'core.json'), `${JSON.stringify(about)}\n`, { mode: 0o600 });
  } finally {
    unlock();
  }
  return {
    address,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      removeOwnCoreFile(join(run, 'core.json'));
    },
  };
}

/** Connects to the running Core; undefined when none runs. */
export async function connectLocal(
  host: Place,
  purpose: 'rpc' | 'mcp',
  about: StreamClient & { answersQuestions?: boolean } = {},
): Promise<Socket | undefined> {
  let core: z.output<typeof coreFileSchema>;
  let token: string;
  try {
    core = coreFileSchema.parse(JSON.parse(readFileSync(join(host.dataDir, 'run', 'core.json'), 'utf8')));
    token = readFileSync(join(host.dataDir, 'run', 'token'), 'utf8').trim();
  } catch {
    return undefined;
  }
  const socket = await open(core.socket);
  if (!socket) return undefined;
  socket.write(`${JSON.stringify({ gatehouse: 1, token, purpose, ...about })}\n`);
  const line = await firstLine(socket);
  const answer = z.object({ ok: z.boolean(), message: z.string().optional() }).safeParse(parseJson(line));
  if (answer.data?.ok) return socket;
  socket.destroy();
  throw fail(
    'CORE_UNREACHABLE',
    `The running Gatehouse refused the connection: ${answer.data?.message ?? 'no answer'}`,
  );
}

async function welcome(socket: Socket, options: Parameters<typeof listenLocal>[1]): Promise<void> {
  // Errors on a socket always end in 'close', which is what everyone listens to.
  socket.on('error', () => undefined);
  const hello = helloSchema.safeParse(parseJson(await firstLine(socket)));
  if (!hello.success || !sameToken(hello.data.token, options.token)) {
    const message = hello.success ? 'The token is not the one of this Gatehouse.' : 'This is not a hello of Gatehouse.';
    socket.end(`${JSON.stringify({ ok: false, message })}\n`);
    socket.destroySoon();
    return;
  }
  const { purpose, mode, server, profile, client, cwd, answersQuestions } = hello.data;
  const about: StreamClient = { mode, server, profile, client, cwd };
  const reason = purpose === 'mcp' ? options.refusal?.(about) : undefined;
  if (reason !== undefined) {
    socket.end(`${JSON.stringify({ ok: false, message: reason })}\n`);
    socket.destroySoon();
    return;
  }
  socket.write('{"ok":true}\n');
  if (purpose === 'rpc') options.onRpc(socketWire(socket), { answersQuestions });
  else options.onMcp(socket, about);
}

/** Reads up to the first newline and leaves the rest to be read; undefined when it is too long, too late or never comes. */
function firstLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let held = Buffer.alloc(0);
    const timer = setTimeout(() => done(undefined), helloTimeoutMs);
    const onEnd = () => done(undefined);
    function onData(chunk: Buffer) {
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf(0x0a);
      if (end === -1) return held.length > maxHelloBytes ? done(undefined) : undefined;
      socket.pause();
      const rest = held.subarray(end + 1);
      if (rest.length > 0) socket.unshift(rest);
      return done(held.toString('utf8', 0, end));
    }
    function done(line: string | undefined): void {
      clearTimeout(timer);
      socket.off('data', onData);
      socket.off('end', onEnd);
      socket.off('close', onEnd);
      resolve(line);
    }
    socket.on('data', onData);
    socket.on('end', onEnd);
    socket.on('close', onEnd);
  });
}

/** A socket in the data folder, or under a short name in the temporary folder where the path would be too long. */
function socketAddress({ dataDir, platform }: Place): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\gatehouse-${name}`;
  const path = join(dataDir, 'run', 'core.sock');
  if (Buffer.byteLength(path) <= maxSocketPath) return path;
  const folder = join(tmpdir(), `gatehouse-${process.getuid?.() ?? 0}`);
  privateFolder(folder);
  return join(folder, `${name}.sock`);
}

function runFolder(dataDir: string): string {
  const folder = join(dataDir, 'run');
  privateFolder(folder);
  return folder;
}

function privateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const { uid, mode } = statSync(folder);
  // In the shared temporary folder someone else could have made it first.
  if (uid !== process.getuid?.()) throw fail('INTERNAL', `The folder ${folder} belongs to another user.`);
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

async function answers(address: string): Promise<boolean> {
  const socket = await open(address);
  socket?.destroy();
  return socket !== undefined;
}

function open(address: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

function removeOwnCoreFile(file: string): void {
  const core = coreFileSchema.safeParse(parseJson(readText(file)));
  if (core.data?.pid === process.pid) rmSync(file, { force: true });
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
