/**
 * One server through the gateway as if there were no other: under its own names, since nothing has to be told apart. For a
 * client that wants a server as it is and still has rules, questions and history (`connect --server NAME`).
 */
import { fail } from '../../../shared/failure.ts';
import type { ClientSession, GatewayBackend, Shown, WantedOptions } from './backend.ts';

/** The same backend with everything of other servers left out; without a name the backend itself. */
export function oneServer(backend: GatewayBackend, server: string | undefined): GatewayBackend {
  if (server === undefined) return backend;
  const requireOwn = (name: string) => {
    if (name !== server) throw fail('SERVER_NOT_FOUND', `This connection only reaches "${server}".`, { server: name });
  };
  const own = <S extends Shown>(all: S[], nameOf: (shown: S) => unknown): S[] =>
    all.filter((shown) => shown.server === server).map((shown) => ({ ...shown, name: String(nameOf(shown)) }));
  const within = (session: ClientSession): ClientSession => ({ ...session, server });
  const promptNamed = (name: string) =>
    backend.prompts().find((prompt) => prompt.server === server && prompt.definition.name === name)?.name ?? name;

  return {
    ...backend,
    serverNames: undefined,
    servers: () => backend.servers().filter(({ id }) => id === server),
    tools(name) {
      requireOwn(name);
      return backend.tools(name);
    },
    tool(name, tool) {
      requireOwn(name);
      return backend.tool(name, tool);
    },
    enabledTools: () => own(backend.enabledTools(), ({ tool }) => tool),
    byShownName(tool) {
      // One that is off is refused with the reason, and may be offered to the person.
      const isThere = backend.servers().some(({ id }) => id === server);
      return isThere && backend.tools(server).some(({ name }) => name === tool) ? { server, tool } : undefined;
    },
    search(session, query, options) {
      if (options.server) requireOwn(options.server);
      return backend.search(within(session), query, { ...options, server });
    },
    ...(backend.wanted && {
      wanted: (session: ClientSession, query: string, options: WantedOptions) =>
        backend.wanted?.(within(session), query, { ...options, server }),
    }),
    async execute(call) {
      requireOwn(call.server);
      return backend.execute({ ...call, session: within(call.session) });
    },
    connecting: (name = server) => backend.connecting?.(name),
    listed: (session, tools) => backend.listed?.(within(session), tools),
    prompts: () => own(backend.prompts(), ({ definition }) => definition.name),
    getPrompt: (session, name, args, signal) => backend.getPrompt(within(session), promptNamed(name), args, signal),
    resources: () => own(backend.resources(), ({ definition }) => definition.name),
    resourceTemplates: () => own(backend.resourceTemplates(), ({ definition }) => definition.name),
    readResource: (session, uri, signal) => backend.readResource(within(session), uri, signal),
    ...(backend.followResource && {
      followResource: async (session: ClientSession, uri: string, follow: boolean) =>
        backend.followResource?.(within(session), uri, follow),
    }),
    complete(session, params, signal) {
      const ref = params.ref as { type?: string; name?: string } | undefined;
      const named =
        ref?.type === 'ref/prompt' ? { ...params, ref: { ...ref, name: promptNamed(String(ref.name)) } } : params;
      return backend.complete(within(session), named, signal);
    },
  };
}
