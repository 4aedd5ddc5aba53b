/** Templates: text with gaps for secrets. Every argument, variable and header is a template until it is stored. */
import type { ServerConfig } from '../../../shared/model/server.ts';
import { escapePlaceholders, replacePlaceholders } from '../secrets/placeholders.ts';
import { secretNames } from '../secrets/resolve.ts';

/** `secret` is the ID of the input whose value is in the vault; `missing` is a required input without a value. */
export type Part = { text: string } | { secret: string } | { missing: string };
export type Template = readonly Part[];

export const literal = (text: string): Template => [{ text }];

/** The name of a secret in the vault. */
export function vaultName(server: string, input: string): string {
  return `${server}/${input}`.replaceAll(/[${}\n]/g, '_').slice(0, 200);
}

/** The prefix of the names of the server's secrets in the vault: the name that the server had when it was installed. */
function secretOwner({ name, registry }: ServerConfig, servers: readonly ServerConfig[]): string {
  const owner = registry?.owner ?? name;
  // Another server may have this name by now. Its secrets must not mix with those of an update.
  const isTaken = servers.some(
    (other) => other.name !== name && usedSecrets(other).some((secret) => secret.startsWith(`${owner}/`)),
  );
  return isTaken ? name : owner;
}

/** The secrets of a new server, or of an update of `replace`. `servers`: all of the user's servers. */
export function secretsFor(
  server: string,
  own: { replace?: ServerConfig | undefined; servers: readonly ServerConfig[]; hasSecret(name: string): boolean },
): { owner: string; isStored(field: string): boolean } {
  const { replace, servers, hasSecret } = own;
  const owner = replace ? secretOwner(replace, servers) : server;
  // An update gets only what the installed server uses: another server may have stored other secrets under its names.
  const used = new Set(replace && secretNames(replace.connection, replace.name));
  const isStored = (field: string) => used.has(vaultName(owner, field)) && hasSecret(vaultName(owner, field));
  return { owner, isStored };
}

/** The vault name of a secret that an update replaced; kept until the next update. */
export const replacedName = (name: string): string => `previous:${name}`.slice(0, 200);

/** The names in the vault that a server uses, including those of the version that can be restored. */
export function usedSecrets({ name, connection, previous }: ServerConfig): string[] {
  const used = secretNames(connection, name);
  if (!previous) return used;
  return [...used, ...secretNames(previous.connection, name), ...(previous.secrets ?? []).map(replacedName)];
}

export const holdsSecret = (template: Template): boolean => template.some((part) => 'secret' in part);

/** The text for a stored connection. Resolving its placeholders gives exactly the template's text, with its secrets. */
export function stored(template: Template, server: string): string {
  return joined(template)
    .map((part) =>
      'text' in part
        ? escapePlaceholders(part.text)
        : 'secret' in part
          ? `\${secret:${vaultName(server, part.secret)}}`
          : '',
    )
    .join('');
}

/** The text for display. A secret or a missing value is shown as `‹token›`. */
export function shown(template: Template): string {
  return template
    .map((part) => ('text' in part ? part.text : `‹${'secret' in part ? part.secret : part.missing}›`))
    .join('');
}

/** The text of a stored connection in the form of `shown`. */
export function shownStored(text: string): string {
  return replacePlaceholders(text, (placeholder) => {
    if (placeholder.kind === 'secret') return `‹${placeholder.name.replace(/^.*\//s, '')}›`;
    if (placeholder.kind === 'node') return 'node';
    return placeholder.kind === 'dollar' ? '$' : undefined;
  });
}

/** Joins adjacent parts of text, because `$` and `{X}` form a placeholder only together. */
function joined(template: Template): Part[] {
  const parts: Part[] = [];
  for (const part of template) {
    const last = parts.at(-1);
    if ('text' in part && last && 'text' in last) parts.splice(-1, 1, { text: last.text + part.text });
    else parts.push(part);
  }
  return parts;
}
