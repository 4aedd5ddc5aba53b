/** A WebSocket as a Wire. The first message must be the token; until it came, nothing else is read. */
import { type RawData, WebSocket } from 'ws';
import type { Wire } from '../../shared/wire.ts';
import { sameToken } from '../core/gateway/gateway.ts';

const admissionLimitMs = 10_000;
const maxHelloBytes = 4_096;
/** A face that does not read what it is sent for so long is gone or broken. */
const maxUnreadBytes = 128_000_000;

/** Close codes that the page knows: what is wrong with the token, and what is wrong with the other side. */
const refused = 4401;
const malformed = 4400;

/** Resolves with the Wire after the right token came; rejects, with the socket closed, otherwise. */
export function admitWire(socket: WebSocket, token: string): Promise<Wire> {
  return new Promise((resolve, reject) => {
    const refuse = (message: string) => {
      socket.send(JSON.stringify({ ok: false, message }));
      socket.close(refused, 'refused');
      finish();
      reject(new Error(message));
    };
    const timer = setTimeout(() => refuse('No token came in time.'), admissionLimitMs);
    const onClose = () => {
      finish();
      reject(new Error('The page left before it showed its token.'));
    };
    const onMessage = (data: RawData, isBinary: boolean) => {
      const text = isBinary ? '' : String(data);
      if (text.length > maxHelloBytes || !sameToken(tokenIn(text), token))
        return refuse('The token is not the one of this Gatehouse. Open the address that it printed at its start.');
      finish();
      const wire = webSocketWire(socket);
      socket.send('{"ok":true}');
      resolve(wire);
    };
    const finish = () => {
      clearTimeout(timer);
      socket.off('message', onMessage);
      socket.off('close', onClose);
    };
    // An error always ends in 'close'.
    socket.on('error', () => undefined);
    socket.on('message', onMessage);
    socket.on('close', onClose);
  });
}

/** Frames as JSON text messages. */
function webSocketWire(socket: WebSocket): Wire {
  const waiting: unknown[] = [];
  let listener: ((frame: unknown) => void) | undefined;
  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? undefined : parse(String(data));
    if (frame === undefined) socket.close(malformed, 'not a frame');
    else if (listener) listener(frame);
    else waiting.push(frame);
  });
  return {
    send(frame) {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
      else socket.send(JSON.stringify(frame));
    },
    onFrame(next) {
      listener = next;
      for (const frame of waiting.splice(0)) next(frame);
    },
    onClose(closed) {
      if (socket.readyState === WebSocket.CLOSED) closed();
      else socket.once('close', closed);
    },
    close: () => socket.close(1000),
  };
}

function tokenIn(text: string): string {
  const hello = parse(text);
  const token = typeof hello === 'object' && hello !== null && 'token' in hello ? hello.token : undefined;
  return typeof token === 'string' ? token : '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
