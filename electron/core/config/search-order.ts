/** Where config files are looked for, first found wins (design "Config", requirement row A12). */
import { join } from 'node:path';

export interface Candidate {
  file: string;
  /** A file of the whole project: only its `discovery` section is ours, and without one the search goes on. */
  sectionOnly: boolean;
}

const projectFormats = ['ts', 'mjs', 'json'];
const formats = ['ts', 'mjs', 'json', 'jsonc', 'yaml', 'yml'];

/** All places in order. */
export function configCandidates({ cwd, dataDir }: { cwd: string; dataDir: string }): Candidate[] {
  const ours = (folder: string) =>
    formats.map((format) => ({ file: join(folder, `config.${format}`), sectionOnly: false }));
  return [
    ...ours(join(cwd, '.gatehouse')),
    ...projectFormats.map((format) => ({ file: join(cwd, `gatehouse.config.${format}`), sectionOnly: true })),
    ...ours(dataDir),
  ];
}
