/** From an entry of a Docker MCP catalog to the form of other registries, which then derive its connection. Pure. */
import { isObject, objectsIn } from '../../../../shared/is-object.ts';

type Json = Record<string, unknown>;

/** The entry needs something that the other form cannot say. */
class Unsupported extends Error {}

const maxItems = 100;

/** Undefined for what is not an entry. One with an unknown part is listed, but cannot be installed. */
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
    const packages = [{ registryType: 'docker-template', identifier: image ?? name, transport: { type: 'stdio' } }];
    return { server: { ...server, packages } };
  }
}

/** The start of the digest: another image is another version. */
const versionOf = (image = '') =>
  /@sha256:([a-f0-9]{12})/.exec(image)?.[1] ?? /:([\w.-]+)$/.exec(image)?.[1] ?? 'remote';

function packageOf(json: Json, image: string): Json {
  const user = fill(json.user, json);
  const mounts = strings(json.volumes).map((volume) => ({ type: 'named', name: '-v', ...fill(volume, json, true) }));
  const words = strings(json.command).map((word) => ({ type: 'positional', ...fill(word, json) }));
  const variables = objectsIn(json.env)
    .slice(0, maxItems)
    .map(({ name, value }) => ({ name, ...fill(value, json) }));
  // Each place would ask for its own value.
  const asked = [...mounts, user, ...words, ...variables].flatMap((one) => Object.keys(one?.variables ?? {}));
  const twice = asked.find((key, index) => asked.indexOf(key) !== index);
  if (twice !== undefined) throw new Unsupported(twice);
  return {
    registryType: 'oci',
    identifier: image,
    transport: { type: 'stdio' },
    runtimeArguments: [
      ...mounts,
      ...(user ? [{ type: 'named', name: '-u', ...user }] : []),
      ...(json.disableNetwork === true ? [{ type: 'named', name: '--network', value: 'none' }] : []),
    ],
    packageArguments: words,
    environmentVariables: [...variables, ...secretsOf(json).map(({ env, input }) => ({ name: env, ...input }))],
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
      const text = String(value).replaceAll(/\$\{(\w{1,100})\}/g, (_, env: string) => {
        if (!known.has(env)) throw new Unsupported(env);
        variables[env] = known.get(env);
        return `{${env}}`;
      });
      return { name, value: text, variables };
    }),
  };
}

function secretsOf(json: Json): { env: string; input: Json }[] {
  return objectsIn(json.secrets)
    .slice(0, maxItems)
    .flatMap(({ env, example, required }) => {
      const input = {
        isSecret: true,
        isRequired: required !== false,
        ...(textOf(example) && { placeholder: example }),
      };
      return typeof env === 'string' ? [{ env, input }] : [];
    });
}

/** A fixed value, in which `{{server.key}}` becomes a variable that the user is asked for. */
function fill(value: unknown, json: Json, isPath = false): { value: string; variables: Json } | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
  if (text === undefined) return undefined;
  const variables: Json = {};
  const filled = text.replaceAll(/\{\{([^{}]{0,200})\}\}/g, (_, template: string) => {
    const [path = '', ...filters] = template.split('|').map((part) => part.trim());
    const key = path.slice(path.indexOf('.') + 1);
    variables[key] = { ...inputOf(path, json), ...(isPath && { format: 'filepath' }) };
    if (filters.length === 0) return `{${key}}`;
    if (isPath && filters.join() === 'volume') return `{${key}}:{${key}}`;
    throw new Unsupported(template);
  });
  return { value: filled, variables };
}

/** The property `KEY` of the settings `SERVER`, for `SERVER.KEY`. */
function inputOf(path: string, json: Json): Json {
  const at = path.indexOf('.');
  const [owner, key] = [path.slice(0, at), path.slice(at + 1)];
  const settings = objectsIn(json.config).find(({ name }) => name === owner);
  const properties = settings && isObject(settings.properties) ? settings.properties : {};
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (at < 1 || !/^[\w.-]+$/.test(key) || !settings || !isObject(property)) throw new Unsupported(path);
  const { type, description, default: standard, enum: choices } = property;
  if (type === 'array' || type === 'object') throw new Unsupported(path);
  return {
    ...(textOf(description) && { description }),
    ...(standard !== undefined && { default: standard }),
    ...(Array.isArray(choices) && { choices }),
    format: type === 'number' || type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : 'string',
    isRequired: Array.isArray(settings.required) && settings.required.includes(key),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const strings = (value: unknown) =>
  (Array.isArray(value) ? value : []).slice(0, maxItems).filter((one) => typeof one === 'string' && one !== '');
