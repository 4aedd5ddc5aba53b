/** Limits the memory of a WebAssembly module through the maximum in its memory declaration. */

const headerBytes = 8;
const memorySection = 5;
const hasMaximum = 1;

/** Returns `wasm` with a maximum of this many pages of 64 KB. */
export function withMaxMemory(wasm, maxPages) {
  const parts = [wasm.subarray(0, headerBytes)];
  let isLimited = false;
  for (let at = headerBytes; at < wasm.length; ) {
    const size = readNumber(wasm, at + 1);
    const end = size.end + size.value;
    if (wasm[at] === memorySection) {
      const minimum = readNumber(wasm, size.end + 2);
      const content = [1, hasMaximum, ...toBytes(minimum.value), ...toBytes(maxPages)];
      parts.push(Buffer.from([memorySection, ...toBytes(content.length), ...content]));
      isLimited = true;
    } else parts.push(wasm.subarray(at, end));
    at = end;
  }
  if (!isLimited) throw new Error('The WebAssembly declares no memory.');
  return Buffer.concat(parts);
}

/** A number in LEB128, and the position after it. */
function readNumber(bytes, at) {
  let value = 0;
  let end = at;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end };
  }
}

function toBytes(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...toBytes(value >> 7)];
}
