/** The locations of config files, in search order: the folder that Core was started in, then the data folder. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

export interface Candidate {
  file: string;
  /** If true, only the file's `discovery` section is used. If the file has none, the search continues. */
  sectionOnly: boolean;
}

const projectFormats = ['ts', 'mjs', 'json'];
const formats = ['ts', 'mjs', 'json', 'jsonc', 'yaml', 'yml'];

/** The user's own config files, in the data folder. */
export function userCandidates(dataDir: string): Candidate[] {
  return formats.map((format) => ({ file: join(dataDir, `config.${format}`), sectionOnly: false }));
}

/** The config files of a folder, which need the user's trust. In the home folder, `.toolkeep` is the user's own. */
export function folderCandidates(folder: string, dataDir: string): Candidate[] {
  const own = join(folder, '.toolkeep');
  return [
    ...(isSameFolder(own, dataDir) ? [] : userCandidates(own)),
    ...projectFormats.map((format) => ({ file: join(folder, `toolkeep.config.${format}`), sectionOnly: true })),
  ];
}

function isSameFolder(one: string, other: string): boolean {
  try {
    return one === other || realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}
