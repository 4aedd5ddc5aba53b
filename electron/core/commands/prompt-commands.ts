/** Commands for the prompts and resources of servers. */
import { fail } from '../../../shared/failure.ts';
import { isObject, objectsIn } from '../../../shared/is-object.ts';
import type { PromptView } from '../../../shared/model/prompt.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { callFailure } from '../calls/calls.ts';
import type { JsonObject } from '../types.ts';
import type { CommandServices } from './services.ts';
import { user } from './user-client.ts';

type Handlers = Pick<
  CommandHandlers,
  'prompts.list' | 'prompts.get' | 'prompts.complete' | 'resources.list' | 'resources.read'
>;

/** Servers may suggest thousands of values. */
const maxSuggestions = 100;

export function promptCommands({ servers, stores, promptsResources }: CommandServices): Handlers {
  const listed = (server: string) => stores.catalog.entry(servers.config(server).name)?.discovered;
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
    'prompts.list': ({ server }) => (listed(server)?.prompts ?? []).map(promptView),
    'prompts.get': ({ server, prompt, arguments: args }) =>
      request(server, prompt, (signal) => promptsResources.getPrompt(client(server), prompt, args, signal)),
    'resources.list': ({ server }) => {
      const { resources = [], resourceTemplates = [] } = listed(server) ?? {};
      return {
        resources: resources.map((resource) => ({
          ...named(resource),
          ...strings(resource, ['mimeType']),
          uri: String(resource.uri),
          ...(typeof resource.size === 'number' && { size: resource.size }),
        })),
        templates: resourceTemplates.map((template) => ({
          ...named(template),
          ...strings(template, ['mimeType']),
          uriTemplate: String(template.uriTemplate),
        })),
      };
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
  };
}

function promptView(prompt: JsonObject): PromptView {
  const args = objectsIn(prompt.arguments);
  return { ...named(prompt), arguments: args.map((arg) => ({ ...named(arg), required: arg.required === true })) };
}

function named(definition: JsonObject) {
  return { name: String(definition.name), ...strings(definition, ['title', 'description']) };
}

/** The string values of these keys. */
function strings<K extends string>(definition: JsonObject, keys: readonly K[]): Partial<Record<K, string>> {
  const entries = keys.flatMap((key) => (typeof definition[key] === 'string' ? [[key, definition[key]]] : []));
  return Object.fromEntries(entries);
}
