/** The type of a known client's definition: everything that Toolkeep knows about one client. */

import type { Format } from '../files/document.ts';
import type { BridgeCommand } from '../host.ts';
import type { ClientLimits } from './client-limits.ts';
import type { PlaceholderStyle } from './import/dialect.ts';
import type { ConfigLocation, Folders, Machine } from './import/paths.ts';
import type { Reader } from './import/raw-servers.ts';

export interface ClientDefinition {
  /** The name in `toolkeep import --source` and `toolkeep install`. */
  id: string;
  /** Other names for the id, including those of older config formats. */
  aliases: string[];
  /** The client's name for display. */
  app: string;
  format: Format;
  /** Finds the server entries in the client's file. */
  reader: Reader;
  /** Config files in order of precedence. Toolkeep writes the first writable user file that exists. */
  locations(machine: Machine): ConfigLocation[];
  /** The transport of a `url` without a `type`. By default, the URL's path determines it. */
  urlMeans?: 'sse' | 'http';
  /** The unit of an entry's `timeout`; without it, the field is ignored. */
  timeoutUnit?: 's' | 'ms';
  /** Placeholder syntaxes in addition to `${VAR}`. */
  placeholders: PlaceholderStyle[];
  /** How to write the Toolkeep entry; missing for clients that are only imported from. */
  install?: InstallDefinition;
  /** The names that the client sends in `clientInfo`. */
  infoNames?: string[];
  /** The client, or its model's API, rejects a list of tools that exceeds these limits. */
  limits?: ClientLimits;
  /**
   * How long the client waits for a call if nothing else is configured, in milliseconds; missing if unknown. The entry that
   * Toolkeep writes may set a longer `timeout`.
   */
  callTimeoutMs?: number;
  /** The number of characters above which the client truncates a result. */
  resultCharacters?: number;
  /**
   * Limits on the images in a result, above which the client fails: the pixels of the longer side, and the base64 characters
   * of all images together.
   */
  images?: { side?: number; characters?: number };
  /** Whether each progress notification restarts the client's request timeout, in every version that requests progress. */
  progressExtendsTimeout?: boolean;
}

export interface InstallDefinition {
  /** The key of the section with the servers. */
  section: string;
  /** The key of a map in the section that has servers, too. */
  inner?: string;
  /** True if the section is a list of named entries instead of a map. */
  list?: boolean;
  /** Returns the Toolkeep entry in the client's own format. */
  entry(bridge: BridgeCommand): Record<string, unknown>;
  /**
   * For a client that asks the user before it calls tools: the documented keys of the entry that end these questions for the entry's
   * tools, or `elsewhere` if the client has this setting only outside the entry.
   */
  gate?: Record<string, unknown> | 'elsewhere';
  /** The timeout of a call that the entry sets, in milliseconds. */
  timeoutMs?: number;
  /** Tells the user what to do next so that the client loads the entry. */
  afterwards: string;
  /** The client's process names, used to warn if it is running. */
  processes?: string[];
}

/** A definition in source form: the defaults are JSON and a map named `mcpServers`. */
export type DefinitionInput = Pick<ClientDefinition, 'app'> &
  Partial<Omit<ClientDefinition, 'locations' | 'id' | 'install'>> & {
    locations(folders: Folders, machine: Machine): ConfigLocation[];
    install?: Partial<InstallDefinition> & Pick<InstallDefinition, 'afterwards'>;
  };

export type DefinitionInputs = Record<string, DefinitionInput>;
