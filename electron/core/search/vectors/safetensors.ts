/** Reads tensors from a safetensors file: header length, JSON header, numbers. */
import * as z from 'zod';

export interface Tensor {
  shape: number[];
  values: ArrayLike<number>;
}

const headerSchema = z.record(
  z.string(),
  z.object({
    dtype: z.string(),
    shape: z.array(z.number().int().min(0)),
    data_offsets: z.tuple([z.number().int().min(0), z.number().int().min(0)]),
  }),
);

/** Limit of the format. */
const maxHeaderBytes = 100_000_000;

/** Returns a function that decodes one tensor by name. Throws an error that names the problem and its position in the file. */
export function readTensors(file: Buffer): (name: string) => Tensor | undefined {
  const length = file.length < 8 ? Number.NaN : Number(file.readBigUInt64LE(0));
  const start = 8 + length;
  if (!(length > 1 && length <= maxHeaderBytes && start <= file.length))
    throw new Error(`the header should end at byte ${start}, but the file ends at byte ${file.length}`);
  const { __metadata__: _about, ...entries } = jsonOf(file.toString('utf8', 8, start));
  const checked = headerSchema.safeParse(entries);
  if (!checked.success)
    throw new Error(`the header does not describe tensors: ${z.prettifyError(checked.error).split('\n', 1)[0]}`);
  return (name) => {
    if (!Object.hasOwn(checked.data, name)) return undefined;
    const { dtype, shape, data_offsets } = checked.data[name] as (typeof checked.data)[string];
    const [from, to] = data_offsets.map((offset) => start + offset) as [number, number];
    if (to > file.length)
      throw new Error(`"${name}" should end at byte ${to}, but the file ends at byte ${file.length}`);
    const decode = decoders[dtype];
    if (!decode) throw new Error(`"${name}" is of type ${dtype}; ${Object.keys(decoders).join(', ')} can be read`);
    const count = shape.reduce((product, side) => product * side, 1);
    if (to - from !== count * decode.bytes)
      throw new Error(
        `"${name}" has ${to - from} bytes, but ${shape.join(' × ')} of ${dtype} need ${count * decode.bytes}`,
      );
    return { shape, values: decode.read(file.subarray(from, to)) };
  };
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new Error('the header, from byte 8, is not JSON');
}

/** Numbers are little-endian in the file and on every platform that Node supports. */
const decoders: Record<string, { bytes: number; read(bytes: Buffer): ArrayLike<number> }> = {
  // Copies the bytes, because the elements must be aligned.
  F32: { bytes: 4, read: (bytes) => new Float32Array(new Uint8Array(bytes).buffer) },
  I8: { bytes: 1, read: ({ buffer, byteOffset, length }) => new Int8Array(buffer, byteOffset, length) },
};
