/** A part of what Gatehouse offers: the servers and tools of a profile, for a client that was given no more. */
import { fail, type GatehouseError } from '../../../shared/failure.ts';
import type { Profile } from '../../../shared/model.ts';
import type { ClientSession, GatewayBackend, Shown } from './backend.ts';

/** Every method, those that may be absent too. */
type Complete = { [K in keyof GatewayBackend]-?: GatewayBackend[K] | undefined };

/**
 * The same backend with everything outside the profile left out. The profile is looked up each time, so that a change is in
 * force at once; when it is gone, nothing is offered any more.
 */
export function inProfile(backend: GatewayBackend, name: string): GatewayBackend {
  const current = () => backend.profile?.(name);
  const hasServer = (profile: Profile | undefined, server: string) =>
    profile !== undefined && (profile.servers.length === 0 || profile.servers.includes(server));
  const hasTags = (profile: Profile | undefined, tags: readonly string[]) =>
    profile !== undefined && (profile.tags.length === 0 || profile.tags.some((tag) => tags.includes(tag)));
  const hasTool = ({ server, tags }: { server: string; tags: readonly string[] }) => {
    const profile = current();
    return hasServer(profile, server) && hasTags(profile, tags);
  };

  function outside(what: string, place: { server?: string; tool?: string }): GatehouseError {
    if (!current()) return profileMissing(name);
    return fail('NOT_IN_PROFILE', `${what} is not in the profile "${name}" of this client.`, place);
  }
  /** Names that do not exist at all are for the backend to complain about. */
  function requireServer(server: string): void {
    if (!hasServer(current(), server)) throw outside(`The server "${server}"`, { server });
  }
  function requireTool(server: string, tool: string): void {
    requireServer(server);
    if (current()?.tags.length === 0) return;
    // The same answer for what is not there at all: its "did you mean" would name what is outside.
    const found = backend.tools(server).find(({ name }) => name === tool);
    if (!found || !hasTags(current(), found.tags)) throw outside(`The tool "${tool}"`, { server, tool });
  }
  const within = (session: ClientSession): ClientSession => {
    const servers = current()?.servers ?? [];
    return servers.length > 0 ? { ...session, servers } : session;
  };
  const own = <S extends Shown>(all: S[]): S[] => {
    const profile = current();
    return all.filter(({ server }) => hasServer(profile, server));
  };
  function requirePrompt(prompt: string): void {
    const found = backend.prompts().find((shown) => shown.name === prompt);
    if (found) requireServer(found.server);
    else if (!current()) throw profileMissing(name);
  }
  function requireProfile(): void {
    if (!current()) throw profileMissing(name);
  }

  // Without a spread: a method that comes to the backend later must be thought about here.
  const { profile, readsOn, results, lookedUp, setLogLevel, rootsChanged, connected } = backend;
  const { onChange, onResourceUpdated, instructions } = backend;
  const seen = {
    ...{ profile, readsOn, results, lookedUp, setLogLevel, rootsChanged, connected },
    ...{ onChange, onResourceUpdated, instructions },
    serverNames: undefined,
    servers() {
      const profile = current();
      const servers = backend.servers().filter(({ id }) => hasServer(profile, id));
      if (profile?.tags.length === 0) return servers;
      return servers.map((server) => {
        const tools = backend.tools(server.id).filter(({ tags }) => hasTags(profile, tags));
        const enabledCount = tools.filter(({ enabled, held }) => enabled && !held).length;
        return { ...server, toolCount: tools.length, enabledCount };
      });
    },
    tools(server) {
      requireServer(server);
      return backend.tools(server).filter(hasTool);
    },
    tool(server, tool) {
      requireTool(server, tool);
      return backend.tool(server, tool);
    },
    enabledTools: () => backend.enabledTools().filter(hasTool),
    // Running it is refused with the reason.
    byShownName: backend.byShownName,
    search(session, query, options) {
      if (options.server !== undefined) requireServer(options.server);
      return backend.search(within(session), query, { ...options, fits: hasTool });
    },
    // What is off in the profile is offered as to any client; of what lies outside, this one is to know nothing.
    wanted(session, query, options) {
      if (options.server !== undefined && !hasServer(current(), options.server)) return undefined;
      return backend.wanted?.(within(session), query, { ...options, fits: hasTool });
    },
    async execute(call) {
      if (readsOn?.(call)) return backend.execute(call);
      // Whether a tool has the tags is known once its server was asked for the first time.
      if (current()?.tags.length !== 0 && hasServer(current(), call.server)) await backend.connecting?.(call.server);
      requireTool(call.server, call.tool);
      return backend.execute({ ...call, session: within(call.session) });
    },
    connecting(server) {
      if (server !== undefined && !hasServer(current(), server)) return undefined;
      return backend.connecting?.(server)?.then((names) => names.filter((name) => hasServer(current(), name)));
    },
    listed: (session, tools) => backend.listed?.(within(session), tools),
    prompts: () => own(backend.prompts()),
    async getPrompt(session, prompt, args, signal) {
      requirePrompt(prompt);
      return backend.getPrompt(within(session), prompt, args, signal);
    },
    resources: () => own(backend.resources()),
    resourceTemplates: () => own(backend.resourceTemplates()),
    async readResource(session, uri, signal) {
      requireProfile();
      return backend.readResource(within(session), uri, signal);
    },
    async followResource(session, uri, follow) {
      requireProfile();
      await backend.followResource?.(within(session), uri, follow);
    },
    async complete(session, params, signal) {
      const ref = params.ref as { type?: string; name?: string } | undefined;
      if (ref?.type === 'ref/prompt') requirePrompt(String(ref.name));
      else requireProfile();
      return backend.complete(within(session), params, signal);
    },
  } satisfies Complete;
  return seen as GatewayBackend;
}

export function profileMissing(name: string): GatehouseError {
  return fail('PROFILE_NOT_FOUND', `There is no profile "${name}".`);
}
