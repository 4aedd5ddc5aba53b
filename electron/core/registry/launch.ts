/** Defines how each type of package starts: the exact program and arguments, with a pinned version and no shell. */
import { limits } from '../../../shared/limits.ts';
import type { Argument, Package } from './entry.ts';
import type { Form } from './inputs.ts';
import { containerWarnings, givesControl, holdsKeys, mountedFiles } from './mounts.ts';
import { holdsSecret, literal, shown, type Template } from './template.ts';

export interface Launch {
  command: string;
  args: Template[];
  /** Variables that the arguments set, by name. */
  env: Map<string, Template>;
}

/** Thrown for a package that Toolkeep does not install; the message gives the reason. */
export class Refused extends Error {}

interface Runtime {
  command: string;
  identifier: RegExp;
  version: RegExp;
  /** The package registry that the program uses. Packages from any other registry are refused. */
  home?: RegExp;
  /**
   * The runtime arguments that an entry may use, each with its number of values, or with a pattern for its one value. Other
   * arguments could run other programs.
   */
  flags: Readonly<Record<string, 0 | 1 | RegExp>>;
  launch(pkg: Package, given: Given, args: Template[]): Omit<Launch, 'command'>;
}

/** The runtime arguments of an entry: flags with their values, and everything else. */
interface Given {
  flags: Template[];
  /** The values of `handledFlags`. */
  handled: Template[];
  others: string[];
}

/** `1.x` and `1` are ranges. */
const semanticVersion = /^v?\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;
const exactVersion = /^v?\d[\w.+!-]*$/;
/** A Python version. A path would run another program. */
const pythonVersion = /^(?:(?:python|cpython|pypy|graalpy)[@-]?)?[<>=~]{0,2}\d[\w.+-]*$/i;

/** Docker reads the value as CSV, in which quotes can hide a source. */
const plainMount = /^[^"\n\r]*$/;

const runtimes: Readonly<Record<string, Runtime>> = {
  npm: {
    command: 'npx',
    identifier: /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i,
    version: semanticVersion,
    home: /^https:\/\/registry\.npmjs\.org\/?$/,
    flags: { '-y': 0, '--yes': 0, '-q': 0, '--quiet': 0, '--prefer-offline': 0, '--package': 1, '-p': 1 },
    launch({ identifier, version }, { flags, handled, others }, args) {
      requireOwnProgram([...others, ...handled.map(shown)], identifier, '@');
      return { args: [literal('-y'), ...flags, literal(`${identifier}@${version}`), ...args], env: new Map() };
    },
  },
  pypi: {
    command: 'uvx',
    identifier: /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?:\[[\w,.-]+\])?$/i,
    version: exactVersion,
    home: /^https:\/\/pypi\.org(?:\/simple)?\/?$/,
    flags: { '-q': 0, '--quiet': 0, '-p': pythonVersion, '--python': pythonVersion, '--prerelease': 1, '--from': 1 },
    launch({ identifier, version }, { flags, handled, others }, args) {
      requireOwnProgram([...others, ...handled.map(shown)], identifier, '==');
      const what = ['--from', `${identifier}==${version}`, identifier.replace(/\[.*$/, '')];
      return { args: [...flags, ...what.map(literal), ...args], env: new Map() };
    },
  },
  go: {
    command: 'go',
    identifier: /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[\w.~-]+)+$/i,
    // Without the `v`, Go would look for a branch or a commit.
    version: /^v\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/,
    flags: {},
    launch({ identifier, version }, { others }, args) {
      requireOwnProgram(others, identifier, '@');
      return { args: [literal('run'), literal(`${identifier}@${version}`), ...args], env: new Map() };
    },
  },
  oci: {
    command: 'docker',
    identifier:
      /^[a-z0-9][a-z0-9.-]*(?::\d{1,5})?(?:\/[a-z0-9][a-z0-9._-]*)*(?::\w[\w.-]{0,127})?(?:@sha256:[a-f0-9]{64})?$/,
    version: /^.*$/,
    flags: {
      ...{ '-i': 0, '--interactive': 0, '--rm': 0, '--init': 0, '--read-only': 0 },
      ...{
        '-e': 1,
        '--env': 1,
        '-v': 1,
        '--volume': 1,
        '--mount': plainMount,
        '-w': 1,
        '--workdir': 1,
        '-u': 1,
        '--user': 1,
      },
      ...{
        '--network': 1,
        '--net': 1,
        '--platform': 1,
        '--pull': 1,
        '--memory': 1,
        '-m': 1,
        '--cpus': 1,
        '--tmpfs': 1,
      },
      ...{ '--add-host': 1, '--cap-drop': 1, '--entrypoint': 1, '--shm-size': 1, '-l': 1, '--label': 1 },
    },
    launch(pkg, { flags, handled, others }, args) {
      const image = imageOf(pkg);
      if (others.some((word) => word !== 'run' && word !== pkg.identifier && word !== image))
        throw new Refused(`The runtime argument "${others.join(' ')}" is not allowed.`);
      const env = new Map(handled.map(variableOf));
      const names = [...env.keys()].flatMap((name) => [literal('-e'), literal(name)]);
      const start = ['run', '-i', '--rm'].map(literal);
      return { args: [...start, ...flags, ...names, literal(image), ...args], env };
    },
  },
};

/** Flags that `launch` handles itself, by writing their values in its own form. */
const handledFlags: Readonly<Record<string, readonly string[]>> = {
  npm: ['--package', '-p'],
  pypi: ['--from'],
  oci: ['-e', '--env'],
};
/** Flags that every generated command already contains. */
const impliedFlags = new Set(['-y', '--yes', '-i', '--interactive', '--rm']);

/** The program that runs a package of this type; undefined if Toolkeep cannot run it. */
export const commandFor = (type: string): string | undefined => runtimes[type]?.command;

/** Throws `Refused` for a package that Toolkeep does not run. */
export function launchOf(pkg: Package, form: Form): Launch {
  if (pkg.unsupported) throw new Refused(`Toolkeep cannot fill in "${pkg.unsupported}", which the entry uses.`);
  const runtime = Object.hasOwn(runtimes, pkg.type) ? runtimes[pkg.type] : undefined;
  if (pkg.type === 'mcpb') throw new Refused(bundleAdvice(pkg));
  if (!runtime) throw new Refused(`Toolkeep cannot install packages of type "${pkg.type}".`);
  if (pkg.transport !== 'stdio')
    throw new Refused('The package runs an HTTP server of its own, which Toolkeep does not start.');
  if (pkg.identifier.length > limits.registry.packageNameCharacters)
    throw new Refused('The name of the package is too long.');
  if (!runtime.identifier.test(pkg.identifier)) throw new Refused(`"${pkg.identifier}" is not the name of a package.`);
  if (!runtime.version.test(pkg.version) || (pkg.type !== 'oci' && !pkg.version))
    throw new Refused('The entry has no exact version, so a different program could run at any time.');
  if (pkg.baseUrl && runtime.home && !runtime.home.test(pkg.baseUrl))
    throw new Refused(`The package is at ${pkg.baseUrl}, which ${runtime.command} does not use.`);
  const given = givenOf(pkg, runtime, form);
  const args = pkg.packageArguments.flatMap((argument) => argumentOf(argument, form));
  const launch = runtime.launch(pkg, given, args);
  const exposed = launch.args.find(holdsSecret);
  if (exposed)
    throw new Refused(
      `The entry puts a secret (${shown(exposed)}) on the command line, which every program on this computer can read.`,
    );
  const mounted = mountedFiles(given.flags);
  for (const file of mounted) {
    if (givesControl(file))
      throw new Refused(`The container would get ${file}, which gives it control of the whole computer.`);
    if (holdsKeys(file)) throw new Refused(`The container would get ${file}, which contains keys and passwords.`);
    if (!form.files.includes(file)) form.files.push(file);
  }
  if (pkg.type === 'oci') form.warnings.push(...containerWarnings(given.flags, mounted));
  return { command: runtime.command, ...launch };
}

function argumentOf(argument: Argument, form: Form): Template[] {
  const { flag, hint = 'value', format, value, isRepeated } = argument;
  if (flag !== undefined && value === '') return [literal(flag)];
  const filled = form.fill(argument, flag?.replace(/=$/, '') ?? hint, 'argument', isRepeated);
  if (flag === undefined) return filled;
  if (format === 'boolean' && value === undefined)
    return filled.some((one) => shown(one) === 'true') ? [literal(flag)] : [];
  return filled.flatMap((one) => (flag.endsWith('=') ? [[{ text: flag }, ...one]] : [literal(flag), one]));
}

function givenOf(pkg: Package, { flags: allowed }: Runtime, form: Form): Given {
  const given: Given = { flags: [], handled: [], others: [] };
  const rest = pkg.runtimeArguments.flatMap((argument) => argumentOf(argument, form));
  for (let word = rest.shift(); word; word = rest.shift()) {
    const text = holdsSecret(word) ? '' : shown(word);
    const [start = '', ...after] = text.split('=');
    const flag = holdsSecret(word) ? (/^(?:-e|--env)(?==)/.exec(shown(word))?.[0] ?? '') : start;
    if (!flag.startsWith('-')) {
      if (holdsSecret(word)) throw new Refused('The entry gives a secret to the program that starts the server.');
      given.others.push(text);
      continue;
    }
    const values = Object.hasOwn(allowed, flag) ? allowed[flag] : undefined;
    if (values === undefined || (values === 0 && after.length > 0))
      throw new Refused(`The runtime argument "${flag}" is not allowed.`);
    if (impliedFlags.has(flag)) continue;
    const isJoined = text.includes('=') || holdsSecret(word);
    const value = values === 0 ? undefined : isJoined ? withoutStart(word, flag.length + 1) : rest.shift();
    if (values !== 0 && !value) throw new Refused(`The runtime argument "${flag}" has no value.`);
    if (value && values instanceof RegExp && !values.test(shown(value)))
      throw new Refused(`The runtime argument "${flag} ${shown(value)}" is not allowed.`);
    if (value && handledFlags[pkg.type]?.includes(flag)) given.handled.push(value);
    else given.flags.push(literal(flag), ...(value ? [value] : []));
  }
  return given;
}

/** The template without its first `length` characters, which must be plain text. */
function withoutStart([first, ...rest]: Template, length: number): Template {
  return first && 'text' in first ? [{ text: first.text.slice(length) }, ...rest] : [];
}

/** Throws `Refused` if a word is not the package's own name, because the command would then run another program. */
function requireOwnProgram(words: string[], identifier: string, separator: string): void {
  const base = identifier.replace(/^.*\//, '').replace(/\[.*$/, '');
  const plain = (name: string) => name.toLowerCase().replaceAll(/[._-]+/g, '-');
  const isOwn = (word: string) =>
    word === identifier || word.startsWith(identifier + separator) || plain(word) === plain(base);
  const other = words.find((word) => !isOwn(word));
  if (other !== undefined) throw new Refused(`The entry runs another program, "${other}".`);
}

/** Splits `NAME=value`. Without a value, the variable would come from the user's environment. */
function variableOf(template: Template): [string, Template] {
  const [first] = template;
  const [, name, text] = /^([A-Za-z_]\w{0,200})=(.*)$/s.exec(first && 'text' in first ? first.text : '') ?? [];
  if (name === undefined || text === undefined)
    throw new Refused(`"-e ${shown(template)}" would pass on a variable of your environment.`);
  return [name, [{ text }, ...template.slice(1)]];
}

/** The image with its tag or digest; throws `Refused` without one. Older entries store registry and version separately. */
export function imageOf({ identifier, version, baseUrl }: Package): string {
  const host = URL.parse(baseUrl ?? '')?.host;
  const place = host && !splitImage(identifier).host && host !== 'docker.io' ? `${host}/` : '';
  const isPinned = identifier.includes('@sha256:');
  const hasTag = /:[^/@]+$/.test(identifier.replace(/@.*$/, ''));
  const tag = !isPinned && !hasTag && /^\w[\w.-]{0,127}$/.test(version) ? `:${version}` : '';
  const image = `${place}${identifier}${tag}`;
  if (!isPinned && (/:latest$/.test(image) || (!hasTag && tag === '')))
    throw new Refused('The entry has no exact version, so a different program could run at any time.');
  return image;
}

/** The registry's host and the rest: `ghcr.io` and `acme/notes:1` of `ghcr.io/acme/notes:1`. */
export function splitImage(image: string): { host?: string; path: string } {
  const end = image.indexOf('/');
  const host = image.slice(0, Math.max(end, 0));
  return /[.:]/.test(host) || host === 'localhost' ? { host, path: image.slice(end + 1) } : { path: image };
}

/** How to install a bundle that a registry lists, because Toolkeep does not download bundles. */
function bundleAdvice({ identifier, fileSha256 = '' }: Package): string {
  if (URL.parse(identifier)?.protocol !== 'https:') return `"${identifier}" is not the address of a bundle.`;
  if (!/^[a-f0-9]{64}$/.test(fileSha256)) return 'The entry has no SHA-256, so its bundle cannot be verified.';
  return `Toolkeep does not download bundles. Download ${identifier}, then run \`toolkeep bundle add FILE --sha256 ${fileSha256}\`.`;
}
