/** Reads the body of a response, up to a limit. */

/** Thrown for a response that is longer than its reader allows. */
export class TooLarge extends Error {}

/** Rejects with `TooLarge` if the body is longer. */
export async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLarge(`The response exceeds ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
