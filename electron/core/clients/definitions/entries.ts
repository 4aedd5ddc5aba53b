/** The common forms of a Toolkeep entry and of the next step after installation. */
import type { BridgeCommand } from '../../host.ts';

/** The timeout in seconds that Toolkeep sets in clients where it can. It is long because an approval can take minutes. */
export const clientTimeoutSeconds = 600;

/** The TypeScript SDK's default request timeout. Most TypeScript clients do not change it. */
export const sdkTimeoutMs = 60_000;
/** For clients that wait longer than any call takes. */
export const unlimitedMs = 24 * 60 * 60_000;

/** `command`, `args` and, if not empty, `env`. */
export const plainEntry = ({ command, args, env }: BridgeCommand): Record<string, unknown> => ({
  command,
  args,
  ...(hasKeys(env) ? { env } : {}),
});

/** Keeps the meta-tools in the model's context if the client defers tools. In full mode, tools may be deferred. */
export const neverDeferred = (key: string, { args }: BridgeCommand) => (args.includes('full') ? {} : { [key]: true });

export const typedEntry = (type: string) => (bridge: BridgeCommand) => ({ type, ...plainEntry(bridge) });

export const entryWithTimeout = (timeout: number) => (bridge: BridgeCommand) => ({ ...plainEntry(bridge), timeout });

/** The command and its arguments in one list. */
export const argvEntry = ({ command, args, env }: BridgeCommand): Record<string, unknown> => ({
  type: 'local',
  command: [command, ...args],
  ...(hasKeys(env) ? { environment: env } : {}),
  enabled: true,
});

export const restart = (app: string): string => `Quit ${app} completely and start it again.`;
export const reloads = (app: string): string => `${app} reloads its configuration. If it does not, restart it.`;
export const newSessions = (app: string): string => `New sessions of ${app} use Toolkeep.`;

function hasKeys(env: BridgeCommand['env']): boolean {
  return env !== undefined && Object.keys(env).length > 0;
}
