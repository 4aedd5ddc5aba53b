/** Lists the effects of a folder's configuration, and saves the user's decision about exactly this content. */
import { fail } from '../../../shared/failure.ts';
import type { TrustReview } from '../../../shared/model/trust.ts';
import type { Host } from '../host.ts';
import { isCovered, overallHash } from './folder/content.ts';
import { type FolderContent, readFolder, realFolder } from './folder/folder.ts';
import { mergeFolder } from './folder/merge.ts';
import { userSide } from './load.ts';
import type { Config } from './schema.ts';
import { saveTrust, trustedFolders } from './trust.ts';

type User = { config: Config; written: string[] };

/**
 * Reviews `folder`. Runs untrusted code only if `runCode` is its hash, which means that the user approved this code.
 * Rejects with CONFIG_INVALID if the configuration cannot be read.
 */
export async function reviewFolder(host: Host, user: User, folder: string, runCode?: string): Promise<TrustReview> {
  const root = realFolder(folder);
  const record = trustedFolders(host).find((candidate) => candidate.folder === root);
  const content = await readFolder(
    host,
    root,
    (code) => overallHash(code) === runCode || (record !== undefined && isCovered(code, record.files)),
  );
  const accepted = record?.accepted ?? [];
  const none = { folder: root, files: [], isCode: false, codeHash: '', hash: '', accepted, problems: [] };
  if (!content) return { ...none, status: 'none' };
  const { file, files, isCode, codeHash, hash, read } = content;
  const isTrusted = record !== undefined && read !== undefined && isCovered(files, record.files);
  return {
    folder: root,
    status: isTrusted ? 'trusted' : record ? 'changed' : 'untrusted',
    file,
    files: Object.entries(files).map(([path, fileHash]) => ({ path, hash: fileHash })),
    isCode,
    codeHash,
    hash,
    effects: effectsOf(host, user, content),
    accepted,
    problems: read?.problems ?? [],
  };
}

function effectsOf(host: Host, user: User, { folder, file, files, read }: FolderContent): TrustReview['effects'] {
  if (!read?.config) return undefined;
  const side = { folder, file, config: read.config, written: read.written, files: Object.keys(files) };
  return mergeFolder(userSide(host, user.config, user.written), side, new Set()).effects;
}

export interface TrustDecision {
  folder: string;
  /** The reviewed content. */
  hash: string;
  codeHash: string;
  /** Ids of `effects.loosens` that the user accepted. */
  accept: string[];
}

/** Trusts the reviewed content. Rejects with CONFIG_UNTRUSTED if it changed since the review. */
export async function trustFolder(host: Host, user: User, decision: TrustDecision): Promise<void> {
  const { folder, hash, codeHash, accept } = decision;
  const content = await readFolder(host, folder, (code) => overallHash(code) === codeHash);
  if (!content?.read || content.hash !== hash)
    throw fail('CONFIG_UNTRUSTED', `The configuration of ${folder} has changed since the review.`, {
      hint: 'Nothing was trusted. Review the folder again.',
    });
  const [problem] = content.read.problems;
  if (problem) throw fail('CONFIG_INVALID', problem.message, { hint: problem.hint, file: content.file });
  const { adds, stricter, loosens } = effectsOf(host, user, content) ?? { adds: [], stricter: [], loosens: [] };
  const known = loosens.map(({ id }) => id);
  const unknown = accept.filter((id) => !known.includes(id));
  if (unknown.length > 0)
    throw fail('INPUT_INVALID', `The configuration of ${folder} has no ${unknown.map((id) => `"${id}"`).join(', ')}.`, {
      hint: known.length > 0 ? `It has: ${known.join(', ')}.` : 'It changes nothing that needs to be accepted.',
    });
  const { file, files } = content;
  await saveTrust(host, {
    folder: content.folder,
    file,
    files,
    accepted: accept,
    adds,
    stricter,
    loosens: loosens.filter(({ id }) => accept.includes(id)).map(({ text }) => text),
    trustedAt: Date.now(),
  });
}
