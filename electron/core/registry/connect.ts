/** Converts a registry entry to a connection. The same entry and inputs always give the same result. */
import { limits } from '../../../shared/limits.ts';
import type { Field } from '../../../shared/model/question.ts';
import type { Connection } from '../../../shared/model/server.ts';
import type { NamedInput, Package, RegistryEntry, Remote } from './entry.ts';
import { createForm, type Entered, type Form, TooManyValues } from './inputs.ts';
import { commandFor, launchOf, Refused } from './launch.ts';
import { holdsSecret, shown, stored, type Template } from './template.ts';
import { checkVariableName } from './variable-names.ts';

/** One way to run or reach an entry's server. */
export interface Option {
  id: string;
  /** `npm`, `pypi`, `oci`, …; `http` and `sse` for a remote server. */
  kind: string;
  /** The package with its version, or the URL. */
  target: string;
  /** The program that must be installed. */
  command?: string;
  source: { package: Package } | { remote: Remote };
}

export interface Derived {
  /** The fields of the form for the user. */
  fields: Field[];
  /** The problem of each invalid or missing input, by field name. */
  problems: ReadonlyMap<string, string>;
  /** Secrets for the vault, by field name. */
  secrets: ReadonlyMap<string, string>;
  /** For display: the program with its arguments, or the URL. Secrets and missing values are `‹name›`. */
  command: string[];
  /** Variables or headers for display, in the same form. */
  values: { name: string; value: string; isSecret: boolean }[];
  /** The values that are paths of the user's files. */
  files: string[];
  /** Warnings for the user about the command. */
  warnings: string[];
  /** Absent if there are problems. */
  connection?: Connection;
  /** Why it cannot be installed. */
  refused?: string;
}

/** Best first: no installation, then isolated or verified packages, then packages that run with all of the user's permissions. */
const preference = ['http', 'sse', 'oci', 'mcpb', 'npm', 'pypi', 'go'];

/** The ways to reach an entry's server, best first. */
export function optionsOf(entry: RegistryEntry): Option[] {
  const all: Omit<Option, 'id'>[] = [
    ...entry.remotes.map((remote) => ({ kind: remote.type, target: remote.url, source: { remote } })),
    ...entry.packages.map((pkg) => {
      const command = commandFor(pkg.type);
      const target = pkg.version === '' ? pkg.identifier : `${pkg.identifier}@${pkg.version}`;
      return { kind: pkg.type, target, ...(command && { command }), source: { package: pkg } };
    }),
  ];
  const rank = ({ kind }: { kind: string }) =>
    (preference.indexOf(kind) + preference.length + 1) % (preference.length + 1);
  const counts = new Map<string, number>();
  return all
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, limits.registry.options)
    .map((option) => {
      const count = (counts.get(option.kind) ?? 0) + 1;
      counts.set(option.kind, count);
      return { ...option, id: count === 1 ? option.kind : `${option.kind}-${count}` };
    });
}

/**
 * Derives the connection. In the vault, the names of the new server's secrets begin with `server`. `isStored` returns true if
 * the vault has a value for this secret field; the value stays if the user enters none.
 */
export function connect(
  { source }: Option,
  entered: Entered,
  server: string,
  isStored?: (field: string) => boolean,
): Derived {
  const form = createForm(entered, isStored);
  try {
    return 'remote' in source
      ? connectRemote(source.remote, form, server)
      : connectPackage(source.package, form, server);
  } catch (error) {
    if (!(error instanceof Refused || error instanceof TooManyValues)) throw error;
    return { ...resultOf(form, [], new Map()), refused: error.message };
  }
}

function connectPackage(pkg: Package, form: Form, server: string): Derived {
  const launch = launchOf(pkg, form);
  const env = new Map([...launch.env, ...namedValues(pkg.environment, form, 'variable')]);
  for (const name of env.keys()) checkVariableName(name);
  // A container gets only the variables that are named on its command line.
  const inContainer = launch.command === 'docker' ? [...env.keys()].filter((name) => !launch.env.has(name)) : [];
  const args = launch.args.toSpliced(3, 0, ...inContainer.flatMap((name) => [[{ text: '-e' }], [{ text: name }]]));
  const { command } = launch;
  const connection: Connection = {
    type: 'stdio',
    command,
    args: args.map((arg) => stored(arg, server)),
    env: Object.fromEntries([...env].map(([name, value]) => [name, stored(value, server)])),
  };
  return resultOf(form, [command, ...args.map(shown)], env, connection);
}

function connectRemote(remote: Remote, form: Form, server: string): Derived {
  const url = form.fillText(remote.url, remote.variables, 'url');
  if (!url) throw new Refused('The address needs a value that the entry marks as optional.');
  const headers = namedValues(remote.headers, form, 'header');
  for (const name of headers.keys())
    if (!/^[!#$%&'*+.^_`|~\w-]{1,200}$/.test(name)) throw new Refused(`"${name}" cannot be the name of a header.`);
  const address = withoutSecrets(url);
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:')
    throw new Refused(`"${shown(url)}" is not a web address.`);
  // A name before an @, a backslash, or characters of another script can disguise the actual host.
  if (!/^https?:\/\/[\w.:[\]‹›-]+(?:[/?#]|$)/i.test(shown(url)))
    throw new Refused(`The address ${shown(url)} may lead to a different host than it appears to.`);
  if (changesHost(url, remote.url)) throw new Refused(`A value changes the host of the address ${shown(url)}.`);
  const connection: Connection = {
    type: remote.type,
    url: stored(url, server),
    headers: Object.fromEntries([...headers].map(([name, value]) => [name, stored(value, server)])),
  };
  return resultOf(form, [shown(url)], headers, connection);
}

/** The address with a placeholder word for each secret or missing value; null if it is not valid. */
const withoutSecrets = (url: Template) => URL.parse(url.map((part) => ('text' in part ? part.text : 'x')).join(''));

/**
 * True if a value changes more of the host than the entry allows: `{tenant}.example.com` must stay on example.com. If the
 * whole host is a variable, the value may be any host.
 */
function changesHost(url: Template, written: string): boolean {
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(written)?.[1];
  if (authority === undefined) return false;
  if (!authority.includes('{'))
    return withoutSecrets(url)?.host !== URL.parse(written.replaceAll(/\{[^{}]*\}/g, 'x'))?.host;
  const text = shown(url);
  const host =
    text
      .slice(text.indexOf('://') + 3)
      .split(/[/?#]/, 1)[0]
      ?.toLowerCase() ?? '';
  const [first = '', ...rest] = authority.toLowerCase().split(/\{[^{}]*\}/);
  if (!host.startsWith(first)) return true;
  // Runs in linear time. A regular expression would not, because the entry chooses the number of wildcards.
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    const next = index === rest.length - 1 ? host.length - part.length : host.indexOf(part, at + 1);
    if (next <= at || !host.startsWith(part, next) || !/^[\w.:‹›-]+$/.test(host.slice(at, next))) return true;
    at = next + part.length;
  }
  return at !== host.length;
}

function namedValues(inputs: NamedInput[], form: Form, place: 'variable' | 'header'): Map<string, Template> {
  return new Map(
    inputs.flatMap((input) =>
      form.fill(input, input.name, place).map((value): [string, Template] => [input.name, value]),
    ),
  );
}

/** Combines the form and the filled templates into the result of `connect`. */
export function resultOf(
  form: Form,
  command: string[],
  values: ReadonlyMap<string, Template>,
  connection?: Connection,
): Derived {
  const { fields, problems, secrets } = form;
  return {
    fields,
    problems,
    secrets,
    command,
    values: [...values].map(([name, value]) => ({ name, value: shown(value), isSecret: holdsSecret(value) })),
    files: form.files,
    warnings: form.warnings,
    ...(connection && problems.size === 0 && { connection }),
  };
}
