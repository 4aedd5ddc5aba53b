/** Prompts and resources of all servers, passed through under prefixed names (rows D4, D6). */
import { randomUUID } from 'node:crypto';
import { UriTemplate } from '@modelcontextprotocol/server';
import { fail } from '../../../shared/failure.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { shownName } from '../discovery/discovery.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { type Asking, type AskOrigin, answerAsk, type Caller } from '../execute/execute.ts';
import { similarNames } from '../search/search.ts';
import type { ProvideOptions } from '../secrets/secrets.ts';
import type { Servers } from '../servers/servers.ts';
import { createFollowing } from './following.ts';
import { requireInsideRoots } from './roots.ts';

type Definition = Record<string, unknown>;

/** Something of a server under the name that clients see. */
export interface ShownItem {
  name: string;
  server: string;
  definition: Definition;
}

export interface Passthrough {
  prompts(): ShownItem[];
  getPrompt(caller: Caller, name: string, args: unknown, signal: AbortSignal): Promise<Record<string, unknown>>;
  resources(): ShownItem[];
  resourceTemplates(): ShownItem[];
  readResource(caller: Caller, uri: string, signal: AbortSignal): Promise<Record<string, unknown>>;
  followResource(caller: Caller, uri: string, follow: boolean): Promise<void>;
  /** A client is gone: it follows nothing any more. */
  left(callerId: string): void;
  complete(caller: Caller, params: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, unknown>>;
}

export function createPassthrough(parts: {
  servers: Servers;
  catalog: Catalog;
  elicitation: Elicitation;
  asking(caller: Caller): Asking;
  /** Asks the person for what the server lacks before it starts. */
  provide(server: string, waiting: ProvideOptions): Promise<void>;
}): Passthrough {
  const { servers, catalog } = parts;
  const following = createFollowing();

  /** Everything of one kind, of servers that are switched on and have not failed (row E3). */
  function all(kind: 'prompts' | 'resources' | 'resourceTemplates'): ShownItem[] {
    return servers.configs().flatMap(({ name: server, enabled }) => {
      const listed = enabled && !servers.isLost(server) ? (catalog.entry(server)?.discovered[kind] ?? []) : [];
      const slug = servers.slug(server);
      return listed.map((definition) => {
        const own = String(definition.name);
        return { name: shownName(slug, own, `${server}::${own}`), server, definition };
      });
    });
  }

  async function request(
    caller: Caller,
    server: string,
    method: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
  ) {
    const call = { caller, server, tool: method, arguments: {}, signal: signal ?? new AbortController().signal };
    await parts.provide(server, { from: { client: caller.name }, ...(signal && { signal }) });
    const asking = parts.asking(caller);
    const result = servers.upstream(server).request({
      method,
      params,
      ...(signal && { signal }),
      session: caller.id,
      // Reading a prompt or a resource changes nothing.
      mayRepeat: true,
      origin: { client: caller.id, tool: method } satisfies AskOrigin,
      onAsk: (ask, within) =>
        answerAsk(ask, { call, callId: randomUUID(), signal: within, elicitation: parts.elicitation, asking }),
    });
    return result.catch((error) => {
      asking.pages.passedWith(error, caller, server);
      throw error;
    });
  }

  function promptNamed(name: string): ShownItem {
    const prompts = all('prompts');
    const found = prompts.find((prompt) => prompt.name === name);
    if (found) return found;
    const [similar] = similarNames(
      name,
      prompts.map((prompt) => prompt.name),
      1,
    );
    throw fail('TOOL_NOT_FOUND', `There is no prompt "${name}".`, { hint: similar && `Did you mean "${similar}"?` });
  }

  /** Two servers may offer the same URI: the one configured first answers, of those that the caller sees. */
  function serverOf(caller: Caller, uri: string): string {
    const seen = (kind: 'resources' | 'resourceTemplates') =>
      all(kind).filter(
        ({ server }) => (caller.server ?? server) === server && (caller.servers?.includes(server) ?? true),
      );
    const direct = seen('resources').find(({ definition }) => definition.uri === uri);
    if (direct) return direct.server;
    const byTemplate = seen('resourceTemplates').find(({ definition }) =>
      fitsTemplate(String(definition.uriTemplate), uri),
    );
    if (byTemplate) return byTemplate.server;
    // Tools link to resources that no list names; whose they are shows in the scheme, if only one server has it.
    const scheme = schemeOf(uri);
    const kin = [...seen('resources'), ...seen('resourceTemplates')].filter(
      ({ definition }) => scheme !== undefined && schemeOf(String(definition.uri ?? definition.uriTemplate)) === scheme,
    );
    const [only, ...others] = new Set(kin.map(({ server }) => server));
    if (only !== undefined && others.length === 0) return only;
    throw fail('TOOL_NOT_FOUND', `No server offers the resource "${uri}".`, { hint: 'See resources/list.' });
  }

  return {
    prompts: () => all('prompts'),
    getPrompt(caller, name, args, signal) {
      const { server, definition } = promptNamed(name);
      return request(
        caller,
        server,
        'prompts/get',
        { name: definition.name, ...(args !== undefined && { arguments: args }) },
        signal,
      );
    },
    resources: () => all('resources'),
    resourceTemplates: () => all('resourceTemplates'),
    async readResource(caller, uri, signal) {
      await requireInsideRoots(caller, uri, signal);
      return request(caller, serverOf(caller, uri), 'resources/read', { uri }, signal);
    },
    async followResource(caller, uri, follow) {
      if (!follow) return following.unfollow(caller.id, uri);
      await requireInsideRoots(caller, uri, new AbortController().signal);
      const server = serverOf(caller, uri);
      const tell = () => request(caller, server, 'resources/subscribe', { uri });
      await following.follow(caller.id, servers.upstream(server), uri, tell);
    },
    left: following.left,
    complete(caller, params, signal) {
      const ref = params.ref as { type?: string; name?: string; uri?: string } | undefined;
      if (ref?.type === 'ref/prompt') {
        const { server, definition } = promptNamed(String(ref.name));
        return request(
          caller,
          server,
          'completion/complete',
          { ...params, ref: { ...ref, name: definition.name } },
          signal,
        );
      }
      const uri = String(ref?.uri);
      const template = all('resourceTemplates').find(({ definition }) => definition.uriTemplate === uri);
      return request(caller, template?.server ?? serverOf(caller, uri), 'completion/complete', params, signal);
    },
  };
}

function schemeOf(uri: string): string | undefined {
  return /^([a-z][a-z0-9+.-]{0,40}):/i.exec(uri)?.[1]?.toLowerCase();
}

function fitsTemplate(template: string, uri: string): boolean {
  try {
    return new UriTemplate(template).match(uri) !== null;
  } catch {
    return false;
  }
}
