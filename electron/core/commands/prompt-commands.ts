/** Commands for the prompts and resources of servers. */
import { fail } from '../../../shared/failure.ts';
import { isObject, objectsIn } from '../../../shared/is-object.ts';
import type { OfferKind, PromptView } from '../../../shared/model/prompt.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { callFailure } from '../calls/calls.ts';
import { accept, type HeldOffer, idOf, isAccepted, pinOf } from '../tools/held-offers.ts';
import type { JsonObject } from '../types.ts';
import type { CommandServices } from './services.ts';
import { user } from './user-client.ts';

/** Servers may suggest thousands of values. */
const maxSuggestions = 100;

/** A prompt, a resource or a template. */
type Offer = Pick<HeldOffer, 'definition'> & Pick<PromptView, 'held'>;

const kindNames: Record<OfferKind, string> = {
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resource template',
};

export function promptCommands({ servers, stores, promptsResources, events }: CommandServices) {
  const { catalog, pins } = stores;
  const discovered = (server: string) => catalog.entry(servers.config(server).name)?.discovered;

  function listed(server: string, kind: OfferKind): Offer[] {
    const { [kind]: harmless = [], held = [] } = discovered(server) ?? {};
    const offers = held
      .filter((offer) => offer.kind === kind)
      .map((offer): Offer => {
        const { definition, findings } = offer;
        const { fingerprint } = pinOf(server, offer);
        return { definition, ...(!isAccepted(pins, server, offer) && { held: { findings, fingerprint } }) };
      });
    return [...harmless.map((definition) => ({ definition })), ...offers];
  }
  const client = (server: string) => ({ ...user, scope: { server } });

  /** Sends a request to an enabled server. `what` is the prompt, resource or argument to name in a failure. */
  async function request<T>(server: string, what: string, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    servers.config(server);
    if (!servers.isEnabled(server)) throw fail('SERVER_DISABLED', `"${server}" is disabled.`, { server });
    try {
      // The gateway offers nothing from a failed server, so start the server again first.
      if (servers.isUnavailable(server)) await servers.refresh(server);
      return await send(new AbortController().signal);
    } catch (error) {
      throw callFailure(error, server, what);
    }
  }

  return {
    'prompts.list': ({ server }) => listed(server, 'prompts').map(promptView),
    'prompts.get': ({ server, prompt, arguments: args }) =>
      request(server, prompt, (signal) => promptsResources.getPrompt(client(server), prompt, args, signal)),
    'resources.list': ({ server }) => ({
      resources: listed(server, 'resources').map((offer) => ({
        ...named(offer),
        ...strings(offer.definition, ['mimeType']),
        uri: String(offer.definition.uri),
        ...(typeof offer.definition.size === 'number' && { size: offer.definition.size }),
      })),
      templates: listed(server, 'resourceTemplates').map((offer) => ({
        ...named(offer),
        ...strings(offer.definition, ['mimeType']),
        uriTemplate: String(offer.definition.uriTemplate),
      })),
    }),
    'offers.accept': ({ server, kind, id, fingerprint }) => {
      const offer = discovered(server)?.held?.find((one) => one.kind === kind && idOf(kind, one.definition) === id);
      if (!offer) throw fail('INPUT_INVALID', `"${server}" has no held ${kindNames[kind]} "${id}".`, { server });
      accept(pins, server, offer, fingerprint);
      events.emit('servers.changed', { servers: [server] });
      events.emit('list.changed', { list: kind === 'prompts' ? 'prompts' : 'resources' });
    },
    'resources.read': ({ server, uri }) =>
      request(server, uri, (signal) => promptsResources.readResource(client(server), uri, signal)),
    'prompts.complete': async ({ server, ref, argument, others }) => {
      const target =
        'prompt' in ref ? { type: 'ref/prompt', name: ref.prompt } : { type: 'ref/resource', uri: ref.uriTemplate };
      const params = { ref: target, argument, ...(others && { context: { arguments: others } }) };
      // Suggestions are a convenience: a server without completions answers with an error.
      const result = await request(server, argument.name, (signal) =>
        promptsResources.complete(client(server), params, signal),
      ).catch((): JsonObject => ({}));
      const { completion } = result;
      const values = isObject(completion) && Array.isArray(completion.values) ? completion.values : [];
      return values.filter((value) => typeof value === 'string').slice(0, maxSuggestions);
    },
  } satisfies Partial<CommandHandlers>;
}

function promptView(offer: Offer): PromptView {
  const args = objectsIn(offer.definition.arguments);
  const views = args.map((definition) => ({ ...named({ definition }), required: definition.required === true }));
  return { ...named(offer), arguments: views };
}

function named({ definition, held }: Offer) {
  return { name: String(definition.name), ...strings(definition, ['title', 'description']), ...(held && { held }) };
}

/** The string values of these keys. */
function strings<K extends string>(definition: JsonObject, keys: readonly K[]): Partial<Record<K, string>> {
  const entries = keys.flatMap((key) => (typeof definition[key] === 'string' ? [[key, definition[key]]] : []));
  return Object.fromEntries(entries);
}
