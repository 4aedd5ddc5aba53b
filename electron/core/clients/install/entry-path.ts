/** The position of an entry in a config file, for edits in any format. */
import type { ToolkeepError } from '../../../../shared/failure.ts';
import type { Format } from '../../files/document.ts';

/** The entry `name` in the map (or list of named maps) `section`, or in the map `inner` of the section (only JSON). */
export interface EntryPath {
  section: string;
  inner?: string | undefined;
  name: string;
  list?: boolean | undefined;
}

/** An entry of one file. */
export interface EntryPlace extends EntryPath {
  file: string;
  format: Format;
}

/** Creates the failure for a file that cannot be edited safely. */
export type Refuse = (reason: string) => ToolkeepError;
