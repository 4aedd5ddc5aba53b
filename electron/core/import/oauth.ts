/** The OAuth client that an app has for a server, in the words of each app. */
import { isObject } from '../../../shared/is-object.ts';
import { type OAuthClient, oauthSchema } from '../../../shared/model.ts';
import type { JsonObject } from './readers.ts';

/** Says in `notes` what the person has to know of the sign-in; undefined where Gatehouse registers itself. */
export function oauthOf(entry: JsonObject, text: (value: string) => string, notes: string[]): OAuthClient | undefined {
  const section = [entry.oauth, entry.auth].find(isObject);
  if (!section) return undefined;
  const given = (...keys: string[]) => {
    const value = keys.map((key) => section[key]).find((found) => typeof found === 'string' && found !== '');
    return value === undefined ? undefined : text(String(value));
  };
  const own = ['authServerMetadataUrl', 'authorizationUrl', 'tokenUrl'].filter((key) => section[key] !== undefined);
  if (own.length > 0) {
    const names = own.map((key) => `"${key}"`).join(', ');
    notes.push(`Says itself where one signs in (${names}), which is not taken over: Gatehouse asks the server.`);
  }
  const clientId = given('clientId', 'CLIENT_ID', 'client_id');
  if (clientId === undefined) {
    notes.push('Signs in with OAuth; Gatehouse will ask you to sign in.');
    return undefined;
  }
  const clientSecret = given('clientSecret', 'CLIENT_SECRET', 'client_secret');
  const scopes = scopesOf(section.scopes ?? section.scope);
  const redirectUrl = redirectOf(section, given('redirectUri', 'redirectUrl', 'redirect_uri'));
  notes.push(
    redirectUrl === undefined
      ? 'Signs in with an OAuth client of its own; http://127.0.0.1/callback must be among the redirect addresses of that client.'
      : `Signs in with an OAuth client of its own, which the browser comes back to at ${redirectUrl}.`,
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

/** Claude Code names a port only. What the browser hands to the other app itself is of no use here. */
function redirectOf({ callbackPort }: JsonObject, written: string | undefined): string | undefined {
  const url = written ?? (Number.isInteger(callbackPort) ? `http://localhost:${callbackPort}/callback` : undefined);
  return oauthSchema.shape.redirectUrl.safeParse(url).success ? url : undefined;
}
