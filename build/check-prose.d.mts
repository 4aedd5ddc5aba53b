export function findProblems(file: string, source: string): { line: number; text: string; instead: string }[];
