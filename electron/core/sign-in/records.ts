/** What a sign-in left behind: tokens, and how to renew them. Sealed, one record per server, bound to its address. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Host } from '../host.ts';
import { openVault } from '../secrets/secrets.ts';

/** Whose sign-in: an instance of a server, as each may lie at an address of its own. The first has 0. */
export interface Account {
  server: string;
  instance: number;
}

const recordSchema = z.looseObject({
  server: z.string(),
  instance: z.number().default(0),
  /** The address that the tokens are for. A server of the same name at another address never gets them. */
  resource: z.string(),
  authorizationServer: z.string(),
  /** As published by the authorization server and read by the SDK. */
  metadata: z.record(z.string(), z.unknown()).optional(),
  /** The `resource` to name in token requests. */
  indicator: z.string().optional(),
  client: z.looseObject({ client_id: z.string() }).optional(),
  /** Where the client was registered to be called back. */
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

export interface Records {
  /** Whether tokens are kept, as far as is known without unsealing them. */
  hasTokens(account: Account): boolean;
  get(account: Account, url: string): Promise<SignInRecord | undefined>;
  /** Resolves after it is sealed and on disk; from the first moment on, `get` gives the new one. */
  set(record: SignInRecord): Promise<void>;
  remove(account: Account): Promise<SignInRecord | undefined>;
}

/** Opens `sign-ins.json` in the data folder: a vault apart from that of secrets, so that no config can refer to a token. */
export async function openRecords(host: Host): Promise<Records> {
  const vault = await openVault(host, 'sign-ins.json');
  // Unsealing may ask a keychain, and a token is needed with every request.
  const loaded = new Map<string, Promise<SignInRecord | undefined>>();
  const withTokens = new Map<string, boolean>();

  async function load(account: Account): Promise<SignInRecord | undefined> {
    const key = keyOf(account);
    const text = (await vault.reveal([key])).get(key);
    if (text === undefined) return undefined;
    const parsed = recordSchema.safeParse(JSON.parse(text));
    if (!parsed.success) return undefined;
    const isTheirs = parsed.data.server === account.server && parsed.data.instance === account.instance;
    return isTheirs ? parsed.data : undefined;
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
    // A keyring that did not answer now may do so later.
    loading.catch(() => loaded.delete(key));
    return loading;
  }

  return {
    hasTokens: (account) => withTokens.get(keyOf(account)) ?? vault.has(keyOf(account)),
    async get(account, url) {
      const record = await current(account);
      return record?.resource === resourceOf(url) ? record : undefined;
    },
    async set(record) {
      const key = keyOf(record);
      loaded.set(key, Promise.resolve(record));
      withTokens.set(key, record.tokens !== undefined);
      await vault.set(key, JSON.stringify(record));
    },
    async remove(account) {
      const key = keyOf(account);
      const record = await current(account);
      loaded.set(key, Promise.resolve(undefined));
      withTokens.set(key, false);
      await vault.remove(key);
      return record;
    },
  };
}

/** An address without what may vary between connections. */
export function resourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Readable, and no two alike whatever the servers are called: what comes after the hash is too short to be another one. */
export function keyOf({ server, instance }: Account): string {
  const hash = createHash('sha256').update(server).digest('base64url').slice(0, 10);
  return `${server.replaceAll(/[${}\n]/g, '_')}#${hash}${instance === 0 ? '' : `#${instance + 1}`}`;
}
