/**
 * The client end of the local socket: connects to the running Core, and each end proves its identity. Used by the
 * bridge, the command line and a starting Core. Works with Node 20 and no packages.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '../../shared/parse-json.ts';
import {
  type CoreReply,
  type CoreRequest,
  handshakeVersion,
  transcript,
} from '../../shared/protocol/bridge-protocol.ts';

const handshakeTimeoutMs = 10_000;

/** Thrown if the running Core refuses the request; the message says why. */
export class RefusedByCore extends Error {}

/** The content of `run/core.json`, which tells other programs how to reach Core. */
export interface CoreFile {
  pid: number;
  /** The computer or container that runs Core. */
  computer?: string;
  /** Socket path, or pipe name on Windows. */
  socket: string;
  /** Origin of the loopback server. */
  httpUrl?: string;
}

/** Reads the file that each Core writes at its start. That Core may no longer be running. */
export function readCoreFile(dataDir: string): CoreFile | undefined {
  try {
    const file = JSON.parse(readFileSync(join(dataDir, 'run', 'core.json'), 'utf8')) as CoreFile;
    return typeof file.socket === 'string' ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Says which computer or container runs the Core of this data folder; undefined if it is this one. */
export function runsElsewhere(dataDir: string): string | undefined {
  const computer = readCoreFile(dataDir)?.computer;
  if (computer === undefined || computer === hostname()) return undefined;
  return `Toolkeep on "${computer}" uses the data folder ${dataDir}. Set TOOLKEEP_HOME to another folder here.`;
}

/**
 * Connects to the Core of this data folder. Resolves with the paused socket and Core's reply, or with undefined if no
 * Core answers or the listener cannot prove that it is Core. Rejects with RefusedByCore.
 */
export async function reachCore(
  dataDir: string,
  request: CoreRequest,
): Promise<{ socket: Socket; reply: CoreReply } | undefined> {
  const address = readCoreFile(dataDir)?.socket;
  const key = readKey(dataDir);
  if (address === undefined || key === undefined) return undefined;
  const socket = connect(address);
  const lines = lineReader(socket);
  const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
  const nonce = randomBytes(32).toString('base64url');
  send({ toolkeep: handshakeVersion, nonce });
  const challenge = (await lines.next()) as { nonce?: unknown; proof?: unknown; message?: string } | undefined;
  const nonces = { client: nonce, core: String(challenge?.nonce) };
  const sign = (side: 'core' | 'client') =>
    createHmac('sha256', key)
      .update(transcript(side, address, nonces))
      .digest('base64url');
  if (!challenge || !isEqual(String(challenge.proof), sign('core'))) {
    lines.stop();
    socket.destroy();
    return undefined;
  }
  send({ proof: sign('client'), request });
  const reply = (await lines.next()) as CoreReply | undefined;
  lines.stop();
  if (reply?.ok) return { socket, reply };
  socket.destroy();
  if (reply?.message === undefined) return undefined;
  throw new RefusedByCore(reply.message);
}

function readKey(dataDir: string): Buffer | undefined {
  try {
    return readFileSync(join(dataDir, 'run', 'core.key'));
  } catch {
    return undefined;
  }
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Reads JSON lines one at a time; undefined if the other end closes, times out or sends invalid JSON. */
function lineReader(socket: Socket) {
  let held = Buffer.alloc(0);
  let wake: (() => void) | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    wake?.();
  };
  const timer = setTimeout(end, handshakeTimeoutMs);
  const onData = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    wake?.();
  };
  socket.on('data', onData).on('error', end).on('close', end);
  return {
    async next(): Promise<unknown> {
      for (;;) {
        const at = held.indexOf('\n');
        if (at !== -1) {
          const line = held.toString('utf8', 0, at);
          held = held.subarray(at + 1);
          return parseJson(line);
        }
        if (isOver) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    /** Leaves the socket paused and returns unread data to it. Later socket errors are ignored. */
    stop() {
      clearTimeout(timer);
      socket.pause().off('data', onData).off('close', end);
      if (held.length > 0) socket.unshift(held);
    },
  };
}
