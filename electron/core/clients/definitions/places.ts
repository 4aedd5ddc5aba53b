/** Short forms for the config files in client definitions. */
import { type Format, formatOfFile } from '../../files/document.ts';
import type { Machine, Place } from '../import/paths.ts';

type More = Omit<Partial<Place>, 'path' | 'scope'>;

/** A file of the user that Gatehouse may write. */
export const userFile = (path: string, more: More = {}): Place => ({ path, scope: 'user', ...more });

/** A file of the user that is only imported: an older location, or one whose writing is not verified. */
export const importOnly = (path: string, more: More = {}): Place => ({ path, scope: 'user', readOnly: true, ...more });

/** A file in the current project folder. */
export const projectFile = (path: string, more: More = {}): Place => ({ path, scope: 'project', ...more });

/** A file of the machine's administrator. */
export const managedFile = (path: string): Place => ({ path, scope: 'managed' });

/** `places` on one platform, nothing on others. */
export const onlyOn = (machine: Machine, platform: NodeJS.Platform, ...places: Place[]): Place[] =>
  machine.platform === platform ? places : [];

/** A file whose name tells its format. */
export const byExtension = (path: string): { format: Format } => ({ format: formatOfFile(path) });
