/** The build embeds WebAssembly; the function compiles it. */
declare module '*.wasm' {
  export function compile(): object;
}
