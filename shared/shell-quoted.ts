/** A word in single quotes, which a POSIX shell takes literally. */
export const shellQuoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
