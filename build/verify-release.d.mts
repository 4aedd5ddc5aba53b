export function writeSums(folder: string): void;
export function problemsOf(folder: string): string[];
