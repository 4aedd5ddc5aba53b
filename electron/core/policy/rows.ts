/**
 * The rows that decide about calls. They are compiled when a setting, a definition or a server changes, so that a call only
 * reads them. No row has a definition: a catalog of 10,000 tools must not be parsed to be listed.
 */
import type { Profile } from '../../../shared/model/profile.ts';
import type {
  ApprovalsAsk,
  Category,
  Confirm,
  DestinationsPolicy,
  SafetyLevel,
  ToolAnnotations,
} from '../../../shared/model/tool.ts';
import type { Grant } from '../settings.ts';
import type { AppUse } from '../tools/apps.ts';
import type { HeldReason } from '../tools/pins.ts';
import type { Scope } from '../types.ts';
import type { Known } from './known-destinations.ts';

/** A tool with everything that rules, overrides, pins and its assessment say about it. */
export interface ToolRow {
  readonly server: string;
  readonly name: string;
  /** The definition that the user accepted, and that grants are bound to. */
  readonly fingerprint: string;
  readonly category: Category;
  readonly annotations: ToolAnnotations;
  readonly tags: readonly string[];
  /** Undefined if rules and overrides enable it. */
  readonly disabledBy?: 'rule' | 'override';
  readonly held?: HeldReason;
  readonly confirm: Confirm;
  readonly destinations?: DestinationsPolicy;
  readonly app?: AppUse;
}

/** The tools of all servers. A row is compiled at its first use, and stays the same as long as nothing in it can change. */
export interface ToolRows {
  get(server: string, name: string): ToolRow | undefined;
  ofServer(server: string): Iterable<ToolRow>;
}

export interface ServerRow {
  readonly name: string;
  readonly isEnabled: boolean;
  /** Whether its tools are known. Otherwise, a call discovers them. */
  readonly isDiscovered: boolean;
}

/** The properties of a tool that rules examine. */
export interface RuleTarget {
  server: string;
  name: string;
  safety?: SafetyLevel;
  category?: Category;
}

/** The limits that the rules for one client set. */
export interface ClientRow {
  deniesServer(server: string): boolean;
  denies(tool: RuleTarget): boolean;
  confirm(tool: RuleTarget): Confirm;
}

export interface PolicyRow {
  readonly ask: ApprovalsAsk;
  readonly mode: 'ask' | 'never';
  readonly destinations: DestinationsPolicy;
  readonly reads: 'leaks' | 'off';
}

export interface State {
  readonly isPaused: boolean;
  readonly policy: PolicyRow;
  readonly servers: ReadonlyMap<string, ServerRow>;
  readonly tools: ToolRows;
  /** By the ID of an entry or the name of a token. */
  readonly clients: ReadonlyMap<string, ClientRow>;
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Another array after each change. Expired grants may be among them. */
  readonly grants: readonly Grant[];
  /** The destinations that the user or the config file has allowed, by name. Expired ones may be among them. */
  readonly known: ReadonlyMap<string, readonly Known[]>;
}

/** Who calls. */
export interface Caller {
  readonly id: string;
  readonly name: string;
  readonly identity?: string | undefined;
  readonly isUser?: true;
  readonly scope: Scope;
}
