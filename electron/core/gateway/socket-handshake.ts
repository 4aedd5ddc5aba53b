/** Core's end of the handshake on the local socket; bridge-protocol.ts describes the messages. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import * as z from 'zod';
import {
  type CoreReply,
  handshakeVersion,
  modes,
  type Nonces,
  purposes,
  transcript,
} from '../../../shared/protocol/bridge-protocol.ts';
import { sameSecret } from './request-guard.ts';

const challengeSchema = z.object({ gatehouse: z.literal(handshakeVersion), nonce: z.string().min(16).max(128) });

const proofSchema = z.object({
  proof: z.string().max(128),
  request: z.object({
    purpose: z.enum(purposes),
    mode: z.enum(modes).optional(),
    server: z.string().max(200).optional(),
    profile: z.string().max(200).optional(),
    client: z.string().max(200).optional(),
    cwd: z.string().max(4096).optional(),
    interactive: z.boolean().default(false),
    answersQuestions: z.boolean().default(false),
  }),
});
export type AcceptedRequest = z.output<typeof proofSchema>['request'];

const maxLineBytes = 8192;
const timeoutMs = 5000;

/**
 * Proves to the other end that this is the Core, and checks its proof. Resolves with its request and leaves the socket
 * paused after it; resolves with undefined, the socket closed, when the other end is refused.
 */
export async function acceptHandshake(
  socket: Socket,
  { key, address }: { key: string; address: string },
): Promise<AcceptedRequest | undefined> {
  const refuse = (message: string) => {
    socket.end(`${JSON.stringify({ ok: false, message } satisfies CoreReply)}\n`);
    socket.destroySoon();
  };
  const challenge = challengeSchema.safeParse(await nextLine(socket));
  if (!challenge.success) return void refuse('This is not the handshake of this version of Gatehouse.');
  const nonces: Nonces = { client: challenge.data.nonce, core: randomBytes(32).toString('base64url') };
  const sign = (side: 'core' | 'client') =>
    createHmac('sha256', key)
      .update(transcript(side, address, nonces))
      .digest('base64url');
  socket.write(`${JSON.stringify({ nonce: nonces.core, proof: sign('core') })}\n`);
  const answer = proofSchema.safeParse(await nextLine(socket));
  if (!answer.success) return void refuse('The request is not of the expected form.');
  if (!sameSecret(answer.data.proof, sign('client')))
    return void refuse('The proof is not made with the key of this Core.');
  return answer.data.request;
}

/** Reads one JSON line and pauses the socket after it; undefined when it is too long, too late, no JSON or never comes. */
function nextLine(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    let held = Buffer.alloc(0);
    const timer = setTimeout(() => done(undefined), timeoutMs);
    const onEnd = () => done(undefined);
    function onData(chunk: Buffer) {
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf(0x0a);
      if (end === -1) return held.length > maxLineBytes ? done(undefined) : undefined;
      socket.pause();
      const rest = held.subarray(end + 1);
      if (rest.length > 0) socket.unshift(rest);
      return done(parseJson(held.toString('utf8', 0, end)));
    }
    function done(line: unknown): void {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd).off('close', onEnd);
      resolve(line);
    }
    socket.on('data', onData).on('end', onEnd).on('close', onEnd);
    socket.resume();
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
