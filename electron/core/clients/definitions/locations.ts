/** Shorthands for the config files in client definitions. */
import { type Format, formatOfFile } from '../../files/document.ts';
import type { ConfigLocation, Machine } from '../import/paths.ts';

type More = Omit<Partial<ConfigLocation>, 'path' | 'scope'>;

/** A user file that Toolkeep may write. */
export const userFile = (path: string, more: More = {}): ConfigLocation => ({ path, scope: 'user', ...more });

/** A user file that Toolkeep only reads: an older location, or one where writing has not been verified. */
export const importOnly = (path: string, more: More = {}): ConfigLocation => ({
  path,
  scope: 'user',
  readOnly: true,
  ...more,
});

/** A file in the current project folder. */
export const projectFile = (path: string, more: More = {}): ConfigLocation => ({ path, scope: 'project', ...more });

/** A file that the machine's administrator manages. */
export const managedFile = (path: string, more: More = {}): ConfigLocation => ({ path, scope: 'managed', ...more });

/** Returns `locations` on one platform and nothing on others. */
export const onlyOn = (
  machine: Machine,
  platform: NodeJS.Platform,
  ...locations: ConfigLocation[]
): ConfigLocation[] => (machine.platform === platform ? locations : []);

/** A file whose extension indicates its format. */
export const byExtension = (path: string): { format: Format } => ({ format: formatOfFile(path) });
