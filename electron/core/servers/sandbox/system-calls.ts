/**
 * Takes the kernel's keyrings from a confined server. No namespace separates them, so it could read the keys of the user's session,
 * in which some programs keep their tokens.
 */
/** The number of `add_key` by architecture. Those of `request_key` and `keyctl` follow it. */
const keyrings: [architecture: number, first: number][] = [
  [0xc000003e, 248], // x64
  [0x40000003, 286], // x86
  [0xc00000b7, 217], // arm64
  [0x40000028, 309], // arm
  [0xc00000f3, 217], // riscv64
];
const [load, and, jumpIfEqual, jumpIfGreater, jumpIfNotLess, end] = [0x20, 0x54, 0x15, 0x25, 0x35, 0x06] as const;
const [allow, notImplemented] = [0x7fff0000, 0x00050026] as const;
/** Marks the calls of programs with short pointers on x64. */
const withoutX32 = 0xbfffffff;

/** A program for the kernel's filter of system calls. A jump has the number of instructions that it skips. */
export function keyringFilter(): Buffer {
  const deny = 1 + 5 * keyrings.length;
  const checks = keyrings.flatMap(([architecture, first], index) => {
    const at = 1 + 5 * index;
    return [
      [jumpIfEqual, 0, 4, architecture],
      [load, 0, 0, 0],
      [and, 0, 0, withoutX32],
      [jumpIfNotLess, 0, deny + 1 - (at + 4), first],
      [jumpIfGreater, deny + 1 - (at + 5), deny - (at + 5), first + 2],
    ];
  });
  const program = [[load, 0, 0, 4], ...checks, [end, 0, 0, notImplemented], [end, 0, 0, allow]];
  const bytes = Buffer.alloc(8 * program.length);
  for (const [index, [code = 0, ifTrue = 0, ifFalse = 0, value = 0]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(ifTrue, 8 * index + 2);
    bytes.writeUInt8(ifFalse, 8 * index + 3);
    bytes.writeUInt32LE(value, 8 * index + 4);
  }
  return bytes;
}
