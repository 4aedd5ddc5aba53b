/** Converts an entry of a Docker MCP catalog to the form of other registries, from which its connection is derived. Pure. */
import { isObject, objectsIn } from '../../../../shared/is-object.ts';
import { textFrom } from '../../../../shared/text-from.ts';
import { containerPathFilter } from '../inputs.ts';

type Json = Record<string, unknown>;

/** Thrown for a part of the entry that the other form cannot express; the message is that part. */
class Unsupported extends Error {}

const maxItems = 100;

/** Undefined if `json` is not an entry. An entry with an unknown part is listed but cannot be installed. */
export function fromDockerEntry(name: string, json: unknown): Json | undefined {
  if (!isObject(json) || !/^[a-zA-Z0-9._-]{1,100}$/.test(name)) return undefined;
  const image = textOf(json.image);
  const remote = isObject(json.remote) ? json.remote : undefined;
  if (!image && !remote) return undefined;
  const metadata = isObject(json.metadata) ? json.metadata : {};
  const source = textOf(json.upstream) ?? textOf(metadata.registryUrl);
  const server = {
    name: `com.docker/${name}`,
    title: textOf(json.title) ?? name,
    description: textOf(json.description) ?? '',
    version: versionOf(image),
    ...(source && { repository: { url: source } }),
  };
  try {
    const parts = remote ? { remotes: [remoteOf(json, remote)] } : { packages: [packageOf(json, image ?? '')] };
    return { server: { ...server, ...parts } };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    const unsupported = error.message;
    const packages = [{ registryType: 'oci', identifier: image ?? name, transport: { type: 'stdio' }, unsupported }];
    return { server: { ...server, packages } };
  }
}

/** The start of the digest, so that every new image is a new version. */
const versionOf = (image = '') =>
  /@sha256:([a-f0-9]{12})/.exec(image)?.[1] ?? /:([\w.-]+)$/.exec(image)?.[1] ?? 'remote';

function packageOf(json: Json, image: string): Json {
  const { fill, variables } = createFill(json);
  const mounts = strings(json.volumes).map((volume) => ({ type: 'named', name: '-v', value: fill(volume, 'mount') }));
  const hosts = strings(json.extraHosts).map((host) => ({ type: 'named', name: '--add-host', value: fill(host) }));
  const fixed = (text: string | undefined) => (text === undefined ? {} : { value: fill(text) });
  const user = scalarOf(json.user);
  const words = strings(json.command).map((word) => ({ type: 'positional', value: fill(word, 'list') }));
  const environment = objectsIn(json.env)
    .slice(0, maxItems)
    .map(({ name, value }) => ({ name, ...fixed(scalarOf(value)) }));
  return {
    registryType: 'oci',
    identifier: image,
    transport: { type: 'stdio' },
    runtimeArguments: [
      ...mounts,
      ...(user === undefined ? [] : [{ type: 'named', name: '-u', value: fill(user) }]),
      ...(json.disableNetwork === true ? [{ type: 'named', name: '--network', value: 'none' }] : []),
      ...hosts,
    ],
    packageArguments: words,
    environmentVariables: [...environment, ...secretsOf(json).map(({ env, input }) => ({ name: env, ...input }))],
    variables: Object.fromEntries(variables),
    // A template is the value of a setting.
    allowHosts: strings(json.allowHosts).map((host) =>
      host.replaceAll(template, (_, text: string) => `‹${nameIn(text)}›`),
    ),
  };
}

function remoteOf(json: Json, remote: Json): Json {
  const known = new Map(secretsOf(json).map(({ env, input }) => [env, input]));
  const headers = Object.entries(isObject(remote.headers) ? remote.headers : {}).slice(0, maxItems);
  return {
    type: remote.transport_type === 'sse' ? 'sse' : 'streamable-http',
    url: remote.url,
    headers: headers.map(([name, value]) => {
      const variables: Json = {};
      const text = textFrom(value).replaceAll(/\$\{(\w{1,100})\}/g, (_, env: string) => {
        if (!known.has(env)) throw new Unsupported(env);
        variables[env] = known.get(env);
        return `{${env}}`;
      });
      return { name, value: text, variables };
    }),
  };
}

function secretsOf(json: Json): { env: string; input: Json }[] {
  const secrets = objectsIn(json.secrets).slice(0, maxItems);
  return secrets.flatMap(({ env, example, required }) => {
    const input = {
      isSecret: true,
      // Several secrets are often alternatives, such as those of several products.
      isRequired: required === true || (required !== false && secrets.length === 1),
      ...(textOf(example) && { placeholder: example }),
    };
    return typeof env === 'string' ? [{ env, input }] : [];
  });
}

const template = /\{\{([^{}]{0,200})\}\}/g;
/** `server.key` of `{{server.key|filter|…}}`. */
const nameIn = (text: string) => text.split('|', 1)[0]?.trim() ?? '';

/** Returns `fill`, and the variables of all templates that it has filled, by name. */
function createFill(json: Json) {
  const variables = new Map<string, Json>();
  const names = new Map<string, string>();

  /** Two settings may have the same key. */
  function variableFor(path: string): { name: string; input: Json } {
    const key = path.slice(path.indexOf('.') + 1);
    const name = names.get(path) ?? (variables.has(key) ? path : key);
    names.set(path, name);
    const input = variables.get(name) ?? inputOf(path, json);
    variables.set(name, input);
    return { name, input };
  }

  /**
   * Replaces each `{{server.key|filter|…}}` with a variable that the user is asked for. `place`: `mount` for one of the
   * user's folders, `list` where a list becomes several arguments.
   */
  function fill(text: string, place?: 'mount' | 'list'): string {
    return text.replaceAll(template, (whole, inner: string) => {
      const [path = '', ...filters] = inner.split('|').map((part) => part.trim());
      const { name, input } = variableFor(path);
      // A list becomes several arguments only if its argument contains nothing else.
      if (input.isRepeated === true && (!place || whole !== text)) throw new Unsupported(whole);
      const filtered = applied(filters, name, input);
      if (filtered === undefined) throw new Unsupported(whole);
      if (place === 'mount') input.format = 'filepath';
      return filtered;
    });
  }
  return { fill, variables };
}

/** The text for a variable with the filters of its template; undefined if a filter is unknown. */
function applied(filters: readonly string[], name: string, input: Json): string | undefined {
  let text = `{${name}}`;
  for (const filter of filters) {
    const [, given] = /^(?:or|mount_as):(.*)$/.exec(filter) ?? [];
    const isPlain = text === `{${name}}`;
    if (filter === 'into' || filter === 'or:[]') continue;
    if (!isPlain) return undefined;
    if (filter === 'volume') text = `{${name}}:{${name}${containerPathFilter}}`;
    else if (filter === 'volume-target') text = `{${name}${containerPathFilter}}`;
    else if (filter.startsWith('mount_as:') && input.isRepeated !== true) text = `{${name}}:${given?.trim()}`;
    else if (filter.startsWith('or:') && input.isRepeated !== true) input.default ??= given;
    else return undefined;
  }
  return text;
}

/** The property `KEY` of the settings `SERVER`, for `SERVER.KEY`. A key may be the path of a nested property. */
function inputOf(path: string, json: Json): Json {
  const [owner = '', ...keys] = path.split('.');
  const settings = objectsIn(json.config).find(({ name }) => name === owner);
  const property = settings && keys.length > 0 && /^[\w.-]+$/.test(path) ? propertyAt(settings, keys) : undefined;
  if (!property) throw new Unsupported(`{{${path}}}`);
  const { type, description, default: standard, enum: choices, isRequired } = property;
  const isList = type === 'array';
  const isListOfTexts = isList && (!isObject(property.items) || (property.items.type ?? 'string') === 'string');
  if (type === 'object' || (isList && !isListOfTexts)) throw new Unsupported(`{{${path}}}`);
  return {
    ...(textOf(description) && { description }),
    ...(standard !== undefined && { default: Array.isArray(standard) ? standard.map(String).join('\n') : standard }),
    ...(Array.isArray(choices) && { choices }),
    ...(isList && { isRepeated: true }),
    format: type === 'number' || type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'string',
    isRequired,
  };
}

function propertyAt(settings: Json, keys: readonly string[]): Json | undefined {
  let current: Json = { ...settings, isRequired: true };
  for (const [index, key] of keys.entries()) {
    const properties = isObject(current.properties) ? current.properties : {};
    // A property may have a dot in its name.
    const rest = keys.slice(index).join('.');
    const name = Object.hasOwn(properties, key) ? key : rest;
    const next = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(next)) return undefined;
    // A required property of an optional group is optional.
    const isRequired =
      current.isRequired !== false && Array.isArray(current.required) && current.required.includes(name);
    current = { ...next, isRequired };
    if (name === rest) break;
  }
  return current;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const scalarOf = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
const strings = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).slice(0, maxItems).filter((one) => typeof one === 'string' && one !== '');
