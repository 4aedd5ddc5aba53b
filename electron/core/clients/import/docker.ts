/** Reads the files of the Docker MCP Toolkit: its enabled servers, its profiles, and its catalogs. Pure. */
import { isObject, objectsIn } from '../../../../shared/is-object.ts';
import { textFrom } from '../../../../shared/text-from.ts';
import type { Path } from '../../files/document.ts';
import type { JsonObject, RawServer, RawServers, ReadContext, Reader } from './raw-servers.ts';
import { strings, type ToolFilter } from './tool-filters.ts';

/** A server in Docker's gateway. Without `tools`, all of its tools are enabled. */
interface Member {
  name: string;
  tools: unknown;
}

/**
 * `registry.yaml` lists the enabled servers, and `tools.yaml` their enabled tools. Their secrets are in Docker's store, so
 * Toolkeep connects to all of them through Docker's gateway, as Docker's own clients do.
 */
export const readDockerRegistry: Reader = (document, { companions: [tools] }) => {
  const names = isObject(document.registry) ? Object.keys(document.registry) : [];
  const allowed = isObject(tools) ? tools : {};
  const members = names.map((name) => ({ name, tools: allowed[name] }));
  return { servers: members.length === 0 ? [] : [gateway(defaultProfile, members, ['registry'])], problems: [] };
};

/** The profiles in Docker's database, each as one server. */
export const readDockerProfiles: Reader = (document) => {
  const profiles = objectsIn(document.profiles).flatMap(({ id, servers }, index) => {
    const members = objectsIn(servers).map((server) => ({ name: nameOf(server), tools: server.tools }));
    return typeof id === 'string' && members.length > 0 ? [gateway(id, members, ['profiles', index])] : [];
  });
  return { servers: profiles, problems: [] };
};

/** Docker's gateway uses it if no other profile is named. */
const defaultProfile = 'default';

function gateway(profile: string, members: Member[], path: Path): RawServer {
  const isDefault = profile === defaultProfile;
  const names = members.map(({ name }) => name).join(', ');
  const which = isDefault ? 'that are enabled in Docker' : `of Docker's profile "${profile}"`;
  const limited = members.filter(({ tools }) => Array.isArray(tools));
  // The gateway lists the tools of all servers together, so with an unlimited server, only Docker can limit the others.
  const filters = limited.length === members.length ? [onlyToolsOf(limited)] : [];
  const byDocker = `Docker limits the tools of: ${limited.map(({ name }) => name).join(', ')}.`;
  return {
    name: isDefault ? 'MCP_DOCKER' : `MCP_DOCKER-${profile}`,
    value: {
      command: 'docker',
      args: ['mcp', 'gateway', 'run', ...(isDefault ? [] : ['--profile', profile])],
      description: `Docker MCP Toolkit: ${names}`,
    },
    path,
    filters,
    notes: [
      `Includes the servers ${which}: ${names}.`,
      ...(filters.length === 0 && limited.length > 0 ? [byDocker] : []),
    ],
  };
}

/** Docker can put the server's name before the names of its tools. */
function onlyToolsOf(members: Member[]): ToolFilter {
  const enabled = members.flatMap(({ name, tools }) => strings(tools).flatMap((tool) => [tool, `${name}__${tool}`]));
  return { names: ['*'], except: enabled };
}

/** An exported profile, a catalog, or `registry.yaml`; undefined for any other file. */
export function readDockerFile(document: JsonObject, context: ReadContext): RawServers | undefined {
  if (isObject(document.registry)) {
    const entries = Object.entries(document.registry);
    const isCatalog = entries.some(([, server]) => isObject(server) && ('image' in server || 'remote' in server));
    if (!isCatalog) return readDockerRegistry(document, context);
    const servers = entries.map(([name, server]) => {
      return available(serverFrom(name, isObject(server) ? server : {}, {}, ['registry', name]));
    });
    return { servers, problems: [] };
  }
  const listed = objectsIn(document.servers);
  if (!listed.some((server) => 'snapshot' in server || server.type === 'image' || server.type === 'registry'))
    return undefined;
  const isProfile = typeof document.id === 'string';
  const servers = listed.map((server, index) => {
    const { image, endpoint, config, tools, source } = server;
    const known = definitionIn(server);
    const remote = typeof endpoint === 'string' ? { url: endpoint } : known.remote;
    const settings = isObject(config) ? config : {};
    const definition = { ...known, image: image ?? known.image, remote, source };
    const found = serverFrom(nameOf(server), definition, settings, ['servers', index]);
    if (Array.isArray(tools)) found.filters = [{ names: ['*'], except: strings(tools) }];
    return isProfile ? found : available(found);
  });
  return { servers, problems: [] };
}

/** A catalog lists servers that the user has not chosen. */
function available(server: RawServer): RawServer {
  return { ...server, disabled: true, notes: ['From a catalog of Docker, so it is imported as disabled.'] };
}

/** Docker stores with each server of a profile what its catalog said about the server. */
const definitionIn = ({ snapshot }: JsonObject): JsonObject =>
  isObject(snapshot) && isObject(snapshot.server) ? snapshot.server : {};

function nameOf(server: JsonObject): string {
  const { name } = definitionIn(server);
  if (typeof name === 'string') return name;
  const address = [server.image, server.source, server.endpoint].find((value) => typeof value === 'string') ?? '';
  return (
    address
      .replace(/[@:][^/]*$/, '')
      .split('/')
      .at(-1) ?? ''
  );
}

/** One server as an entry of other clients: `docker run` for an image, else its URL. */
function serverFrom(name: string, definition: JsonObject, settings: JsonObject, path: Path): RawServer {
  const { image, remote, description } = definition;
  if (isObject(remote)) return { name, value: { description, ...remoteEntry(definition, remote) }, path };
  const { source } = definition;
  if (typeof image !== 'string') {
    const from = typeof source === 'string' ? `It comes from ${source}.` : 'It has neither an image nor a URL.';
    return { name, value: {}, path, unusable: `${from} ${viaGateway}` };
  }
  const { unfilled, ...value } = imageEntry(name, image, definition, settings);
  const unusable = unfilled === undefined ? {} : { unusable: `Only Docker fills in ${unfilled}. ${viaGateway}` };
  return { name, value: { description, ...value }, path, ...unusable };
}

const viaGateway = 'Use the server through Docker: docker mcp gateway run --profile PROFILE.';

function remoteEntry({ secrets }: JsonObject, { url, transport_type: type, headers }: JsonObject): JsonObject {
  const asked = new Set(objectsIn(secrets).map(({ env }) => env));
  const withInputs = Object.entries(isObject(headers) ? headers : {}).map(([header, value]) => [
    header,
    textFrom(value).replaceAll(/\$\{(\w{1,100})\}/g, (whole, env: string) =>
      asked.has(env) ? `\${input:${env}}` : whole,
    ),
  ]);
  return { type: type === 'sse' ? 'sse' : 'http', url, headers: Object.fromEntries(withInputs) };
}

interface ImageEntry {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** A template that Toolkeep does not fill in. */
  unfilled: string | undefined;
}

function imageEntry(name: string, image: string, definition: JsonObject, settings: JsonObject): ImageEntry {
  const unfilled: string[] = [];
  /** The text with the settings in it; undefined if one has no value. */
  const fill = (value: unknown): string | undefined => {
    let isComplete = true;
    const text = textFrom(value).replaceAll(/\{\{([^{}]{0,200})\}\}/g, (whole, inner: string) => {
      const setting = settingAt(settings, name, inner.trim());
      if (inner.includes('|') || isObject(setting) || Array.isArray(setting)) unfilled.push(whole);
      if (setting === undefined) isComplete = false;
      return textFrom(setting);
    });
    return isComplete ? text : undefined;
  };
  const filled = (list: unknown) => (Array.isArray(list) ? list : []).flatMap((item) => fill(item) ?? []);
  const variables = objectsIn(definition.env).flatMap(({ name: variable, value }): [string, string][] => {
    const text = value === undefined ? undefined : fill(value);
    return typeof variable === 'string' && text !== undefined ? [[variable, text]] : [];
  });
  const secrets = objectsIn(definition.secrets).flatMap(({ env }): [string, string][] =>
    typeof env === 'string' ? [[env, `\${input:${env}}`]] : [],
  );
  const env = Object.fromEntries([...variables, ...secrets]);
  const user = definition.user === undefined ? undefined : fill(definition.user);
  const args = [
    ...['run', '-i', '--rm', '--init'],
    ...Object.keys(env).flatMap((variable) => ['-e', variable]),
    ...filled(definition.volumes).flatMap((volume) => ['-v', volume]),
    ...(user === undefined ? [] : ['-u', user]),
    ...(definition.disableNetwork === true ? ['--network', 'none'] : []),
    image,
    ...filled(definition.command),
  ];
  return { command: 'docker', args, env, unfilled: unfilled[0] };
}

/** `SERVER.KEY` of a template, whose KEY may be the path of a nested value. */
function settingAt(settings: JsonObject, server: string, path: string): unknown {
  const keys = path.startsWith(`${server}.`) ? path.slice(server.length + 1) : path;
  if (Object.hasOwn(settings, keys)) return settings[keys];
  let value: unknown = settings;
  for (const key of keys.split('.')) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}
