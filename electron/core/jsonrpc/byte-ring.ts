/**
 * A log of strings as bytes in one buffer, which drops the oldest ones. Unlike objects, strings in the buffer cost the garbage
 * collector nothing, however many are kept.
 */
export interface RingRecord {
  /** The number of the record, from 1. */
  id: number;
  /** Epoch milliseconds. */
  at: number;
  /** A number that means something to the caller, of up to 32 bits. */
  tag: number;
  /** The text, until the next record is added. */
  bytes: Buffer;
}

/** Before each text: its size, the tag, and the time. */
const headerBytes = 16;
const firstBytes = 16 * 1024;

export class ByteRing {
  readonly #maxBytes: number;
  readonly #maxRecords: number;
  #buffer = Buffer.alloc(0);
  /** Offsets of the oldest record, and of the place after the newest. */
  #start = 0;
  #end = 0;
  #count = 0;
  #lastId = 0;

  constructor(maxBytes: number, maxRecords: number) {
    this.#maxBytes = maxBytes;
    this.#maxRecords = maxRecords;
  }

  get lastId(): number {
    return this.#lastId;
  }

  /** Drops as many records as the text needs. */
  add(pieces: readonly (string | Buffer)[], tag: number): void {
    let size = 0;
    for (const piece of pieces) size += Buffer.byteLength(piece);
    if (headerBytes + size > this.#maxBytes) throw new RangeError(`A text of ${size} bytes does not fit.`);
    if (this.#count === this.#maxRecords) this.#drop();
    while (!this.#hasSpaceFor(headerBytes + size)) {
      if (this.#buffer.length < this.#maxBytes) this.#grow();
      else this.#drop();
    }
    const buffer = this.#buffer;
    buffer.writeUInt32LE(size, this.#end);
    buffer.writeUInt32LE(tag, this.#end + 4);
    buffer.writeDoubleLE(Date.now(), this.#end + 8);
    this.#end += headerBytes;
    for (const piece of pieces)
      this.#end += typeof piece === 'string' ? buffer.write(piece, this.#end) : piece.copy(buffer, this.#end);
    this.#count += 1;
    this.#lastId += 1;
  }

  /** The records, oldest first. Add none meanwhile. */
  *records(): Generator<RingRecord> {
    const buffer = this.#buffer;
    let at = this.#start;
    for (let left = this.#count; left > 0; left -= 1) {
      at = this.#recordAt(at);
      const [size, from] = [buffer.readUInt32LE(at), at + headerBytes];
      yield {
        id: this.#lastId - left + 1,
        at: buffer.readDoubleLE(at + 8),
        tag: buffer.readUInt32LE(at + 4),
        bytes: buffer.subarray(from, from + size),
      };
      at = from + size;
    }
  }

  /** A record is never split: if the rest of the buffer is too short for it, it goes to the beginning. */
  #hasSpaceFor(bytes: number): boolean {
    const { length } = this.#buffer;
    if (this.#count === 0) {
      this.#start = 0;
      this.#end = 0;
      return length >= bytes;
    }
    if (this.#end <= this.#start) return this.#start - this.#end >= bytes;
    if (length - this.#end >= bytes) return true;
    if (this.#start < bytes) return false;
    if (length - this.#end >= headerBytes) this.#buffer.writeUInt32LE(skipped, this.#end);
    this.#end = 0;
    return true;
  }

  /** Where the record is that follows the one before this offset. */
  #recordAt(offset: number): number {
    const isAtEnd = this.#buffer.length - offset < headerBytes || this.#buffer.readUInt32LE(offset) === skipped;
    return isAtEnd ? 0 : offset;
  }

  #drop(): void {
    const at = this.#recordAt(this.#start);
    this.#start = at + headerBytes + this.#buffer.readUInt32LE(at);
    this.#count -= 1;
  }

  #grow(): void {
    const larger = Buffer.alloc(Math.min(this.#maxBytes, Math.max(firstBytes, 2 * this.#buffer.length)));
    let [at, end] = [this.#start, 0];
    for (let left = this.#count; left > 0; left -= 1) {
      const from = this.#recordAt(at);
      at = from + headerBytes + this.#buffer.readUInt32LE(from);
      end += this.#buffer.copy(larger, end, from, at);
    }
    this.#buffer = larger;
    this.#start = 0;
    this.#end = end;
  }
}

/** In place of a size: the rest of the buffer is not used. */
const skipped = 0xffff_ffff;
