/** The two configurations of a merge: the user's and the folder's. */
import type { Config } from '../schema.ts';

export interface UserSide {
  config: Config;
  /** The keys that the user's file sets, such as `approvals.timeout`. */
  written: string[];
  /** True if one of the user's rules, in the file or the window, enables or disables tools. */
  decidesEnabled: boolean;
  /** Names of servers that the user added. */
  servers: string[];
  /** Tags that limit one of the user's profiles. */
  profileTags: string[];
}

export interface FolderSide {
  folder: string;
  file: string;
  config: Config;
  written: string[];
  /** Paths, relative to the folder, of the files whose content is trusted. */
  files: string[];
}
