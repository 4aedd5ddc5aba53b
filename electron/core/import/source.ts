/** What a client source is: the type of the entries in the table. */
import type { PlaceholderStyle } from './dialect.ts';
import type { Format } from './document.ts';
import type { Machine, Place } from './places.ts';
import type { Reader } from './readers.ts';

export interface ClientSource {
  /** As in `gatehouse import --source`. */
  id: string;
  /** Other names people use, those of the config format among them. */
  aliases: string[];
  /** The client's name for people. */
  app: string;
  format: Format;
  reader: Reader;
  /** Most important first. */
  places(machine: Machine): Place[];
  /** Meaning of a `url` without a `type`; by its path where not given. */
  urlMeans: 'sse' | 'http' | undefined;
  /** Unit of a plain `timeout`; ignored where not given. */
  timeoutUnit: 's' | 'ms' | undefined;
  /** Placeholder syntaxes beyond `${VAR}`. */
  placeholders: PlaceholderStyle[];
}

/** The format that a file name promises; JSON (read tolerantly) when it promises none. */
export function formatOf(file: string): Format {
  if (/\.ya?ml$/i.test(file)) return 'yaml';
  return /\.toml$/i.test(file) ? 'toml' : 'json';
}
