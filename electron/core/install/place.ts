/** What an edit of any format is told. */
import type { GatehouseError } from '../../../shared/failure.ts';

/** Where an entry stands: under `name` in the map (or list of named maps) `section`. */
export interface Place {
  section: string;
  name: string;
  list?: boolean;
}

/** The failure for a file that cannot be edited without guessing. */
export type Refuse = (reason: string) => GatehouseError;
