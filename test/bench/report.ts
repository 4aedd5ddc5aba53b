/** The output of a benchmark part: aligned tables for readers, rows for programs. */

export interface Part {
  /** One line about what is measured and compared. */
  about: string;
  run(report: Report): Promise<void> | void;
}

/** A row of a table; the first column names it. Numbers are rounded to useful digits. */
export type Row = Record<string, string | number | undefined>;

export interface Report {
  /** A table; the columns are those of the rows, in order of appearance. */
  table(title: string, rows: Row[]): void;
  /** A remark: what was left out, sampled, or assumed. */
  note(text: string): void;
}

interface PartFigures {
  about: string;
  tables: { title: string; rows: Row[] }[];
  notes: string[];
}

/** Prints the figures with `print` as they arrive, and keeps them for `figures()`. */
export function createReport(print: (line: string) => void): Report & {
  begin(name: string, about: string): void;
  figures(): { node: string; platform: string; at: string; parts: Record<string, PartFigures> };
} {
  const parts: Record<string, PartFigures> = {};
  let current: PartFigures = { about: '', tables: [], notes: [] };

  return {
    begin(name, about) {
      current = { about, tables: [], notes: [] };
      parts[name] = current;
      print(`\n━━ ${name}: ${about}`);
    },
    table(title, rows) {
      current.tables.push({ title, rows });
      print(`\n${title}`);
      for (const line of align(rows)) print(line);
    },
    note(text) {
      current.notes.push(text);
      print(`  ${text}`);
    },
    figures: () => ({
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      at: new Date().toISOString(),
      parts,
    }),
  };
}

function align(rows: Row[]): string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => (line[at] ?? '').length)));
  const numeric = columns.map((column) => rows.every((row) => typeof row[column] !== 'string'));
  return cells.map((line) => {
    const padded = line.map((cell, at) =>
      numeric[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
    );
    return `  ${padded.join('  ')}`.trimEnd();
  });
}

function show(value: string | number | undefined): string {
  if (value === undefined) return '–';
  if (typeof value === 'string' || Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}
