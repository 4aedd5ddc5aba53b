export function withMaxMemory(wasm: Buffer, maxPages: number): Buffer;
