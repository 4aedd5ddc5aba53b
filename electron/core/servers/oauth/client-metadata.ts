/** How Toolkeep identifies itself to authorization servers: by a registration, or by a document that it names. */

/**
 * The address of the document, a constant of the build (docs/releasing.md shows the document). A placeholder until it has a
 * host: Toolkeep names no document in the domain `invalid`.
 */
export const hostedMetadataUrl = 'https://toolkeep.invalid/oauth-client.json';

/** The registration of this sign-in. The document contains the same values. */
export const clientMetadata = (redirectUrl: string) => ({
  client_name: 'Toolkeep',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});

export function metadataUrl(env: NodeJS.ProcessEnv): string | undefined {
  const url = env.TOOLKEEP_CLIENT_METADATA_URL || hostedMetadataUrl;
  return new URL(url).hostname.split('.').at(-1) === 'invalid' ? undefined : url;
}
