/** Writes JSON values as YAML: one line per scalar, which is quoted as in JSON. */
import { isObject } from './is-object.ts';
import type { ServerConfig } from './model/server.ts';

/** The server as an entry of a config file, which has fewer keys than the stored server. */
export function serverYaml({ name, description, slug, enabled, connection, lifecycle, sandbox }: ServerConfig): string {
  return yamlText({ servers: [{ name, description, slug, enabled, connection, lifecycle, sandbox }] });
}

export function yamlText(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (Array.isArray(value) && value.length > 0)
    return value.map((item) => `${indent}- ${yamlText(item, inner).trimStart()}`).join('\n');
  const entries = isObject(value) ? Object.entries(value).filter(([, item]) => item !== undefined) : [];
  if (entries.length === 0) return indent + JSON.stringify(value);
  return entries
    .map(([key, item]) => {
      const isNested = typeof item === 'object' && item !== null && Object.keys(item).length > 0;
      const text = yamlText(item, isNested ? inner : '');
      return `${indent}${/^\w+$/.test(key) && !isReserved(key) ? key : JSON.stringify(key)}:${isNested ? '\n' : ' '}${text}`;
    })
    .join('\n');
}

/** Keys that YAML would read as another type than a string. */
const isReserved = (key: string) => /^(?:null|true|false|yes|no|on|off|y|n|\d.*)$/i.test(key);
