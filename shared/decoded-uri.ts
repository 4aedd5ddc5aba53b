/** Decodes percent-encoded text. Returns invalid text unchanged. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
