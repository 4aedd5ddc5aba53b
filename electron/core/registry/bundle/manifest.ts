/** Converts a bundle's manifest, of any version, to a connection. Reads no files. */
import { posix, win32 } from 'node:path';
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import type { Connection } from '../../../../shared/model/server.ts';
import { textFrom } from '../../../../shared/text-from.ts';
import type { Host } from '../../host.ts';
import { type Derived, resultOf } from '../connect.ts';
import type { Input } from '../entry.ts';
import { createForm, type Entered, type Form, type Place, TooManyValues } from '../inputs.ts';
import { Refused } from '../launch.ts';
import { holdsSecret, literal, type Part, shown, stored, type Template } from '../template.ts';
import { checkVariableName } from '../variable-names.ts';

export interface Manifest {
  name: string;
  title?: string;
  version: string;
  description: string;
  author?: string;
  repository?: string;
  type: string;
  entryPoint: string;
  /** How to start the server on this platform; absent for a `uv` server that does not define a start command. */
  start?: { command: string; args: string[]; env: Record<string, string> };
  platforms: string[];
  /** The required version of Node.js, such as ">=18". */
  node?: string;
  inputs: Map<string, Input & { isRepeated: boolean }>;
}

type Json = Record<string, unknown>;

const maxVariables = limits.bundle.variables;

/** Throws `Refused` if the text is not a manifest. */
export function parseManifest(text: string, platform: NodeJS.Platform): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new Refused('The manifest is not valid JSON.');
  }
  const { name, version, description, server, compatibility, author, repository, user_config } = object(json);
  const { type, entry_point: entryPoint, mcp_config: config } = object(server);
  if (!isText(name) || name.length > 200) throw new Refused('The manifest has no name.');
  if (!isText(version) || version.length > 100) throw new Refused('The manifest has no version.');
  if (!isText(type)) throw new Refused('The manifest does not specify the type of its server.');
  const { platforms, runtimes } = object(compatibility);
  const title = object(json).display_name;
  const node = object(runtimes).node;
  const repositoryUrl = isText(repository) ? repository : object(repository).url;
  return {
    ...{ name, version, type, description: isText(description) ? description : '' },
    ...(isText(title) && { title }),
    ...(isText(object(author).name) && { author: String(object(author).name) }),
    ...(isText(repositoryUrl) && URL.parse(repositoryUrl)?.protocol === 'https:' && { repository: repositoryUrl }),
    entryPoint: isText(entryPoint) ? entryPoint : '',
    ...(isObject(config) && { start: startOf(config, platform) }),
    platforms: Array.isArray(platforms) ? platforms.filter(isText) : [],
    ...(isText(node) && { node }),
    inputs: new Map(
      Object.entries(object(user_config))
        .slice(0, 100)
        .map(([key, value]) => [key, inputOf(object(value))]),
    ),
  };
}

function startOf(config: Json, platform: NodeJS.Platform): Manifest['start'] {
  const { command, args, env } = { ...config, ...object(object(config.platform_overrides)[platform]) } as Json;
  if (!isText(command)) throw new Refused('The manifest does not specify a command.');
  const variables = Object.entries(object(env));
  if (variables.length > maxVariables)
    throw new Refused(`The manifest sets more than ${maxVariables} environment variables.`);
  return {
    command,
    args: Array.isArray(args) ? args.slice(0, 200).map(textFrom) : [],
    env: Object.fromEntries(variables.map(([key, value]) => [key, textFrom(value)])),
  };
}

function inputOf(json: Json): Input & { isRepeated: boolean } {
  const { type, title, description, required, multiple, sensitive } = json;
  const isPath = type === 'directory' || type === 'file';
  const standard = Array.isArray(json.default) ? json.default.slice(0, 200).map(textFrom).join('\n') : json.default;
  return {
    ...(isText(title) && { title }),
    ...(isText(description) && { description }),
    isRequired: required === true,
    isSecret: sensitive === true,
    format: isPath ? 'filepath' : type === 'number' || type === 'boolean' ? type : 'string',
    ...(isPath && { pick: type === 'directory' ? 'folder' : 'file' }),
    ...(standard !== undefined && standard !== null && !isObject(standard) && { default: textFrom(standard) }),
    isRepeated: multiple === true,
    variables: new Map(),
  };
}

export interface BundleOptions {
  /** Where the bundle is unpacked. */
  folder: string;
  entered: Entered;
  /** The prefix of the names of the server's secrets in the vault. */
  server: string;
  host: Pick<Host, 'homeDir' | 'platform'>;
  /** True if the vault has a value for this secret field. The value stays if the user enters none. */
  isStored?(field: string): boolean;
}

/** Derives the connection of a server that runs the bundle in `folder`. */
export function connectBundle(manifest: Manifest, { folder, entered, server, host, isStored }: BundleOptions): Derived {
  const standard = (text: string | undefined) => text && shown(expandFolders(text, folder, host));
  const inputs = new Map(
    [...manifest.inputs].map(([key, input]) => [key, withDefault(input, standard(input.default))]),
  );
  const form = createForm(entered, isStored);
  try {
    const { command, args, env } = startTemplates({ ...manifest, inputs }, form, folder, host);
    if (holdsSecret(command) || args.some(holdsSecret))
      throw new Refused('The bundle puts a secret on the command line, which every program on this computer can read.');
    const connection: Connection = {
      type: 'stdio',
      command: stored(command, server),
      args: args.map((arg) => stored(arg, server)),
      env: Object.fromEntries([...env].map(([name, value]) => [name, stored(value, server)])),
      cwd: stored(literal(folder), server),
    };
    // The Node.js that runs Toolkeep also runs the server. In the app it is Electron; this variable makes it act as Node.js.
    const isNode = shown(command) === 'node';
    const ours = { command: '${toolkeep:node}', env: { ...connection.env, ELECTRON_RUN_AS_NODE: '1' } };
    return resultOf(form, [command, ...args].map(shown), env, isNode ? { ...connection, ...ours } : connection);
  } catch (error) {
    if (!(error instanceof Refused || error instanceof TooManyValues)) throw error;
    return { ...resultOf(form, [], new Map()), refused: error.message };
  }
}

function withDefault<T extends Input>(input: T, value: string | undefined): T {
  return value === undefined ? input : { ...input, default: value };
}

interface Start {
  command: Template;
  args: Template[];
  env: Map<string, Template>;
}

function startTemplates(manifest: Manifest, form: Form, folder: string, host: BundleOptions['host']): Start {
  const { start, type, platforms, entryPoint, inputs } = manifest;
  if (platforms.length > 0 && !platforms.includes(host.platform))
    throw new Refused(`The bundle is for ${platforms.join(', ')} only.`);
  const { join } = host.platform === 'win32' ? win32 : posix;
  if (!start && type === 'uv' && entryPoint !== '') {
    const args = ['run', '--directory', folder, join(folder, entryPoint)].map(literal);
    return { command: literal('uv'), args, env: new Map() };
  }
  if (!start) throw new Refused('The manifest does not say how to start the server.');
  const expand = (text: string, place: Place) => expandOne(text, inputs, form, place, folder, host);
  const args = start.args.flatMap((arg) => {
    const key = /^\$\{user_config\.([^{}]+)\}$/.exec(arg)?.[1] ?? '';
    const input = inputs.get(key);
    return input ? form.fill(input, key, 'argument', input.isRepeated) : [expand(arg, 'argument')];
  });
  const env = new Map<string, Template>();
  for (const [name, text] of Object.entries(start.env)) {
    // The bundle may set these two: its own code finds its libraries there.
    if (name !== 'PYTHONPATH' && name !== 'NODE_PATH') checkVariableName(name);
    const value = expand(text, 'variable');
    // Without a value for an optional input, omit its variable.
    if (value.length > 0 || text === '') env.set(name, value);
  }
  const command = expand(start.command, 'argument');
  return { command: type === 'node' && shown(command) === 'node' ? literal('node') : command, args, env };
}

function expandOne(
  text: string,
  inputs: Manifest['inputs'],
  form: Form,
  place: Place,
  folder: string,
  host: BundleOptions['host'],
): Template {
  const parts: Part[] = [];
  for (const [index, piece] of text.split(/\$\{user_config\.([^{}]{1,100})\}/).entries()) {
    const input = index % 2 === 1 ? inputs.get(piece) : undefined;
    if (index % 2 === 0) parts.push(...expandFolders(piece, folder, host));
    else if (!input) parts.push({ text: `\${user_config.${piece}}` });
    else
      for (const [at, value] of form.fill(input, piece, place, input.isRepeated).entries())
        parts.push(...(at > 0 ? [{ text: ',' }] : []), ...value);
  }
  return parts.filter((part) => !('text' in part) || part.text !== '');
}

function expandFolders(text: string, folder: string, { homeDir, platform }: BundleOptions['host']): Template {
  const { join, sep } = platform === 'win32' ? win32 : posix;
  const known: Record<string, string> = {
    ...{ __dirname: folder, HOME: homeDir, '/': sep, pathSeparator: sep },
    DESKTOP: join(homeDir, 'Desktop'),
    DOCUMENTS: join(homeDir, 'Documents'),
    DOWNLOADS: join(homeDir, 'Downloads'),
  };
  return literal(
    text.replace(/\$\{([\w/]{1,40})\}/g, (whole, name: string) =>
      Object.hasOwn(known, name) ? (known[name] as string) : whole,
    ),
  );
}

const object = (value: unknown): Json => (isObject(value) ? value : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
