/**
 * Merges a trusted folder's configuration into the user's. The folder may add to it and make it stricter. Everything
 * that weakens the user's protection is listed line by line, and applies only if the user accepted the line.
 */
import type { TrustEffects } from '../../../../shared/model/trust.ts';
import type { Config } from '../schema.ts';
import { modulePathOf } from './content.ts';
import { mergeRules } from './rules.ts';
import { addFolderServers } from './servers.ts';
import { folderSettings } from './settings.ts';
import type { FolderSide, UserSide } from './sides.ts';

export interface Merged {
  config: Config;
  /** The keys of the folder's settings that apply. */
  written: string[];
  effects: TrustEffects;
}

/** `accepted`: ids of `effects.loosens` that the user accepted. */
export function mergeFolder(user: UserSide, folder: FolderSide, accepted: ReadonlySet<string>): Merged {
  const effects: TrustEffects = { adds: [], stricter: [], loosens: [], ignored: [] };
  const settings = mergeSettings(user, folder, accepted, effects);
  const rules = mergeRules(user, folder.config.toolRules, accepted, effects);
  const { servers, sources } = addFolderServers(user, folder, effects);
  const profiles = newProfiles(user, folder, effects);
  const config: Config = {
    ...settings.config,
    toolRules: [...user.config.toolRules, ...rules.appended],
    profiles: [...user.config.profiles, ...profiles],
    plugins: [...user.config.plugins, ...acceptedPlugins(folder, accepted, effects)],
    folder: {
      path: folder.folder,
      file: folder.file,
      toolRules: rules.strict,
      acceptedRules: rules.appended,
      servers,
      sources,
      profiles: profiles.map(({ name }) => name),
      written: settings.written,
    },
  };
  return { config, written: settings.written, effects };
}

function mergeSettings(user: UserSide, folder: FolderSide, accepted: ReadonlySet<string>, effects: TrustEffects) {
  let { config } = user;
  const written: string[] = [];
  for (const key of folder.written) {
    if (/^(?:servers|mcpServers|sources|toolRules|plugins|profiles|\$schema)(?:$|\.)/.test(key)) continue;
    const setting = folderSettings[key];
    if (!setting) {
      effects.ignored.push(`${key}: a folder cannot set this`);
      continue;
    }
    const value = setting.read(folder.config);
    const users = setting.read(user.config);
    if (JSON.stringify(value) === JSON.stringify(users)) continue;
    const weaker = setting.weakens?.(users, value) ?? 0;
    const text = `${key}: ${JSON.stringify(value)} (yours: ${JSON.stringify(users)})`;
    if (weaker > 0) effects.loosens.push({ id: key, text });
    else if (weaker < 0) effects.stricter.push(text);
    else if (user.written.includes(key)) {
      effects.ignored.push(`${text}: your own setting applies`);
      continue;
    } else effects.adds.push(text);
    if (weaker > 0 && !accepted.has(key)) continue;
    config = setting.write(config, value);
    written.push(key);
  }
  return { config, written };
}

function newProfiles(user: UserSide, folder: FolderSide, effects: TrustEffects): Config['profiles'] {
  return folder.config.profiles.filter(({ name }) => {
    const isNew = !user.config.profiles.some((profile) => profile.name === name);
    if (isNew) effects.adds.push(`profile "${name}"`);
    else effects.ignored.push(`profile "${name}": you already have a profile with this name`);
    return isNew;
  });
}

/** A plug-in is code that runs inside Toolkeep and could bypass any protection. */
function acceptedPlugins(folder: FolderSide, accepted: ReadonlySet<string>, effects: TrustEffects): unknown[] {
  return folder.config.plugins.filter((plugin, index) => {
    const id = `plugins[${index}]`;
    const name = modulePathOf(plugin) ?? `an object in ${folder.file}`;
    effects.loosens.push({ id, text: `${id}: runs the plug-in ${name} inside Toolkeep, with all your permissions` });
    return accepted.has(id);
  });
}
