/** What one client gets to see: everything, a profile, or one server; and in which mode. */
import type { Mode } from '../../../shared/model.ts';
import type { GatewayBackend } from './backend.ts';
import { inProfile, profileMissing } from './in-profile.ts';
import { oneServer } from './one-server.ts';

/** As the client asks for it, on its command line or in its address. */
export interface AskedView {
  mode?: Mode | undefined;
  server?: string | undefined;
  profile?: string | undefined;
}

/** What a bridge says about its client. */
export interface StreamClient extends AskedView {
  client?: string | undefined;
  cwd?: string | undefined;
}

export interface View {
  backend: GatewayBackend;
  mode: Mode;
  profile: string | undefined;
  server: string | undefined;
  /** Equal for equal views. */
  key: string;
}

export function viewOf(backend: GatewayBackend, { mode, server, profile }: AskedView): View {
  const chosen = mode ?? (profile === undefined ? undefined : backend.profile?.(profile)?.mode) ?? 'lazy';
  const part = profile === undefined ? backend : inProfile(backend, profile);
  return {
    backend: oneServer(part, server),
    mode: chosen,
    profile,
    server,
    key: JSON.stringify([chosen, server, profile]),
  };
}

/** Why a client that asks for this cannot be served; undefined when it can. */
export function refusalOf(backend: GatewayBackend, { profile }: AskedView): string | undefined {
  if (profile === undefined || backend.profile?.(profile)) return undefined;
  return `${profileMissing(profile).message} See \`gatehouse profiles\`.`;
}
