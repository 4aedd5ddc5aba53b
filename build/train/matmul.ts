/**
 * Matrix multiplication in 32-bit floats with 128-bit SIMD, as a WebAssembly module that is assembled here: V8 does not
 * vectorize loops over typed arrays, and training spends most of its time multiplying matrices.
 */

/** The part of the WebAssembly API that this file uses; Node's types do not declare it. */
declare const WebAssembly: {
  Memory: new (options: { initial: number }) => { buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

export interface Matmul {
  /** A matrix of `rows` × `columns` zeros in the memory of the module. */
  matrix(rows: number, columns: number): Float32Array;
  /** c = a × b, all row by row: a is m × k, b is k × n, c is m × n. `m` must be a multiple of 4 and `n` of 8. */
  multiply(a: Float32Array, b: Float32Array, c: Float32Array, m: number, n: number, k: number): void;
}

/** Allocates `bytes` of memory for all matrices. */
export function createMatmul(bytes: number): Matmul {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) + 1 });
  const module = new WebAssembly.Module(assemble());
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const run = exports.multiply as (a: number, b: number, c: number, m: number, n: number, k: number) => void;
  let used = 0;
  return {
    matrix(rows, columns) {
      const view = new Float32Array(memory.buffer, used, rows * columns);
      used += Math.ceil((rows * columns * 4) / 64) * 64;
      return view;
    },
    multiply(a, b, c, m, n, k) {
      if (m % 4 !== 0 || n % 8 !== 0) throw new Error(`A product of ${m} × ${n} does not fit blocks of 4 × 8.`);
      run(a.byteOffset, b.byteOffset, c.byteOffset, m, n, k);
    },
  };
}

const I32 = 0x7f;
const V128 = 0x7b;
const EMPTY = 0x40;

const vector = (bytes: number[]): number[] => [...unsigned(bytes.length), ...bytes];
const section = (id: number, bytes: number[]): number[] => [id, ...vector(bytes)];
const list = (items: number[][]): number[] => [...unsigned(items.length), ...items.flat()];
const name = (text: string): number[] => vector([...text].map((one) => one.charCodeAt(0)));

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

const get = (local: number) => [0x20, ...unsigned(local)];
const set = (local: number) => [0x21, ...unsigned(local)];
const constant = (value: number) => [0x41, ...signed(value)];
const add = (left: number[], right: number[]) => [...left, ...right, 0x6a];
const times = (left: number[], right: number[]) => [...left, ...right, 0x6c];
const loadVector = (address: number[], offset: number) => [...address, 0xfd, 0, 2, ...unsigned(offset)];
const loadSplat = (address: number[]) => [...address, 0xfd, 9, 2, 0];
const storeVector = (address: number[], value: number[], offset: number) => [
  ...address,
  ...value,
  ...[0xfd, 11, 2, ...unsigned(offset)],
];
const addVectors = (left: number[], right: number[]) => [...left, ...right, 0xfd, 0xe4, 0x01];
const timesVectors = (left: number[], right: number[]) => [...left, ...right, 0xfd, 0xe6, 0x01];
const zeroVector = [0xfd, 12, ...new Array<number>(16).fill(0)];

/** `for (local = 0; local < end; local += step) body`; `end` is above 0. */
function loop(local: number, end: number[], step: number, body: number[]): number[] {
  const next = [...add(get(local), constant(step)), 0x22, ...unsigned(local), ...end, 0x48];
  return [...constant(0), ...set(local), 0x03, EMPTY, ...body, ...next, 0x0d, 0, 0x0b];
}

/** Blocks of 4 rows × 8 columns, so that each number loaded is used several times. */
function assemble(): Uint8Array<ArrayBuffer> {
  // Locals by number: six parameters, ten integers, eleven vectors.
  const [a, b, c, m, n, k] = [0, 1, 2, 3, 4, 5] as const;
  const [i, j, p, row, column, rowBytes, columnBytes] = [6, 7, 8, 9, 10, 11, 12] as const;
  const rows = [0, 1, 2, 3];
  const rowOffset = (r: number) => 12 + r;
  const accumulator = (r: number, half: number) => 16 + 2 * r + half;
  const [left, right, splat] = [24, 25, 26] as const;
  const four = constant(4);
  const inner = [
    ...[...loadVector(get(column), 0), ...set(left), ...loadVector(get(column), 16), ...set(right)],
    ...rows.flatMap((r) => [
      ...[...loadSplat(r === 0 ? get(row) : add(get(row), get(rowOffset(r)))), ...set(splat)],
      ...[left, right].flatMap((side, half) => [
        ...addVectors(get(accumulator(r, half)), timesVectors(get(splat), get(side))),
        ...set(accumulator(r, half)),
      ]),
    ]),
    ...[...add(get(row), four), ...set(row)],
    ...[...add(get(column), get(columnBytes)), ...set(column)],
  ];
  const block = [
    ...[...add(get(a), times(get(i), get(rowBytes))), ...set(row)],
    ...[...add(get(b), times(get(j), four)), ...set(column)],
    ...rows.flatMap((r) => [0, 1].flatMap((half) => [...zeroVector, ...set(accumulator(r, half))])),
    ...loop(p, get(k), 1, inner),
    ...rows.flatMap((r) => {
      const address = add(get(c), times(add(times(add(get(i), constant(r)), get(n)), get(j)), four));
      return [0, 1].flatMap((half) => storeVector(address, get(accumulator(r, half)), 16 * half));
    }),
  ];
  const strides = [
    ...[...times(get(k), four), ...set(rowBytes)],
    ...[...times(get(n), four), ...set(columnBytes)],
    ...rows.slice(1).flatMap((r) => [...times(get(rowBytes), constant(r)), ...set(rowOffset(r))]),
  ];
  const code = [...strides, ...loop(j, get(n), 8, loop(i, get(m), 4, block)), 0x0b];
  const locals = list([
    [...unsigned(10), I32],
    [...unsigned(11), V128],
  ]);
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([[0x60, ...vector(new Array<number>(6).fill(I32)), 0]])),
    ...section(2, list([[...name('env'), ...name('memory'), 2, 0, 1]])),
    ...section(3, list([[0]])),
    ...section(7, list([[...name('multiply'), 0, 0]])),
    ...section(10, list([vector([...locals, ...code])])),
  ]);
}
