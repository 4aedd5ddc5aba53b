/**
 * Replaces secrets in what a host sends over a WebSocket. A message is passed on when it is complete, as one frame, so that no secret
 * is split, and so that nothing shows which messages had one.
 */
import { Transform } from 'node:stream';
import { limits } from '../../../../shared/limits.ts';
import { type Echoes, withoutSecrets } from './replace-secrets.ts';

const [close, final] = [8, 0x80];

interface Frame {
  isFinal: boolean;
  opcode: number;
  payload: Buffer;
  /** With its head. */
  length: number;
}

/** Fails with a compressed frame or one of a client, and with a message that is too long to keep. */
export function framesWithoutSecrets(echoes: Echoes): Transform {
  let chunks: Buffer[] = [];
  let [total, needed] = [0, 2];
  let parts: Frame[] = [];
  let size = 0;

  /** The complete message that ends with this frame. Control frames may come between the parts of a message. */
  function messageOf(frame: Frame): Frame[] | undefined {
    if (frame.opcode >= close) return [frame];
    parts.push(frame);
    size += frame.payload.length;
    requireShort(size);
    if (!frame.isFinal) return undefined;
    const message = parts;
    [parts, size] = [[], 0];
    return message;
  }

  function* messagesIn(bytes: Buffer): Generator<Frame[]> {
    let rest = bytes;
    let next = frameIn(rest);
    for (; typeof next === 'object'; next = frameIn(rest)) {
      rest = rest.subarray(next.length);
      const message = messageOf(next);
      if (message) yield message;
    }
    [chunks, total, needed] = [[rest], rest.length, next];
  }

  return new Transform({
    transform(chunk: Buffer, _, done) {
      chunks.push(chunk);
      total += chunk.length;
      try {
        for (const message of total < needed ? [] : messagesIn(Buffer.concat(chunks))) {
          const text = Buffer.concat(message.map(({ payload }) => payload)).toString('latin1');
          this.push(frameOf(message[0]?.opcode ?? 0, Buffer.from(withoutSecrets(text, echoes), 'latin1')));
        }
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}

function requireShort(length: number): void {
  if (length > limits.server.webSocketMessageBytes) throw new Error('The message is too long.');
}

/** The number of bytes that it needs if these end before the frame does. */
function frameIn(bytes: Buffer): Frame | number {
  const [first = 0, second = 0] = bytes;
  if (bytes.length < 2) return 2;
  if ((first & 0x70) !== 0 || (second & final) !== 0) throw new Error('The frame is compressed or of a client.');
  const more = second === 126 ? 2 : second === 127 ? 8 : 0;
  if (bytes.length < 2 + more) return 2 + more;
  const size = more === 0 ? second : more === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  requireShort(size);
  const length = 2 + more + size;
  if (bytes.length < length) return length;
  return {
    isFinal: (first & final) !== 0,
    opcode: first & 0x0f,
    payload: bytes.subarray(2 + more, length),
    length,
  };
}

function frameOf(opcode: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  head[0] = final | opcode;
  head[1] = head.length === 2 ? payload.length : head.length === 4 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(payload.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}
