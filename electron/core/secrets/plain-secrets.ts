/** Finds plain-text secrets in a connection and replaces them with references. */
import type { Connection, OAuthClient } from '../../../shared/model/server.ts';
import { isSecretName } from '../../../shared/secret-name.ts';
import { placeholdersIn } from './placeholders.ts';
import { flagBefore, schemeOf, withoutScheme } from './redact.ts';
import { secretsInUrl } from './redact-url.ts';
import { isBlank, looksSecret } from './secret-names.ts';

/** The location of a string in a connection. */
type Location =
  | { part: 'env' | 'headers'; key: string }
  | { part: 'args' | 'replicas'; index: number }
  | { part: 'url' | 'oauth' };

export interface PlainSecret {
  /** A display name, never the value: `GITHUB_TOKEN`, `the header Authorization`, `the argument --api-key`. */
  label: string;
  /** A short name for the secret in the vault. */
  name: string;
  value: string;
  at: Location;
  /** The offset of the value in the string at that location. */
  offset: number;
}

/** Returns all plain-text secrets in `connection`. Never show their values. */
export function plainSecrets(connection: Connection): PlainSecret[] {
  if (connection.type !== 'stdio') {
    const headers = Object.entries(connection.headers).flatMap(([key, text]) =>
      fromString(key, text, { part: 'headers', key }, `the header ${key}`, 0),
    );
    const replicas = (connection.replicas ?? []).flatMap((url, index) =>
      fromUrl(url, { part: 'replicas', index }, `replica ${index + 1}`, 0),
    );
    const secret = plainClientSecret(connection.oauth);
    return [...fromUrl(connection.url, { part: 'url' }, 'the URL', 0), ...replicas, ...headers, ...secret];
  }
  const { args, env } = connection;
  return [
    ...Object.entries(env).flatMap(([key, text]) => fromString(key, text, { part: 'env', key }, key, 0)),
    ...args.flatMap((arg, index) => fromArgument(arg, args[index - 1], index)),
  ];
}

/** Names the secrets, plain or referenced, in a program's arguments, which every user of the machine can read. */
export function secretsInArguments(connection: Connection): string[] {
  if (connection.type !== 'stdio') return [];
  const referenced = connection.args.flatMap(placeholdersIn).flatMap((placeholder) => {
    if (placeholder.kind === 'secret' || placeholder.kind === 'input')
      return [`\${${placeholder.kind}:${placeholder.name}}`];
    if (placeholder.kind === 'reference') return [`\${${placeholder.to}}`];
    return placeholder.kind === 'file' ? [`\${file:${placeholder.path}}`] : [];
  });
  const plain = plainSecrets(connection).filter(({ at }) => at.part === 'args');
  return [...referenced, ...plain.map(({ label }) => label)];
}

/** Returns the OAuth client secret. Any value counts as a secret, because the field has no other use. */
export function plainClientSecret({ clientSecret: value = '' }: Partial<OAuthClient> = {}): PlainSecret[] {
  const [label, name, at] = ['the OAuth client secret', 'clientSecret', { part: 'oauth' } as const];
  const found = fromString(name, value, at, label, 0);
  if (found.length > 0 || placeholdersIn(value).length > 0 || value.trim() === '' || isBlank(value)) return found;
  return [{ label, name, value, at, offset: 0 }];
}

/** Returns a copy of `connection` with every secret in `secrets` replaced by `reference(secret)`. */
export function replaceSecrets(
  connection: Connection,
  secrets: PlainSecret[],
  reference: (secret: PlainSecret) => string,
): Connection {
  const copy = structuredClone(connection);
  // Replace from the end, so that earlier offsets stay valid.
  for (const secret of secrets.toSorted((a, b) => b.offset - a.offset)) {
    const { at, offset, value } = secret;
    const edit = (text: string) => text.slice(0, offset) + reference(secret) + text.slice(offset + value.length);
    if (copy.type === 'stdio') {
      if (at.part === 'args') copy.args[at.index] = edit(copy.args[at.index] as string);
      else if (at.part === 'env') copy.env[at.key] = edit(copy.env[at.key] as string);
    } else if (at.part === 'url') copy.url = edit(copy.url);
    else if (at.part === 'oauth')
      copy.oauth = copy.oauth && { ...copy.oauth, clientSecret: edit(copy.oauth.clientSecret ?? '') };
    else if (at.part === 'replicas') copy.replicas?.splice(at.index, 1, edit(copy.replicas[at.index] as string));
    else if (at.part === 'headers') copy.headers[at.key] = edit(copy.headers[at.key] as string);
  }
  return copy;
}

/** Returns a copy of `connection` with `change` applied to every string that may contain a placeholder. */
export function mapStrings(connection: Connection, change: (text: string) => string): Connection {
  const values = (record: Record<string, string>) =>
    Object.fromEntries(Object.entries(record).map(([key, text]) => [key, change(text)]));
  if (connection.type !== 'stdio') {
    const { url, headers, replicas, oauth } = connection;
    return {
      ...connection,
      url: change(url),
      ...(replicas && { replicas: replicas.map((replica) => change(replica)) }),
      headers: values(headers),
      ...(oauth && { oauth: mapOAuthClient(oauth, change) }),
    };
  }
  const { command, args, env, cwd, envFile } = connection;
  return {
    ...connection,
    command: change(command),
    args: args.map((arg) => change(arg)),
    env: values(env),
    ...(cwd !== undefined && { cwd: change(cwd) }),
    ...(envFile !== undefined && { envFile: change(envFile) }),
  };
}

/** Returns a copy of `oauth` with `change` applied to every string that may contain a placeholder. */
export function mapOAuthClient(oauth: OAuthClient, change: (text: string, name: string) => string): OAuthClient {
  const { clientId, clientSecret } = oauth;
  const secret = clientSecret !== undefined && { clientSecret: change(clientSecret, 'clientSecret') };
  return { ...oauth, clientId: change(clientId, 'clientId'), ...secret };
}

/** Returns the secrets in a named string: of a URL, of the pairs in JSON and header lines, otherwise all after "Bearer". */
function fromString(name: string, text: string, at: Location, label: string, offset: number): PlainSecret[] {
  const inUrl = fromUrl(text, at, label, offset);
  if (inUrl.length > 0) return inUrl;
  const value = withoutScheme(text);
  const scheme = schemeOf(text);
  const isNamed = looksSecret(name, value);
  const inPairs = isSecretName(name)
    ? []
    : [...text.matchAll(/^\s*[[{]/.test(text) ? jsonPair : headerLine)].flatMap((pair) => {
        const [whole, key = '', inner = ''] = pair;
        const start = offset + pair.index + whole.lastIndexOf(inner);
        return fromString(key, inner, at, `"${key}" in ${label}`, start);
      });
  if (inPairs.length > 0) return inPairs;
  if (!isNamed && !(scheme !== '' && isCredential(value))) return [];
  return [{ label, name, value, at, offset: offset + scheme.length }];
}

/** JSON in a command line may have escaped quotes. */
const jsonPair = /\\?"([\w.-]{1,100})\\?"\s{0,9}:\s{0,9}\\?"([^"\\]{1,8000})/g;
const headerLine = /^[ \t]{0,9}([A-Za-z][\w-]{1,60}):[ \t]{1,9}(\S[^\r\n]{0,8000})$/gm;

/** Whether a value after "Bearer" or "Basic" is a credential and no word. */
function isCredential(value: string): boolean {
  if (!/^[\w+/=.~:-]{6,}$/.test(value) || !looksSecret('token', value)) return false;
  return /\d/.test(value) || value.length >= 20 || Buffer.from(value, 'base64').toString('latin1').includes(':');
}

function fromArgument(arg: string, before: string | undefined, index: number): PlainSecret[] {
  const at: Location = { part: 'args', index };
  const flag = flagBefore(arg, before);
  // In `--header "Authorization: Bearer x"` and `-e KEY=x` the inner name is more specific than the flag.
  const inner = fromPair(arg, at, 0);
  if (inner.length > 0) return inner;
  if (flag !== undefined) return fromString(flag, arg, at, `the argument ${before}`, 0);
  return fromString(schemeOf(arg) === '' ? '' : 'token', arg, at, 'an argument', 0);
}

/** Parses `--key=value`, `KEY=value`, `Header: value` and `--header=Header: value`. */
function fromPair(text: string, at: Location, offset: number): PlainSecret[] {
  const start = /^(-{0,2}[\w.-]{1,100})(?:=|:\s{0,9}(?!\/))/.exec(text);
  if (!start?.[1]) return [];
  const name = start[1].replace(/^-+/, '');
  const rest = text.slice(start[0].length);
  const restOffset = offset + start[0].length;
  const inner = offset === 0 ? fromPair(rest, at, restOffset) : [];
  return inner.length > 0 ? inner : fromString(name, rest, at, `the argument ${start[1]}`, restOffset);
}

function fromUrl(text: string, at: Location, label: string, offset: number): PlainSecret[] {
  return secretsInUrl(text, looksSecret).map(({ kind, name, value, offset: inside }) => {
    const what = kind === 'password' ? 'the password' : kind === 'path' ? 'a part of the path' : `"${name}"`;
    return { label: `${what} in ${label}`, name, value, at, offset: offset + inside };
  });
}
