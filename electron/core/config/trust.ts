/** The folders whose configuration the user trusts, each with the hashes of the trusted content. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import type { Host } from '../host.ts';

const recordSchema = z.object({
  folder: z.string(),
  /** The config file. */
  file: z.string(),
  /** SHA-256 of the content by path. Paths are relative to the folder where possible. */
  files: z.record(z.string(), z.string()),
  /** Ids of the changes that weaken the user's protection and that the user accepted. */
  accepted: z.array(z.string()),
  /** The reviewed lines, as in `TrustedFolderView`. */
  adds: z.array(z.string()),
  stricter: z.array(z.string()),
  loosens: z.array(z.string()),
  /** Epoch milliseconds. */
  trustedAt: z.number(),
});
export type TrustRecord = z.infer<typeof recordSchema>;

const fileSchema = z.object({ version: z.literal(1), folders: z.array(recordSchema) });

type TrustHost = Pick<Host, 'dataDir' | 'log'>;

const trustFile = (dataDir: string) => join(dataDir, 'trusted-folders.json');

/** Returns the trusted folders; none if the file is missing or damaged, which fails closed. */
export function trustedFolders({ dataDir, log }: TrustHost): TrustRecord[] {
  let text: string;
  try {
    text = readFileSync(trustFile(dataDir), 'utf8');
  } catch {
    return [];
  }
  try {
    return fileSchema.parse(JSON.parse(text)).folders;
  } catch {
    log(
      'warn',
      `${trustFile(dataDir)} is damaged, so no folder is trusted. Run \`toolkeep trust\` in each folder again.`,
    );
    return [];
  }
}

/** Saves `record`, replacing the record of the same folder. */
export async function saveTrust(host: TrustHost, record: TrustRecord): Promise<void> {
  await write(host, [...trustedFolders(host).filter(({ folder }) => folder !== record.folder), record]);
}

/** Removes the record of `folder` and returns it; undefined if there was none. */
export async function revokeTrust(host: TrustHost, folder: string): Promise<TrustRecord | undefined> {
  const records = trustedFolders(host);
  const revoked = records.find((record) => record.folder === folder);
  if (revoked)
    await write(
      host,
      records.filter((record) => record !== revoked),
    );
  return revoked;
}

async function write({ dataDir }: TrustHost, folders: TrustRecord[]): Promise<void> {
  await writeFileAtomic(trustFile(dataDir), `${JSON.stringify({ version: 1, folders }, null, 2)}\n`, { mode: 0o600 });
}
