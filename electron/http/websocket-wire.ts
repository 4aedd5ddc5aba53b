/** Turns a WebSocket into a Wire after a mutual challenge; bridge-protocol.ts describes its messages. */
import { type RawData, WebSocket } from 'ws';
import * as z from 'zod';
import { limits } from '../../shared/limits.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { handshakeVersion } from '../../shared/protocol/bridge-protocol.ts';
import { bufferedWire, type Wire } from '../../shared/protocol/wire.ts';
import type { PageChallenge, PageKeys } from './page-keys.ts';

const handshakeTimeoutMs = 10_000;
const maxHandshakeBytes = limits.page.handshakeBytes;
/** Maximum number of unread bytes. A page that exceeds it has disconnected or is broken. */
const maxUnreadBytes = limits.page.unreadBytes;

/** Close codes for the page: it has no valid key, or it sent an invalid frame. */
const refused = 4401;
const malformed = 4400;

const helloSchema = z.object({
  toolkeep: z.literal(handshakeVersion),
  id: z.string().max(64),
  nonce: z.string().min(16).max(128),
});
const proofSchema = z.object({ proof: z.string().max(128) });

/**
 * Resolves with the Wire after each end has proved that it knows the page's key. Otherwise, closes the socket and
 * rejects. `address` is the request's Host header, which the request guard has checked.
 */
export function admitWire(socket: WebSocket, keys: PageKeys, address: string): Promise<Wire> {
  return new Promise((resolve, reject) => {
    let challenge: PageChallenge | undefined;
    const refuse = (message: string) => {
      socket.send(JSON.stringify({ ok: false, message }));
      socket.close(refused, 'refused');
      finish();
      reject(new Error(message));
    };
    const timer = setTimeout(() => refuse('The page took too long to prove its key.'), handshakeTimeoutMs);
    const onClose = () => {
      finish();
      reject(new Error('The page disconnected before it proved its key.'));
    };
    const onMessage = (data: RawData, isBinary: boolean) => {
      const text = isBinary ? '' : String(data);
      const message = text.length > maxHandshakeBytes ? undefined : parseJson(text);
      if (challenge) {
        const answer = proofSchema.safeParse(message);
        if (!answer.success || !challenge.accept(answer.data.proof)) return refuse("This page's proof is invalid.");
        finish();
        const wire = webSocketWire(socket);
        socket.send('{"ok":true}');
        return resolve(wire);
      }
      const hello = helloSchema.safeParse(message);
      challenge = hello.success ? keys.challenge(hello.data.id, hello.data.nonce, address) : undefined;
      if (!challenge)
        return refuse("This page's address was already used, or Toolkeep has restarted. Get a new address.");
      return socket.send(JSON.stringify({ nonce: challenge.nonce, proof: challenge.proof }));
    };
    const finish = () => {
      clearTimeout(timer);
      socket.off('message', onMessage);
      socket.off('close', onClose);
    };
    // Ignore errors, because each one is followed by 'close'.
    socket.on('error', () => undefined);
    socket.on('message', onMessage);
    socket.on('close', onClose);
  });
}

/** Sends frames as JSON text messages. */
function webSocketWire(socket: WebSocket): Wire {
  const { wire, receive, closed } = bufferedWire({
    send(frame) {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
      else socket.send(JSON.stringify(frame));
    },
    close: () => socket.close(1000),
  });
  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? undefined : parseJson(String(data));
    if (frame === undefined) socket.close(malformed, 'invalid frame');
    else receive(frame);
  });
  socket.once('close', closed);
  return wire;
}
