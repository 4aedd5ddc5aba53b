/** Reads a server entry's OAuth client registration, in any client's format. */
import { isObject } from '../../../../shared/is-object.ts';
import { type OAuthClient, oauthSchema } from '../../../../shared/model/server.ts';
import { textFrom } from '../../../../shared/text-from.ts';
import type { JsonObject } from './raw-servers.ts';

/** The registration with notes for the user; undefined if there is none and Toolkeep uses dynamic registration. */
export function oauthOf(entry: JsonObject, text: (value: string) => string, notes: string[]): OAuthClient | undefined {
  const section = [entry.oauth, entry.auth].find(isObject);
  if (!section) return undefined;
  const given = (...keys: string[]) => {
    const value = keys.map((key) => section[key]).find((found) => typeof found === 'string' && found !== '');
    return value === undefined ? undefined : text(textFrom(value));
  };
  const own = ['authServerMetadataUrl', 'authorizationUrl', 'tokenUrl'].filter((key) => section[key] !== undefined);
  if (own.length > 0) {
    const names = own.map((key) => `"${key}"`).join(', ');
    notes.push(
      `Defines its own sign-in addresses (${names}), which are not imported: Toolkeep discovers them from the server.`,
    );
  }
  const clientId = given('clientId', 'CLIENT_ID', 'client_id');
  if (clientId === undefined) {
    notes.push('Signs in with OAuth; Toolkeep will ask you to sign in.');
    return undefined;
  }
  const clientSecret = given('clientSecret', 'CLIENT_SECRET', 'client_secret');
  const scopes = scopesOf(section.scopes ?? section.scope);
  const redirectUrl = redirectOf(section, given('redirectUri', 'redirectUrl', 'redirect_uri', 'callback_url'));
  notes.push(
    redirectUrl === undefined
      ? 'Uses a registered OAuth client; http://127.0.0.1/callback must be one of its redirect URLs.'
      : `Uses a registered OAuth client with the redirect URL ${redirectUrl}.`,
  );
  return {
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scopes.length > 0 && { scopes }),
    ...(redirectUrl !== undefined && { redirectUrl }),
  };
}

function scopesOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/\s+/) : [];
  return list.filter((scope): scope is string => typeof scope === 'string' && scope !== '');
}

/** Claude Code stores only a port. A redirect URL with the client's own scheme cannot be used. */
function redirectOf({ callbackPort }: JsonObject, written: string | undefined): string | undefined {
  const url = written ?? (Number.isInteger(callbackPort) ? `http://localhost:${callbackPort}/callback` : undefined);
  return oauthSchema.shape.redirectUrl.safeParse(url).success ? url : undefined;
}
