/** Core's end of the handshake on the local socket; bridge-protocol.ts describes the messages. */

import { createHmac, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import * as z from 'zod';
import { parseJson } from '../../../shared/parse-json.ts';
import {
  type CoreReply,
  handshakeVersion,
  modes,
  type Nonces,
  purposes,
  transcript,
} from '../../../shared/protocol/bridge-protocol.ts';
import { sameSecret } from './request-guard.ts';

const challengeSchema = z.object({ toolkeep: z.literal(handshakeVersion), nonce: z.string().min(16).max(128) });

const proofSchema = z.object({
  proof: z.string().max(128),
  request: z.object({
    purpose: z.enum(purposes),
    mode: z.enum(modes).optional(),
    readTool: z.boolean().optional(),
    server: z.string().max(200).optional(),
    profile: z.string().max(200).optional(),
    client: z.string().max(200).optional(),
    cwd: z.string().max(4096).optional(),
    bridge: z.string().max(64).optional(),
    interactive: z.boolean().default(false),
    answersQuestions: z.boolean().default(false),
  }),
});
export type AcceptedRequest = z.output<typeof proofSchema>['request'];

const maxLineBytes = 8192;
const timeoutMs = 5000;

/**
 * Proves Core's identity to the other end and checks the other end's proof. Resolves with its request and leaves the
 * socket paused, or closes the socket and resolves with undefined if the other end is refused.
 */
export async function acceptHandshake(
  socket: Socket,
  { key, address }: { key: Buffer; address: string },
): Promise<AcceptedRequest | undefined> {
  const refuse = (message: string) => {
    socket.end(`${JSON.stringify({ ok: false, message } satisfies CoreReply)}\n`);
    socket.destroySoon();
  };
  const challenge = challengeSchema.safeParse(await nextLine(socket));
  if (!challenge.success) return void refuse('This handshake is from a different version of Toolkeep.');
  const nonces: Nonces = { client: challenge.data.nonce, core: randomBytes(32).toString('base64url') };
  const sign = (side: 'core' | 'client') =>
    createHmac('sha256', key)
      .update(transcript(side, address, nonces))
      .digest('base64url');
  socket.write(`${JSON.stringify({ nonce: nonces.core, proof: sign('core') })}\n`);
  const answer = proofSchema.safeParse(await nextLine(socket));
  if (!answer.success) return void refuse('The request is malformed.');
  if (!sameSecret(answer.data.proof, sign('client')))
    return void refuse("The proof was not made with this Core's key.");
  return answer.data.request;
}

/** Reads one JSON line and pauses the socket after it; undefined if it is too long, too late, not JSON or missing. */
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
