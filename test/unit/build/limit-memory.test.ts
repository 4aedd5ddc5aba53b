/** The limit on the memory of the codecs. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { withMaxMemory } from '../../../build/limit-memory.mjs';

interface Memory {
  grow(pages: number): number;
}
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Buffer) => object;
    Instance: new (module: object) => { exports: { memory: Memory } };
    validate(bytes: Buffer): boolean;
  };
};
/** Exports one page of memory. */
const withMemory = (limits: string) => Buffer.from(`0061736d0100000005${limits}070a01066d656d6f72790200`, 'hex');
const memoryOf = (wasm: Buffer) => new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports.memory;

describe('WebAssembly with a limit', () => {
  it.each([
    ['none', '03010001'],
    ['a larger one', '06010101808002'],
  ])('grows up to the limit if it declared %s', (_, limits) => {
    expect(memoryOf(withMemory(limits)).grow(300)).toBe(1);
    const memory = memoryOf(withMaxMemory(withMemory(limits), 300));
    expect(() => memory.grow(300)).toThrow(RangeError);
    expect(memory.grow(299)).toBe(1);
  });

  it('is refused if it declares no memory', () => {
    expect(() => withMaxMemory(Buffer.from('0061736d01000000', 'hex'), 300)).toThrow('declares no memory');
  });

  it.each([
    'jpeg/codec/dec/mozjpeg_dec.wasm',
    'jpeg/codec/enc/mozjpeg_enc.wasm',
    'png/codec/pkg/squoosh_png_bg.wasm',
    'resize/lib/resize/pkg/squoosh_resize_bg.wasm',
    'webp/codec/dec/webp_dec.wasm',
  ])('stays valid: %s', (file) => {
    const wasm = readFileSync(createRequire(import.meta.url).resolve(`@jsquash/${file}`));
    expect(WebAssembly.validate(withMaxMemory(wasm, 12_288))).toBe(true);
  });
});
