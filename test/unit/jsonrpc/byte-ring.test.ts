/** A ring of strings has the newest ones, unchanged, within its limits. */
import { expect, it } from 'vitest';
import { ByteRing } from '../../../electron/core/jsonrpc/byte-ring.ts';

const maxBytes = 64 * 1024;
const headerBytes = 16;

const contents = (ring: ByteRing) =>
  Array.from(ring.records(), ({ id, tag, bytes }) => ({ id, tag, text: String(bytes) }));

it('The newest texts are kept, oldest first, whatever their lengths', () => {
  const ring = new ByteRing(maxBytes, 300);
  const added: { id: number; tag: number; text: string }[] = [];
  let random = 7;
  for (let id = 1; id <= 5_000; id += 1) {
    random = (random * 48_271) % 2_147_483_647;
    const length = random % 10 === 0 ? random % 20_000 : random % 300;
    const text = `${id}ü`.padEnd(length, 'x');
    ring.add([text.slice(0, 3), Buffer.from(text.slice(3))], random);
    added.push({ id, tag: random, text });
    if (random % 7 > 0) continue;
    const kept = contents(ring);
    expect(kept).toEqual(added.slice(-kept.length));
    expect(kept.length).toBeLessThanOrEqual(300);
    // Less than two of the longest strings are missing from a full ring.
    const bytes = kept.reduce((sum, one) => sum + headerBytes + Buffer.byteLength(one.text), 0);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    if (id > 1_000 && kept.length < 300) expect(bytes).toBeGreaterThan(maxBytes - 2 * 20_100);
  }
  expect(ring.lastId).toBe(5_000);
});

it('A text as large as the ring replaces all others, and a larger one is refused', () => {
  const ring = new ByteRing(maxBytes, 10);
  ring.add(['small'], 1);
  const largest = 'x'.repeat(maxBytes - headerBytes);
  ring.add([largest], 2);
  expect(contents(ring)).toEqual([{ id: 2, tag: 2, text: largest }]);
  expect(() => ring.add([largest, 'x'], 3)).toThrow(RangeError);
  ring.add([''], 4);
  expect(contents(ring)).toEqual([{ id: 3, tag: 4, text: '' }]);
});
