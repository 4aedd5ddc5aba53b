/** The options with which a server starts, for normal use or for one trial. */
import type { ServerConfig } from '../../../shared/model/server.ts';
import { requireTrusted } from '../config/trusted-start.ts';
import type { Host } from '../host.ts';
import { requireRecorded } from '../registry/verify-start.ts';
import type { ResolvedConnection } from '../secrets/resolve.ts';
import type { StartMarks } from './lifecycle/start-marks.ts';
import type { SignIns } from './oauth/oauth.ts';

interface Options {
  host: Host;
  marks: StartMarks;
  signIns: SignIns;
  resolve(server: ServerConfig, folder?: string): ResolvedConnection | Promise<ResolvedConnection>;
  discoveryTimeoutMs(): number;
}

/** The options for one trial start, which changes no stored state. */
export function trialOptions(options: Options, config: ServerConfig) {
  const nothing = () => undefined;
  return { ...startOptions(options, config), idleTimeoutMs: 0, onState: nothing, onNotification: nothing };
}

/** The options for normal starts of a server. */
export function startOptions(options: Options, config: ServerConfig, previous?: Promise<unknown>) {
  const { name, lifecycle } = config;
  return {
    host: options.host,
    marks: options.marks,
    async resolve(connection: ServerConfig['connection'], folder?: string) {
      await previous;
      await requireRecorded(config, options.host);
      await requireTrusted(config, options.host);
      return options.resolve({ ...config, connection }, folder);
    },
    tuning: {
      startTimeoutMs: lifecycle?.startTimeoutMs ?? options.discoveryTimeoutMs(),
      ...(lifecycle?.healthIntervalMs !== undefined && { healthIntervalMs: lifecycle.healthIntervalMs }),
    },
    authorization: (url: string, instance = 0) => options.signIns.authorization({ server: name, instance }, url),
  };
}
