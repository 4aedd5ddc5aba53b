/**
 * Claude Desktop extensions: the manifest defines how to start the server; a second file contains the user's settings.
 */
import { dirname, join, sep } from 'node:path';
import { isObject } from '../../../../shared/is-object.ts';
import { textFrom } from '../../../../shared/text-from.ts';
import type { JsonObject, Reader } from './raw-servers.ts';
import { kindOf } from './readers.ts';

/** Reads an extension's `manifest.json`, with its settings file as the companion file. */
export const readExtension: Reader = (manifest, { file, homeDir, platform, companions: [companion] }) => {
  const server = isObject(manifest.server) ? manifest.server : {};
  const config = isObject(server.mcp_config) ? server.mcp_config : undefined;
  const name = [manifest.name, manifest.display_name].find((one) => typeof one === 'string') ?? '';
  const settings = isObject(companion) ? companion : {};
  const base = { name, path: ['server'], disabled: settings.isEnabled === false };
  if (!config) {
    const message = `the manifest does not define how to start the server ("server.mcp_config" is ${kindOf(server.mcp_config)})`;
    return { servers: [], problems: [{ message, path: ['server'] }] };
  }
  const overrides = isObject(config.platform_overrides) ? config.platform_overrides[platform] : undefined;
  const { platform_overrides: _, ...common } = config;
  const merged: JsonObject = { ...common, ...(isObject(overrides) ? overrides : {}) };
  const context = { folder: dirname(file), homeDir, notes: [] as string[], values: userValues(manifest, settings) };
  const value = {
    ...merged,
    args: expandList(merged.args, context),
    command: expandOne(merged.command, context),
    env: isObject(merged.env)
      ? Object.fromEntries(Object.entries(merged.env).map(([key, text]) => [key, expandOne(text, context)]))
      : merged.env,
    description: manifest.description,
  };
  return {
    servers: [{ ...base, value, notes: context.notes, entered: enteredTexts(manifest, settings) }],
    problems: [],
  };
};

/** The value of `${user_config.k}`: the user's setting, else the default, else an input that Toolkeep asks for. */
function userValues(manifest: JsonObject, settings: JsonObject): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const entered = isObject(settings.userConfig) ? settings.userConfig : {};
  for (const [key, declared] of Object.entries(isObject(manifest.user_config) ? manifest.user_config : {})) {
    const own = entered[key];
    const sealed = typeof own === 'string' && own.startsWith('__encrypted__:');
    const fallback = isObject(declared) ? declared.default : undefined;
    // Claude encrypts secrets with its own key, so Toolkeep asks the user for them on first use.
    if (own !== undefined && own !== null && !sealed) values.set(key, own);
    else if (fallback !== undefined && !sealed) values.set(key, fallback);
    else if (sealed || (isObject(declared) && declared.required === true)) values.set(key, `\${input:${key}}`);
    else values.set(key, '');
  }
  return values;
}

/** The user's settings as strings, except those that equal the manifest's defaults. */
function enteredTexts(manifest: JsonObject, settings: JsonObject): string[] {
  const entered = isObject(settings.userConfig) ? settings.userConfig : {};
  const declared = isObject(manifest.user_config) ? manifest.user_config : {};
  return Object.entries(entered).flatMap(([key, own]) => {
    const standard = isObject(declared[key]) ? declared[key].default : undefined;
    const defaults = new Set([standard].flat().map(String));
    return [own]
      .flat()
      .map(String)
      .filter((text) => !defaults.has(text));
  });
}

interface Context {
  folder: string;
  homeDir: string;
  values: Map<string, unknown>;
}

/** A list value (several folders) becomes several arguments, as in Claude Desktop. */
function expandList(args: unknown, context: Context): unknown {
  if (!Array.isArray(args)) return args;
  return args.flatMap((arg: unknown) => {
    const key = typeof arg === 'string' ? /^\$\{user_config\.([\w-]+)\}$/.exec(arg)?.[1] : undefined;
    const value = key === undefined ? undefined : context.values.get(key);
    return Array.isArray(value) ? value.map((item) => expandOne(item, context)) : [expandOne(arg, context)];
  });
}

function expandOne(text: unknown, { folder, homeDir, values }: Context): unknown {
  if (typeof text !== 'string') return text;
  const folders: Record<string, string> = {
    __dirname: folder,
    HOME: homeDir,
    DESKTOP: join(homeDir, 'Desktop'),
    DOCUMENTS: join(homeDir, 'Documents'),
    DOWNLOADS: join(homeDir, 'Downloads'),
    '/': sep,
    pathSeparator: sep,
  };
  return text.replace(/\$\{([\w./-]{1,200})\}/g, (whole, name: string) => {
    if (Object.hasOwn(folders, name)) return folders[name] as string;
    const key = /^user_config\.([\w-]+)$/.exec(name)?.[1];
    const value = key === undefined ? undefined : values.get(key);
    if (value === undefined) return whole;
    return Array.isArray(value) ? value.map(textFrom).join(',') : textFrom(value);
  });
}
