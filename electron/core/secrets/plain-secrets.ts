/** Finding the secrets that stand in a connection in plain text, and putting references in their place. */
import type { Connection, OAuthClient } from '../../../shared/model.ts';
import { isBlank, looksSecret } from './patterns.ts';
import { placeholdersIn } from './placeholders.ts';
import { flagBefore, schemeOf, withoutScheme } from './redact.ts';
import { secretsInUrl } from './url.ts';

/** Where a text stands in a connection. */
type At =
  | { part: 'env' | 'headers'; key: string }
  | { part: 'args' | 'replicas'; index: number }
  | { part: 'url' | 'oauth' };

export interface PlainSecret {
  /** For people; never the value: `GITHUB_TOKEN`, `the header Authorization`, `the argument --api-key`. */
  label: string;
  /** A word to name the secret by. */
  name: string;
  value: string;
  at: At;
  /** Where the value begins in its text. */
  offset: number;
}

/** All secrets in plain text in `connection`; none of the values may be shown. */
export function plainSecrets(connection: Connection): PlainSecret[] {
  if (connection.type !== 'stdio') {
    const headers = Object.entries(connection.headers).flatMap(([key, text]) =>
      fromText(key, text, { part: 'headers', key }, `the header ${key}`, 0),
    );
    const replicas = (connection.replicas ?? []).flatMap((url, index) =>
      fromUrl(url, { part: 'replicas', index }, `replica ${index + 1}`, 0),
    );
    const secret = clientSecret(connection.oauth);
    return [...fromUrl(connection.url, { part: 'url' }, 'the URL', 0), ...replicas, ...headers, ...secret];
  }
  const { args, env } = connection;
  return [
    ...Object.entries(env).flatMap(([key, text]) => fromText(key, text, { part: 'env', key }, key, 0)),
    ...args.flatMap((arg, index) => fromArgument(arg, args[index - 1], index)),
  ];
}

/** Nothing else is ever written there, so that it need not look like a secret to be one. */
export function clientSecret({ clientSecret: value = '' }: Partial<OAuthClient> = {}): PlainSecret[] {
  const [label, name, at] = ['the OAuth client secret', 'clientSecret', { part: 'oauth' } as const];
  const found = fromText(name, value, at, label, 0);
  if (found.length > 0 || placeholdersIn(value).length > 0 || value.trim() === '' || isBlank(value)) return found;
  return [{ label, name, value, at, offset: 0 }];
}

/** A copy of `connection` with `reference(secret)` in place of every secret in `secrets`. */
export function replaceSecrets(
  connection: Connection,
  secrets: PlainSecret[],
  reference: (secret: PlainSecret) => string,
): Connection {
  const copy = structuredClone(connection);
  // From the end, so that earlier offsets stay right.
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

/** A copy of `connection` with every text in which a placeholder may stand changed. */
export function mapTexts(connection: Connection, change: (text: string) => string): Connection {
  const values = (record: Record<string, string>) =>
    Object.fromEntries(Object.entries(record).map(([key, text]) => [key, change(text)]));
  if (connection.type !== 'stdio') {
    const { url, headers, replicas, oauth } = connection;
    return {
      ...{ ...connection, url: change(url) },
      ...(replicas && { replicas: replicas.map(change) }),
      headers: values(headers),
      ...(oauth && { oauth: withClient(oauth, change) }),
    };
  }
  const { command, args, env, cwd, envFile } = connection;
  return {
    ...connection,
    ...{ command: change(command), args: args.map(change), env: values(env) },
    ...(cwd !== undefined && { cwd: change(cwd) }),
    ...(envFile !== undefined && { envFile: change(envFile) }),
  };
}

/** The client of an OAuth sign-in with the texts changed in which a placeholder may stand. */
export function withClient(oauth: OAuthClient, change: (text: string, name: string) => string): OAuthClient {
  const { clientId, clientSecret } = oauth;
  const secret = clientSecret !== undefined && { clientSecret: change(clientSecret, 'clientSecret') };
  return { ...oauth, clientId: change(clientId, 'clientId'), ...secret };
}

/** The secret in a named text: inside its URL if it is one, else all of it after "Bearer". */
function fromText(name: string, text: string, at: At, label: string, offset: number): PlainSecret[] {
  const inUrl = fromUrl(text, at, label, offset);
  if (inUrl.length > 0) return inUrl;
  const value = withoutScheme(text);
  if (!looksSecret(name, value)) return [];
  return [{ label, name, value, at, offset: offset + schemeOf(text).length }];
}

function fromArgument(arg: string, before: string | undefined, index: number): PlainSecret[] {
  const at: At = { part: 'args', index };
  const flag = flagBefore(arg, before);
  // `--header "Authorization: Bearer x"` and `-e KEY=x`: the inner name says more than the flag.
  const inner = fromPair(arg, at, 0);
  if (inner.length > 0) return inner;
  if (flag !== undefined) return fromText(flag, arg, at, `the argument ${before}`, 0);
  return fromText(schemeOf(arg) === '' ? '' : 'token', arg, at, 'an argument', 0);
}

/** `--key=value`, `KEY=value`, `Header: value`, and `--header=Header: value`. */
function fromPair(text: string, at: At, offset: number): PlainSecret[] {
  const start = /^(-{0,2}[\w.-]{1,100})(?:=|:\s{0,9}(?!\/))/.exec(text);
  if (!start?.[1]) return [];
  const name = start[1].replace(/^-+/, '');
  const rest = text.slice(start[0].length);
  const restOffset = offset + start[0].length;
  const inner = offset === 0 ? fromPair(rest, at, restOffset) : [];
  return inner.length > 0 ? inner : fromText(name, rest, at, `the argument ${start[1]}`, restOffset);
}

function fromUrl(text: string, at: At, label: string, offset: number): PlainSecret[] {
  return secretsInUrl(text, looksSecret).map(({ kind, name, value, offset: inside }) => {
    const what = kind === 'password' ? 'the password' : kind === 'path' ? 'a part of the path' : `"${name}"`;
    return { label: `${what} in ${label}`, name, value, at, offset: offset + inside };
  });
}
