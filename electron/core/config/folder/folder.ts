/**
 * Reads the configuration of the folder that Core was started in. Anyone may have written it, so no part of it runs or
 * applies until the user has trusted exactly this content.
 */
import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Failure, fail, toFailure } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import { shellQuoted } from '../../../../shared/shell-quoted.ts';
import type { Host } from '../../host.ts';
import { isCode, parseDocument, readConfigFile, runModule, type WrittenDocument } from '../document.ts';
import { type CheckedConfig, configFromDocument } from '../document-config.ts';
import { folderCandidates } from '../search-order.ts';
import { type TrustRecord, trustedFolders } from '../trust.ts';
import { type Hashes, hashFiles, hashOf, isCovered, moduleFiles, overallHash, referencedFiles } from './content.ts';

/** Parsing blocks the event loop for a tenth of a second then, also before the user trusts the folder. */
const maxDataBytes = limits.file.folderConfigBytes;

type FolderHost = Pick<Host, 'dataDir' | 'homeDir' | 'env' | 'log'>;

export interface FolderContent {
  /** The real path of the folder. */
  folder: string;
  file: string;
  /** True if reading the configuration means running code from the folder. */
  isCode: boolean;
  /** Hash of the code that runs when the configuration is read; equal to `hash` if the configuration is data. */
  codeHash: string;
  /** Hash of all files. */
  hash: string;
  files: Hashes;
  /** Absent while the code is not allowed to run. */
  read?: CheckedConfig;
}

/**
 * Finds and reads the configuration of `folder`; undefined if it has none. Runs code only if `mayRun` approves the
 * hashes of the config file and everything that it imports. Rejects with CONFIG_INVALID or CONFIG_UNTRUSTED.
 */
export async function readFolder(
  host: FolderHost,
  folder: string,
  mayRun: (code: Hashes) => boolean,
): Promise<FolderContent | undefined> {
  const root = realFolder(folder);
  for (const { file, sectionOnly } of folderCandidates(root, host.dataDir)) {
    const code = isCode(file);
    const bytes = await readConfigFile(file, code ? undefined : maxDataBytes);
    if (!bytes) continue;
    // A file without the word "discovery" has no section of that name. Ignoring a section with a computed name is
    // safe.
    if (code && sectionOnly && !/\bdiscovery\b/.test(bytes.toString('utf8'))) continue;
    const written = code ? undefined : parseDocument(file, bytes);
    if (written && sectionOnly && !hasSection(written.data)) continue;
    return readContent(host, { root, file, bytes, sectionOnly, written }, mayRun);
  }
  return undefined;
}

interface FoundFile {
  root: string;
  file: string;
  bytes: Buffer;
  sectionOnly: boolean;
  /** Absent for code. */
  written?: WrittenDocument;
}

async function readContent(
  host: FolderHost,
  { root, file, bytes, sectionOnly, written }: FoundFile,
  mayRun: (code: Hashes) => boolean,
): Promise<FolderContent> {
  // Hash the bytes that were parsed: the file may have changed since.
  const own = written ? hashOf(root, file, bytes) : await hashFiles(root, await moduleFiles(root, [file]));
  const content = { folder: root, file, isCode: !written };
  if (!written && !mayRun(own)) {
    const hash = overallHash(own);
    return { ...content, codeHash: hash, hash, files: own };
  }
  const document = written ?? (await runModule(file));
  if (sectionOnly && !hasSection(document.data)) throw fail('CONFIG_INVALID', `${file} has no "discovery" section.`);
  const read = configFromDocument(host, file, document, sectionOnly);
  if (read.config) read.config.plugins = read.config.plugins.map((plugin) => withAbsolutePath(plugin, file));
  const referenced = read.config ? await hashFiles(root, await referencedFiles(root, read.config)) : {};
  const files = { ...own, ...referenced };
  const hash = overallHash(files);
  return { ...content, codeHash: written ? hash : overallHash(own), hash, files, read };
}

/**
 * The folder's plug-ins are loaded together with the user's, so their paths must not depend on the config file's
 * location.
 */
function withAbsolutePath(plugin: unknown, file: string): unknown {
  if (!isObject(plugin) || typeof plugin.path !== 'string') return plugin;
  return { ...plugin, path: resolve(dirname(file), plugin.path) };
}

function hasSection(data: unknown): boolean {
  return isObject(data) && data.discovery !== undefined;
}

/** Returns the real path, so that two paths to one folder share one decision. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

export interface TrustedFolder {
  /** Undefined if the folder has no configuration. */
  status?: 'untrusted' | 'changed' | 'trusted';
  content?: FolderContent;
  record?: TrustRecord;
  problems: Failure[];
}

/** Reads the configuration of `folder` if the user trusts its content. Never rejects and never runs untrusted code. */
export async function readTrustedFolder(host: FolderHost, folder: string): Promise<TrustedFolder> {
  const root = realFolder(folder);
  const record = trustedFolders(host).find((candidate) => candidate.folder === root);
  try {
    const content = await readFolder(host, root, (code) => record !== undefined && isCovered(code, record.files));
    if (!content) return { problems: [] };
    if (record && content.read && isCovered(content.files, record.files))
      return { status: 'trusted', content, record, problems: content.read.problems };
    const status = record ? 'changed' : 'untrusted';
    return { status, content, record, problems: [untrusted(content.file, root, status)] };
  } catch (error) {
    // An unreadable file is not reported as untrusted, because trusting it would not help.
    return { status: record ? 'changed' : 'untrusted', problems: [toFailure(error, 'CONFIG_INVALID')] };
  }
}

function untrusted(file: string, folder: string, status: 'untrusted' | 'changed'): Failure {
  const why =
    status === 'changed' ? 'it has changed since you trusted this folder' : 'you have not trusted this folder';
  return {
    code: 'CONFIG_UNTRUSTED',
    message: `${file} was ignored: ${why}.`,
    hint: `To see what it does and decide, run \`toolkeep trust ${shellWord(folder)}\`.`,
    file,
  };
}

/** Quotes the folder's name if it contains characters that a shell interprets, because anyone may have chosen it. */
function shellWord(text: string): string {
  return /^[\w./:\\-]+$/.test(text) ? text : shellQuoted(text);
}
