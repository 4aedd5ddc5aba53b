/** Stored sign-ins: tokens and the data to renew them. Sealed, one record per server instance, tied to its URL. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Host } from '../../host.ts';
import { openVault } from '../../secrets/vault.ts';

/** A sign-in belongs to one instance of a server, because each may have its own URL. Instances count from 0. */
export interface Account {
  server: string;
  instance: number;
}

const recordSchema = z.looseObject({
  server: z.string(),
  instance: z.number().default(0),
  /** The URL that the tokens are for. A server with the same name at another URL never gets them. */
  resource: z.string(),
  authorizationServer: z.string(),
  /** Metadata of the authorization server. */
  metadata: z.record(z.string(), z.unknown()).optional(),
  /** The `resource` parameter of token requests (RFC 8707). */
  indicator: z.string().optional(),
  client: z.looseObject({ client_id: z.string() }).optional(),
  /** The redirect URL of the registration. */
  redirectUrl: z.string().optional(),
  tokens: z
    .looseObject({
      access_token: z.string(),
      refresh_token: z.string().optional(),
      scope: z.string().optional(),
      /** Epoch milliseconds. */
      expiresAt: z.number().optional(),
    })
    .optional(),
});
export type SignInRecord = z.infer<typeof recordSchema>;

export type Records = Awaited<ReturnType<typeof openRecords>>;

/**
 * Opens `sign-ins.json` in the data folder. It is separate from the vault, because no configuration may refer to a
 * token.
 */
export async function openRecords(host: Host) {
  const vault = await openVault(host, 'sign-ins.json');
  // Cache the records, because unsealing may involve a keychain and every request needs a token.
  const loaded = new Map<string, Promise<SignInRecord | undefined>>();
  const withTokens = new Map<string, boolean>();

  async function load(account: Account): Promise<SignInRecord | undefined> {
    const key = keyOf(account);
    const text = (await vault.reveal([key])).get(key);
    if (text === undefined) return undefined;
    const parsed = recordSchema.safeParse(JSON.parse(text));
    if (!parsed.success) return undefined;
    const isMatch = parsed.data.server === account.server && parsed.data.instance === account.instance;
    return isMatch ? parsed.data : undefined;
  }

  function current(account: Account): Promise<SignInRecord | undefined> {
    const key = keyOf(account);
    const known = loaded.get(key);
    if (known) return known;
    const loading = load(account).then((record) => {
      if (loaded.get(key) === loading) withTokens.set(key, record?.tokens !== undefined);
      return record;
    });
    loaded.set(key, loading);
    // A keyring that does not respond now may respond later.
    loading.catch(() => loaded.delete(key));
    return loading;
  }

  return {
    /** Whether tokens are stored, as far as that is known without unsealing. */
    hasTokens: (account: Account): boolean => withTokens.get(keyOf(account)) ?? vault.has(keyOf(account)),
    async get(account: Account, url: string): Promise<SignInRecord | undefined> {
      const record = await current(account);
      return record?.resource === resourceOf(url) ? record : undefined;
    },
    /** Resolves when the record is sealed and on disk. `get` returns the new one immediately. */
    async set(record: SignInRecord): Promise<void> {
      const key = keyOf(record);
      loaded.set(key, Promise.resolve(record));
      withTokens.set(key, record.tokens !== undefined);
      await vault.set(key, JSON.stringify(record));
    },
    async remove(account: Account): Promise<SignInRecord | undefined> {
      const key = keyOf(account);
      const record = await current(account);
      loaded.set(key, Promise.resolve(undefined));
      withTokens.set(key, false);
      await vault.remove(key);
      return record;
    },
  };
}

/** The URL without its query, which may vary between connections. */
export function resourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** A readable, unique key. An instance's suffix is too short to be mistaken for a hash. */
export function keyOf({ server, instance }: Account): string {
  const hash = createHash('sha256').update(server).digest('base64url').slice(0, 10);
  return `${server.replaceAll(/[${}\n]/g, '_')}#${hash}${instance === 0 ? '' : `#${instance + 1}`}`;
}
