/** The sign-in of one server, with a separate account for each of its instances. */
import type { ServerConfig } from '../../../../shared/model/server.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import { instancesOf } from '../lifecycle/load-balancer.ts';
import { type Entry, stateOf } from '../server-entry.ts';
import type { SignIns } from './oauth.ts';

interface ServerSignInOptions {
  signIns: SignIns;
  resolve(server: ServerConfig): ResolvedConnection | Promise<ResolvedConnection>;
  onState(name: string): void;
}

export function createServerSignIn({ signIns, resolve, onState }: ServerSignInOptions) {
  return {
    /** `needed`: usable after a sign-in in the browser. Undefined if the server is not known to support one. */
    state(entry: Entry): 'needed' | 'signedIn' | undefined {
      const accounts = accountsOf(entry.config);
      const failures = [stateOf(entry), ...(entry.handle.state.instances ?? [])].map(({ failure }) => failure);
      const isRefused = failures.some((failure) => failure?.code === 'SERVER_AUTH_REQUIRED');
      if (isRefused && accounts.some(signIns.isOffered)) return 'needed';
      return accounts.some(signIns.isSignedIn) ? 'signedIn' : undefined;
    },
    /** Opens the browser for each instance that is not signed in; for all of them if none is missing. */
    async start({ config, handle }: Entry): Promise<void> {
      const { name } = config;
      const states = handle.state.instances ?? [];
      const all = [...instancesOf(config).entries()];
      const missing = all.filter(
        ([index]) =>
          states[index]?.failure?.code === 'SERVER_AUTH_REQUIRED' ||
          !signIns.isSignedIn({ server: name, instance: index }),
      );
      for (const [instance, instanceConfig] of missing.length > 0 ? missing : all) {
        const resolved = await resolve(instanceConfig);
        if (resolved.type === 'stdio') continue;
        const changed = () => onState(name);
        await signIns.signIn({ server: name, instance }, resolved.url, resolved.oauth, changed).finally(changed);
      }
    },
    /** The page in the browser that a sign-in waits for. */
    page: ({ config }: Entry): string | undefined => accountsOf(config).map(signIns.waitingPage).find(Boolean),
    cancel({ config }: Entry): void {
      for (const account of accountsOf(config)) signIns.cancel(account);
    },
    async end({ config }: Entry): Promise<void> {
      for (const account of accountsOf(config)) await signIns.signOut(account);
    },
  };
}

function accountsOf(config: ServerConfig) {
  return Array.from(instancesOf(config), (_, instance) => ({ server: config.name, instance }));
}
