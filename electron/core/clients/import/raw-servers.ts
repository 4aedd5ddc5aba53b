/** The server entries of a client's file, before they are understood. */
import type { Path } from '../../files/document.ts';
import type { ToolFilter } from './tool-filters.ts';

/** One server entry as written in the document. */
export interface RawServer {
  name: string;
  value: unknown;
  /** Its path in the document, used to report line numbers. */
  path: Path;
  /** The project folder that the entry belongs to. */
  folder?: string;
  /** True if something outside the entry disables it. */
  disabled?: boolean;
  /** Why the entry cannot be used. */
  unusable?: string;
  notes?: string[];
  /** The tools that something outside the entry disables. */
  filters?: ToolFilter[];
  /** The strings that the user entered, if the author of an extension wrote the rest of the entry. */
  entered?: readonly string[];
}

export interface RawServers {
  servers: RawServer[];
  /** Structural problems, without the file name. */
  problems: { message: string; path: Path }[];
}

export interface ReadContext {
  file: string;
  homeDir: string;
  platform: NodeJS.Platform;
  /** The folder of a project file. */
  folder?: string;
  /** The contents of the companion files, in order; undefined for a missing one. */
  companions: unknown[];
}

export type Reader = (document: Record<string, unknown>, context: ReadContext) => RawServers;

export type JsonObject = Record<string, unknown>;
