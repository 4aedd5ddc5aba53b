/** The two configurations of a merge: the user's and the folder's. */
import type { Config } from '../schema.ts';

export interface UserSide {
  config: Config;
  /** The settings in the user's file, as `approvals.timeout`. */
  written: string[];
  /** True when a rule of the user, in the file or in the window, enables or disables tools. */
  decidesEnabled: boolean;
  /** Names of servers that the user added. */
  servers: string[];
  /** Tags that limit a profile of the user. */
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
