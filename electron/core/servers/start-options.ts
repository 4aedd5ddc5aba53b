/** The options with which a server starts, for normal use or for one trial. */
import type { Connection, ServerConfig } from '../../../shared/model/server.ts';
import type { Config } from '../config/schema.ts';
import { requireTrusted } from '../config/trusted-start.ts';
import type { Host } from '../host.ts';
import { requireRecorded } from '../registry/verify-start.ts';
import type { ResolvedConnection } from '../secrets/resolve.ts';
import type { StartMarks } from './lifecycle/start-marks.ts';
import type { SignIns } from './oauth/oauth.ts';

export interface StartContext {
  host: Host;
  marks: StartMarks;
  signIns: SignIns;
  resolve(server: ServerConfig, folder?: string): ResolvedConnection | Promise<ResolvedConnection>;
  config(): Config;
}

/** The options for one trial start, which changes no stored state. */
export function trialOptions(options: StartContext, config: ServerConfig) {
  const nothing = () => undefined;
  return { ...startOptions(options, config), idleTimeoutMs: 0, onState: nothing, onNotification: nothing };
}

/** Changes the connection before a start. */
type Change = (connection: Connection) => Promise<Connection>;

/** The options for normal starts of a server. */
export function startOptions(
  options: StartContext,
  config: ServerConfig,
  { previous, change }: { previous?: Promise<unknown> | undefined; change?: Change } = {},
) {
  const { name, lifecycle } = config;
  return {
    host: options.host,
    marks: options.marks,
    async resolve(given: Connection, folder?: string) {
      await previous;
      const connection = change ? await change(given) : given;
      const started = { ...config, connection };
      // A changed connection must be one that the user trusts, too.
      for (const checked of change ? [config, started] : [config]) {
        await requireRecorded(checked, options.host);
        await requireTrusted(checked, options.host);
      }
      return options.resolve(started, folder);
    },
    tuning: {
      startTimeoutMs: lifecycle?.startTimeoutMs ?? options.config().discoveryTimeoutMs,
      ...(lifecycle?.readTimeoutMs !== undefined && { readTimeoutMs: lifecycle.readTimeoutMs }),
      ...(lifecycle?.healthIntervalMs !== undefined && { healthIntervalMs: lifecycle.healthIntervalMs }),
    },
    authorization: (url: string, instance = 0) => options.signIns.authorization({ server: name, instance }, url),
  };
}
