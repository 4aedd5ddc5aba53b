/** Reads DER, the binary form of certificates and signatures. Refuses everything that is not canonical. */
import { Refused } from '../launch.ts';

export interface Der {
  tag: number;
  /** The item's bytes, including its tag and length. */
  whole: Buffer;
  content: Buffer;
}

export const tags = { integer: 2, octets: 4, oid: 6, sequence: 0x30, set: 0x31 };
const maxItems = 1000;
/** Far more than any identifier in use has. */
const maxOidBytes = 32;

const damaged = () => new Refused("The bundle's signature is damaged.");

/** Returns the items in `bytes`. Throws `Refused` unless they fill `bytes` exactly. */
export function readDer(bytes: Buffer): Der[] {
  const items: Der[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [tag = 0, first = 0] = bytes.subarray(at);
    const lengthBytes = first > 0x80 ? first - 0x80 : 0;
    const start = at + 2 + lengthBytes;
    // Refuse tags of several bytes, indefinite lengths, and lengths above 16 MB.
    if ((tag & 0x1f) === 0x1f || first === 0x80 || lengthBytes > 3 || start > bytes.length || items.length > maxItems)
      throw damaged();
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    const isShortest = lengthBytes === 0 || length >= (lengthBytes === 1 ? 0x80 : 1 << (8 * (lengthBytes - 1)));
    if (!isShortest || start + length > bytes.length) throw damaged();
    items.push({ tag, whole: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return items;
}

/** Returns the only item in `bytes`. Throws `Refused` if it has another tag. */
export function readOne(bytes: Buffer, tag: number): Der {
  const [item, more] = readDer(bytes);
  return need(more ? undefined : item, tag);
}

/** Returns `item`. Throws `Refused` if it is missing or has another tag. */
export function need(item: Der | undefined, tag: number): Der {
  if (item?.tag !== tag) throw damaged();
  return item;
}

/** An object identifier in dotted form. */
export function oidOf(item: Der | undefined): string {
  const bytes = need(item, tags.oid).content;
  if (bytes.length > maxOidBytes) throw damaged();
  const parts: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    parts.push(value);
    value = 0;
  }
  const [first = 0, ...rest] = parts;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
}
