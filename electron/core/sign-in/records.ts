/** What a sign-in left behind: tokens, and how to renew them. Sealed, one record per server, bound to its address. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Host } from '../host.ts';
import { openVault } from '../secrets/secrets.ts';

const recordSchema = z.looseObject({
  server: z.string(),
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
  hasTokens(server: string): boolean;
  get(server: string, url: string): Promise<SignInRecord | undefined>;
  /** Resolves after it is sealed and on disk; from the first moment on, `get` gives the new one. */
  set(record: SignInRecord): Promise<void>;
  remove(server: string): Promise<SignInRecord | undefined>;
}

/** Opens `sign-ins.json` in the data folder: a vault apart from that of secrets, so that no config can refer to a token. */
export async function openRecords(host: Host): Promise<Records> {
  const vault = await openVault(host, 'sign-ins.json');
  // Unsealing may ask a keychain, and a token is needed with every request.
  const loaded = new Map<string, Promise<SignInRecord | undefined>>();
  const withTokens = new Map<string, boolean>();

  async function load(server: string): Promise<SignInRecord | undefined> {
    const text = (await vault.reveal([keyOf(server)])).get(keyOf(server));
    if (text === undefined) return undefined;
    const parsed = recordSchema.safeParse(JSON.parse(text));
    return parsed.success && parsed.data.server === server ? parsed.data : undefined;
  }

  function current(server: string): Promise<SignInRecord | undefined> {
    const known = loaded.get(server);
    if (known) return known;
    const loading = load(server).then((record) => {
      if (loaded.get(server) === loading) withTokens.set(server, record?.tokens !== undefined);
      return record;
    });
    loaded.set(server, loading);
    // A keyring that did not answer now may do so later.
    loading.catch(() => loaded.delete(server));
    return loading;
  }

  return {
    hasTokens: (server) => withTokens.get(server) ?? vault.has(keyOf(server)),
    async get(server, url) {
      const record = await current(server);
      return record?.resource === resourceOf(url) ? record : undefined;
    },
    async set(record) {
      loaded.set(record.server, Promise.resolve(record));
      withTokens.set(record.server, record.tokens !== undefined);
      await vault.set(keyOf(record.server), JSON.stringify(record));
    },
    async remove(server) {
      const record = await current(server);
      loaded.set(server, Promise.resolve(undefined));
      withTokens.set(server, false);
      await vault.remove(keyOf(server));
      return record;
    },
  };
}

/** An address without what may vary between connections. */
export function resourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Readable, and no two servers alike. */
function keyOf(server: string): string {
  const hash = createHash('sha256').update(server).digest('base64url').slice(0, 10);
  return `${server.replaceAll(/[${}\n]/g, '_')}#${hash}`;
}
