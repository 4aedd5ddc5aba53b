/**
 * Links such as `toolkeep://install?name=io.github.acme/notes`, which websites can offer. A link names an entry of a registry
 * and nothing else: it carries no command and no inputs.
 */
import { addressOf } from '../../shared/address.ts';

const maxLength = 1000;
const official = 'https://registry.modelcontextprotocol.io';

/** The allowed form of each parameter. A link may contain each parameter once. */
const parameters: Readonly<Record<string, RegExp>> = {
  /** The address of a registry, or its name in the configuration. */
  registry: /^(?:https:\/\/[\w.-]{1,200}(?::\d{1,5})?(?:\/[\w./-]{0,200})?|[\w.-]{1,40})$/,
  name: /^[a-zA-Z0-9][a-zA-Z0-9.-]{0,119}\/[a-zA-Z0-9][a-zA-Z0-9._-]{0,119}$/,
  version: /^[\w.+-]{1,100}$/,
};

/** The route that shows the entry; undefined unless the link is well formed. */
export function routeOfLink(link: string): string | undefined {
  const [, query] = link.length <= maxLength ? (/^toolkeep:\/\/install\/?\?([^#]*)$/i.exec(link) ?? []) : [];
  if (query === undefined) return undefined;
  const given = [...new URLSearchParams(query)];
  const values = new Map(given);
  const isValid = given.every(([key, value]) => Object.hasOwn(parameters, key) && parameters[key]?.test(value));
  const name = values.get('name');
  if (!isValid || name === undefined || values.size !== given.length) return undefined;
  const version = values.get('version');
  const segments = ['browse', values.get('registry') ?? official, name, ...(version === undefined ? [] : [version])];
  return addressOf(...segments);
}
