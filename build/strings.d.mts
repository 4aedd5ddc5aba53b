export function readStrings(
  file: string,
  source: string,
): { messages: string[]; untranslated: { line: number; text: string }[] };
