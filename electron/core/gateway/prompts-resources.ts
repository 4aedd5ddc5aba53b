/** The prompts and resources of all servers, passed through under prefixed names. */
import { randomUUID } from 'node:crypto';
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { OfferKind } from '../../../shared/model/prompt.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { ElicitationRoute } from '../elicitation/route.ts';
import { answerServerRequest, type RequestOrigin } from '../elicitation/server-requests.ts';
import type { Events } from '../events.ts';
import { checkedRoots } from '../policy/checked-roots.ts';
import type { OwnFiles } from '../policy/own-files.ts';
import type { Scopes } from '../policy/scope.ts';
import { didYouMean } from '../search/similar-names.ts';
import { resourceOwner } from '../servers/resource-owner.ts';
import { rootsOf } from '../servers/roots.ts';
import type { Servers } from '../servers/servers.ts';
import { addressPrefix } from '../tools/apps.ts';
import type { Catalog } from '../tools/catalog/catalog.ts';
import { isAccepted } from '../tools/held-offers.ts';
import { shownName } from '../tools/names.ts';
import type { Pins } from '../tools/pins.ts';
import type { Client, JsonObject, Scope } from '../types.ts';
import { ownUri, shownUri, withAskedUri, withDistinctUris, withoutPrefix } from './app-uris.ts';
import type { OpenApps } from './open-apps.ts';
import { createResourceSubscriptions } from './resource-subscriptions.ts';
import { requireInsideRoots, splitByRoots } from './roots.ts';
import type { ListedItem, PromptsResources } from './services.ts';
import { cacheHints, skillPlaces, skillScheme, withShownSkill, withShownUri } from './skills.ts';

export interface PromptsResourcesOptions {
  servers: Servers;
  catalog: Catalog;
  pins: Pins;
  scopes: Scopes;
  elicitation: Elicitation;
  events: Events;
  openApps: Pick<OpenApps, 'opened'>;
  ownFiles: OwnFiles;
  routeOf(client: Client): ElicitationRoute;
  warn(message: string): void;
}

/** The maximum number of resources outside clients' folders that the log names. */
const maxWarnings = 100;

/** The server that a client's request goes to. */
interface Receiver {
  server: string;
  client: Client;
  signal: AbortSignal;
}

/** Prompts and resources have no schema that says which of their arguments are paths. */
const untyped = (server: string) => ({ server, inputSchema: {} });

export function createPromptsResources(options: PromptsResourcesOptions): PromptsResources {
  const { servers, scopes } = options;
  const warned = new Set<string>();
  const subscriptions = createResourceSubscriptions(options.events);
  const list = (kind: OfferKind, scope: Scope) => listItems(options, kind, scope);
  const send = (client: Client, server: string, method: string, params: JsonObject, signal?: AbortSignal) =>
    sendRequest(options, client, server, { method, params, signal });

  function promptNamed(scope: Scope, name: string): ListedItem {
    scopes.requireProfile(scope);
    const prompts = list('prompts', scope);
    const found = prompts.find((prompt) => prompt.name === name);
    if (found) return found;
    const outside = list('prompts', {}).find((prompt) => prompt.name === name);
    if (outside) scopes.requireServer(scope, outside.server);
    const names = prompts.map((prompt) => prompt.name);
    throw fail('PROMPT_NOT_FOUND', `There is no prompt "${name}".`, { hint: didYouMean(name, names) });
  }

  /** The server and its own URI, if `uri` is the URI of an app or a skill as clients see it. */
  function appAt(scope: Scope, uri: string): { server: string; uri: string } | undefined {
    if (scope.server !== undefined || ![addressPrefix, skillScheme].some((scheme) => uri.startsWith(scheme)))
      return undefined;
    for (const { name, enabled } of servers.configs()) {
      const own = enabled && scopes.hasServer(scope, name) ? ownUri(servers.slug(name), uri) : undefined;
      if (own !== undefined) return { server: name, uri: own };
    }
    return undefined;
  }

  /**
   * The server of a resource, and the server's own URI for it. Results may link to an app by the server's own URI, which is
   * found if only one server has it. No server can offer a page in place of another server's app: an address that begins
   * with the name of a server that has apps belongs to that server.
   */
  function placeOf(scope: Scope, uri: string): { server: string; uri: string } {
    if (uri.startsWith(skillScheme)) {
      const [skill, ...others] = skillPlaces(list('resources', scope), (server) => servers.slug(server), uri);
      if (skill && others.length > 0) throw isAmbiguous([skill, ...others], uri);
      const unlisted = skill ?? appAt(scope, uri);
      const isOfServer = unlisted && (skill || options.catalog.entry(unlisted.server)?.discovered.skills);
      return isOfServer ? unlisted : ownerOf(options, scope, uri);
    }
    const app = appAt(scope, uri);
    return app === undefined || isOwnUri(scope, uri, app) ? ownerOf(options, scope, uri) : app;
  }

  /** Whether a server lists `uri` as its own, and `uri` is not the address that clients see for `app`. */
  function isOwnUri(scope: Scope, uri: string, app: { server: string; uri: string }): boolean {
    if (options.catalog.serversWithApp(app.uri).has(app.server)) return false;
    const resources = list('resources', scope);
    const isIt = ({ server, definition }: ListedItem) => definition.uri === shownUri(servers.slug(server), uri);
    if (options.catalog.hasApps(app.server)) return resources.some((item) => item.server === app.server && isIt(item));
    return !resources.some(({ definition }) => definition.uri === uri) && resources.some(isIt);
  }

  /**
   * Refuses Toolkeep's own files and address, because Toolkeep asks the user only about tool calls. Relative paths may
   * start in folders that the server knows from the client.
   */
  async function requireForeign(args: JsonObject, what: string, to?: Receiver): Promise<void> {
    const called = to && {
      tool: untyped(to.server),
      foldersOfCaller: () => servers.foldersOfCaller(to.server, rootsOf(to.client, to.signal)),
    };
    const reason = await options.ownFiles.reasonToAsk(args, called);
    if (reason !== undefined) throw fail('INPUT_INVALID', `The ${what}. ${reason}`);
  }

  /** The place of a resource that the client may read. */
  async function readablePlace(client: Client, uri: string, signal: AbortSignal) {
    scopes.requireProfile(client.scope);
    await requireForeign({ uri }, 'resource was not read');
    const place = await insideRoots(client, uri, signal, () => placeOf(client.scope, uri));
    if (place.uri !== uri) await requireForeign({ uri: place.uri }, 'resource was not read');
    return place;
  }

  /** Sends a request about a file or folder to its server. Returns the result and the name in the URIs that clients see. */
  async function askAbout(client: Client, method: string, params: { uri: string }, signal: AbortSignal) {
    const place = await readablePlace(client, params.uri, signal);
    const answer = await send(client, place.server, method, { ...params, uri: place.uri }, signal);
    const result: JsonObject = { ...cacheHints, ...answer };
    return { result, slug: slugIn(client.scope, place.server) };
  }

  const slugIn = (scope: Scope, server: string) => (scope.server === undefined ? servers.slug(server) : undefined);

  return {
    prompts: (scope) => list('prompts', scope),
    skills(scope) {
      const skills = servers.configs().flatMap(({ name, enabled }) => {
        if (!enabled || servers.isUnavailable(name) || !scopes.hasServer(scope, name)) return [];
        const listed = options.catalog.entry(name)?.discovered.skills ?? [];
        return listed.map((skill) => withShownSkill(slugIn(scope, name), skill));
      });
      return { skills, ...cacheHints };
    },
    async skill(client, params, signal) {
      const { result, slug } = await askAbout(client, 'skills/get', params, signal);
      return isObject(result.skill) ? { ...result, skill: withShownSkill(slug, result.skill) } : result;
    },
    async directory(client, params, signal) {
      const { result, slug } = await askAbout(client, 'resources/directory/read', params, signal);
      const { resources } = result;
      return Array.isArray(resources)
        ? { ...result, resources: resources.map((item) => withShownUri(slug, item)) }
        : result;
    },
    async getPrompt(client, name, args, signal) {
      const { server, definition } = promptNamed(client.scope, name);
      await requireForeign({ arguments: args }, 'prompt was not requested', { server, client, signal });
      const params = { name: definition.name, ...(args !== undefined && { arguments: args }) };
      return send(client, server, 'prompts/get', params, signal);
    },
    async resources(client, signal) {
      const { inside, outside } = await splitByRoots(client, list('resources', client.scope), signal);
      for (const { server, definition, own } of outside) {
        const note = `"${server}" offers "${own ?? definition.uri}", which is outside the folders that ${client.name} opened; it is not listed.`;
        if (warned.has(note)) continue;
        if (warned.size < maxWarnings) options.warn(note);
        warned.add(note);
      }
      return inside;
    },
    resourceTemplates: (scope) => list('resourceTemplates', scope),
    async readResource(client, uri, signal) {
      const place = await readablePlace(client, uri, signal);
      const result = await send(client, place.server, 'resources/read', { uri: place.uri }, signal);
      if (place.uri.startsWith(addressPrefix)) options.openApps.opened(client.id, place.server);
      return withAskedUri(result, place.uri, uri);
    },
    async subscribe(client, uri, isSubscribed) {
      if (!isSubscribed) return subscriptions.remove(client.id, uri);
      const takeBack = subscriptions.admit(client.id, uri);
      try {
        const place = await readablePlace(client, uri, new AbortController().signal);
        await subscriptions.add(client.id, { server: servers.use(place.server), uri: place.uri, asked: uri }, () =>
          send(client, place.server, 'resources/subscribe', { uri: place.uri }),
        );
      } catch (error) {
        takeBack();
        throw error;
      }
    },
    async complete(client, params, signal) {
      const { scope } = client;
      const ref = params.ref as { type?: string; name?: string; uri?: string } | undefined;
      const requireHarmless = (server: string) =>
        requireForeign(params, 'completion was not requested', { server, client, signal });
      if (ref?.type === 'ref/prompt') {
        const { server, definition } = promptNamed(scope, String(ref.name));
        await requireHarmless(server);
        const own = { ...params, ref: { ...ref, name: definition.name } };
        return send(client, server, 'completion/complete', own, signal);
      }
      scopes.requireProfile(scope);
      const uri = String(ref?.uri);
      const template = list('resourceTemplates', scope).find(({ definition }) => definition.uriTemplate === uri);
      const listed = template && { server: template.server, uri: template.own ?? uri };
      const { server, uri: place } = listed ?? ownerOf(options, scope, uri);
      await requireHarmless(server);
      const own = slugIn(scope, server) === undefined ? place : (ownUri(servers.slug(server), place) ?? place);
      return send(client, server, 'completion/complete', { ...params, ref: { ...ref, uri: own } }, signal);
    },
  };
}

/** Returns what `find` finds for `uri`. Refuses a URI outside of the client's folders for that reason, also if it is not found. */
async function insideRoots<T extends { uri: string }>(
  client: Client,
  uri: string,
  signal: AbortSignal,
  find: () => T,
): Promise<T> {
  let place: T | undefined;
  let failure: unknown;
  try {
    place = find();
  } catch (error) {
    failure = error;
  }
  await requireInsideRoots(client, place?.uri ?? uri, signal);
  if (!place) throw failure;
  return place;
}

/** Every item of one kind, from the enabled servers in scope that have not failed. A failure does not change the URIs of others. */
function listItems(options: PromptsResourcesOptions, kind: OfferKind, scope: Scope): ListedItem[] {
  const { servers, catalog, pins, scopes } = options;
  const all = servers.configs().flatMap(({ name: server, enabled }): ListedItem[] => {
    if (!enabled || !scopes.hasServer(scope, server)) return [];
    const slug = servers.slug(server);
    const { [kind]: harmless = [], held = [] } = catalog.entry(server)?.discovered ?? {};
    const accepted = held.filter((offer) => offer.kind === kind && isAccepted(pins, server, offer));
    return [...harmless, ...accepted.map(({ definition }) => definition)].map((definition) => {
      const own = String(definition.name);
      if (scope.server !== undefined) return { name: own, server, definition };
      // A resource is identified by its URI, so its name may have any characters.
      const name = kind === 'prompts' ? shownName(slug, own, toolKey(server, own)) : `${slug}-${own}`;
      return { name, server, definition: withShownResource(slug, definition) };
    });
  });
  const key = kind === 'resources' ? 'uri' : 'uriTemplate';
  const distinct = kind === 'prompts' ? all : withDistinctUris(all, key, (server) => servers.slug(server));
  return distinct.filter(({ server }) => !servers.isUnavailable(server));
}

function withShownResource(slug: string, definition: JsonObject): JsonObject {
  const { uriTemplate } = definition;
  if (typeof uriTemplate === 'string' && uriTemplate.startsWith(skillScheme))
    return { ...definition, uriTemplate: shownUri(slug, uriTemplate) };
  const uri = shownUri(slug, definition.uri);
  return uri === definition.uri ? definition : { ...definition, uri };
}

async function sendRequest(
  options: PromptsResourcesOptions,
  client: Client,
  server: string,
  { method, params, signal }: { method: string; params: JsonObject; signal?: AbortSignal },
): Promise<JsonObject> {
  const { servers } = options;
  await servers.promptMissingSecrets(server, { from: { client: client.name }, signal });
  const route = options.routeOf(client);
  const origin: RequestOrigin = { client: client.id, tool: method };
  try {
    return await servers.use(server).request({
      method,
      params,
      signal,
      roots: rootsOf(client, signal ?? new AbortController().signal),
      session: client.id,
      // Safe to repeat: reading a prompt or a resource changes nothing.
      mayRepeat: true,
      origin,
      onServerRequest: (request, within) => {
        const context = { client, server, tool: method, callId: randomUUID(), signal: within };
        const answered = answerServerRequest(request, { ...context, elicitation: options.elicitation, route });
        if (request.method !== 'roots/list') return answered;
        return answered.then((answer) =>
          checkedRoots(options.ownFiles, { args: params, tool: untyped(server) }, answer),
        );
      },
    });
  } catch (error) {
    route.forwardedUrls.addFromError(error, client, server);
    throw error;
  }
}

/** The server that a resource belongs to, and its own URI for it. Throws INPUT_INVALID if several servers offer it. */
function ownerOf(options: PromptsResourcesOptions, scope: Scope, uri: string): { server: string; uri: string } {
  const listed = new Map<string, { server: string; uris: string[]; uriTemplates: string[] }>();
  const listedBy = (server: string) => {
    const entry = listed.get(server) ?? { server, uris: [], uriTemplates: [] };
    listed.set(server, entry);
    return entry;
  };
  const resources = listItems(options, 'resources', scope);
  for (const { server, definition, own } of resources) {
    const shown = String(definition.uri);
    listedBy(server).uris.push(shown, own ?? ownUri(options.servers.slug(server), shown) ?? shown);
  }
  const templates = listItems(options, 'resourceTemplates', scope);
  for (const { server, definition, own } of templates) {
    const shown = String(definition.uriTemplate);
    const known = own === undefined ? [ownUri(options.servers.slug(server), shown) ?? shown] : [shown, own];
    listedBy(server).uriTemplates.push(...known);
  }
  const owner = resourceOwner([...listed.values()], uri);
  if (!owner)
    throw fail('RESOURCE_NOT_FOUND', `No server offers the resource "${uri}".`, { hint: 'See resources/list.' });
  if ('ambiguous' in owner)
    throw isAmbiguous(
      owner.ambiguous.map((server) => ({ server })),
      uri,
    );
  const { server } = owner;
  const ofServer = (item: ListedItem) => item.server === server;
  const exact = resources.find((item) => ofServer(item) && item.definition.uri === uri);
  const isUnder = ({ definition, own }: ListedItem) =>
    own !== undefined && uri.startsWith(String(definition.uriTemplate).split('{', 1)[0] ?? '');
  const isPrefixed = exact ? exact.own !== undefined : templates.some((item) => ofServer(item) && isUnder(item));
  return { server, uri: isPrefixed ? withoutPrefix(options.servers.slug(server), uri) : uri };
}

function isAmbiguous(offered: { server: string }[], uri: string): ToolkeepError {
  const servers = offered.map(({ server }) => `"${server}"`).join(' and ');
  const hint = 'Use the URI of one server in resources/list, or connect to one (`toolkeep connect --server NAME`).';
  return fail('INPUT_INVALID', `${servers} ${offered.length > 2 ? 'all' : 'both'} offer the resource "${uri}".`, {
    hint,
  });
}
