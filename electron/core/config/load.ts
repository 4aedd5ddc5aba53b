/** Loads the user's config file and merges the configuration of a trusted folder into it. */
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { Host } from '../host.ts';
import { readDocument } from './document.ts';
import { type CheckedConfig, configFromDocument } from './document-config.ts';
import { readTrustedFolder } from './folder/folder.ts';
import { mergeFolder } from './folder/merge.ts';
import type { UserSide } from './folder/sides.ts';
import { type Config, defaultConfig } from './schema.ts';
import { userCandidates } from './search-order.ts';

export interface Loaded extends CheckedConfig {
  /** The user's config file; absent without one. */
  file?: string;
}

/** Loads the user's own config file. Never rejects: every problem with the file is in `problems`. */
export async function loadUserConfig(host: Host): Promise<Loaded> {
  for (const { file } of userCandidates(host.dataDir)) {
    try {
      const document = await readDocument(file);
      if (document) return { file, ...configFromDocument(host, file, document, false) };
    } catch (error) {
      return { file, written: [], problems: [toFailure(error, 'CONFIG_INVALID')], warnings: [] };
    }
  }
  return { config: defaultConfig(host.env), written: [], problems: [], warnings: [] };
}

/** The configuration of the folder that Core was started in. */
export interface FolderState {
  path: string;
  file?: string;
  status: 'untrusted' | 'changed' | 'trusted';
}

export interface WithFolder {
  config: Config;
  written: string[];
  folder?: FolderState;
  problems: Failure[];
  warnings: string[];
}

/** Merges the folder's configuration, if the user trusts it, into the user's `config`. Never rejects. */
export async function addFolder(host: Host, config: Config, written: string[]): Promise<WithFolder> {
  const own: WithFolder = { config, written, problems: [], warnings: [] };
  if (host.projectDir === undefined) return own;
  const { status, content, record, problems } = await readTrustedFolder(host, host.projectDir);
  if (!status) return own;
  const folder = { path: content?.folder ?? host.projectDir, file: content?.file, status };
  const read = content?.read;
  if (status !== 'trusted' || !content || !read?.config) return { ...own, folder, problems };
  const { folder: path, file } = content;
  const side = { folder: path, file, config: read.config, written: read.written, files: Object.keys(content.files) };
  const merged = mergeFolder(userSide(host, config, written), side, new Set(record?.accepted));
  return {
    config: merged.config,
    written: [...written, ...merged.written],
    folder,
    problems,
    warnings: [...read.warnings, ...merged.effects.ignored.map((text) => `${file}: ${text}`)],
  };
}

/** The user's side of the comparison with a folder's configuration: the config file and the window's settings. */
export function userSide({ store }: Pick<Host, 'store'>, config: Config, written: string[]): UserSide {
  const rules = [...store.get('rules').filter(({ active }) => active), ...config.toolRules];
  return {
    config,
    written,
    decidesEnabled: rules.some(({ enabled }) => enabled !== undefined),
    servers: store.get('servers').map(({ name }) => name),
    profileTags: [...store.get('profiles'), ...config.profiles].flatMap(({ tags }) => tags),
  };
}
