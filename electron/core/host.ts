/** The interface through which Core uses its machine. The Electron app and `toolkeep serve` each implement it. */

import type { Failure } from '../../shared/failure.ts';
import type { Answer, Question } from '../../shared/model/question.ts';
import type { UpdateView } from '../../shared/model/update.ts';
import type { Store } from './settings.ts';

/** How another program starts the bridge. */
export interface BridgeCommand {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** Seals secrets with the platform's key storage. If `persistent` is false, the key exists only in memory for this run. */
export interface Sealer {
  readonly persistent: boolean;
  /** Display name: "macOS Keychain", "memory for this run". */
  readonly label: string;
  seal(plain: string): Promise<string>;
  /**
   * A secret of this run that was sealed before the user entered the passphrase is sealed again. `onResealed` receives the
   * new value; store that instead.
   */
  unseal(sealed: string, onResealed?: (sealed: string) => void): Promise<string>;
  /** Absent if the system's keyring or the passphrase in a file seals. */
  readonly passphrase?: UserPassphrase;
}

/** The passphrase that the user enters in each run. Before the first one, secrets stay in memory. */
export interface UserPassphrase {
  readonly state: 'unset' | 'locked' | 'entered';
  /** Sets the first passphrase, or unlocks what it sealed. Fails with SECRET_UNREADABLE if it is another one. */
  use(passphrase: string): Promise<void>;
  /** `use` waits for `listener`, which is called once. */
  onEntered(listener: () => Promise<void>): void;
}

/** Installs new versions of the desktop app. */
export interface Updates {
  /** The format of the package and the address of its feed, for the user. */
  readonly channel: string;
  view(): UpdateView;
  /** `listener` is called after each change of the view. */
  onChange(listener: () => void): void;
  /** The app does not contact the update feed until this is first called with true. */
  enable(isEnabled: boolean): void;
  /** Looks for a new version now, unless that is disabled. Resolves when the feed has answered; never rejects. */
  check(): Promise<void>;
  /** Quits the app, installs the update that is ready, and starts the app again. */
  restart(): void;
}

export interface Host {
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  /** `TOOLKEEP_HOME` or `~/.toolkeep`; exists with mode 0700. */
  readonly dataDir: string;
  /** The folder that relative paths and clients' project files are resolved against. */
  readonly cwd: string;
  /** The folder whose configuration Core uses if the user trusts it; absent when Core was started by a client. */
  readonly projectDir?: string;
  /** Environment of the login shell merged over that of the process, resolved before Core starts. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The PATH of the terminal or client that started Core, for programs that crash as the login shell finds them. */
  readonly terminalPath?: string | undefined;
  readonly store: Store;
  /** The damage of the stored settings when Toolkeep started; absent if they were valid. */
  readonly settingsProblem?: Failure;
  readonly bridge: BridgeCommand;
  /** Why clients could not start the bridge later, and the next step; absent if they could. */
  readonly bridgeProblem?: string;
  readonly sealer: Sealer;
  /** Opens a URL in the browser. Only http and https URLs are ever passed. */
  openUrl(url: string): Promise<void>;
  /**
   * Asks the user in the prompt window. Resolves with undefined if this host cannot ask or the question was
   * withdrawn. UIs on the Wire show the question as well, and the first answer wins.
   */
  ask?(question: Question, signal: AbortSignal): Promise<Answer | undefined>;
  /** Calls `listener` when the user leaves (a locked screen, a sleeping computer) and comes back. */
  onPresence?(listener: (isAway: boolean) => void): void;
  /** The state of the desktop app; absent without one. */
  readonly desktop?: () => { isSandboxed: boolean; hasTray: boolean };
  /** Absent if this installation cannot update itself. */
  readonly updates?: Updates;
  /** One sentence for the user on how to update this installation, if it cannot update itself. */
  readonly howToUpdate?: string;
  /** Writes one line to the log. `message` must not contain a secret. */
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
  /** The last lines of the log, oldest first. */
  recentLog(): Promise<string[]>;
}

/** Determines where the user's programs keep their settings and caches. */
export type Machine = Pick<Host, 'homeDir' | 'platform' | 'env'>;
