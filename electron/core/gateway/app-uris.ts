/**
 * The URIs of MCP Apps and skills. Two servers may choose the same URI, so clients see each URI with the slug of its server:
 * `ui://chart/view` of the server `sales` becomes `ui://sales/chart/view`. Other URIs have it only if two servers share them.
 */
import { isObject } from '../../../shared/is-object.ts';
import type { ToolDefinition } from '../../../shared/model/tool.ts';
import { addressesIn, addressKeys, addressPrefix as scheme } from '../tools/apps.ts';
import type { JsonObject } from '../types.ts';
import type { ListedItem } from './services.ts';

const schemes = [scheme, 'skill://'];

/** The URI that clients see for an app or a file of a skill. Other URIs stay unchanged. */
export function shownUri(slug: string, uri: string): string;
export function shownUri(slug: string, uri: unknown): unknown;
export function shownUri(slug: string, uri: unknown): unknown {
  return typeof uri === 'string' && schemes.some((one) => uri.startsWith(one)) ? prefixedUri(slug, uri) : uri;
}

const startOf = (uri: string) => /^[a-z][a-z0-9+.-]*:(?:\/\/)?/i.exec(uri)?.[0] ?? '';

/** The URI or template with the slug of its server. One without a scheme stays unchanged. */
export function prefixedUri(slug: string, uri: string): string {
  const start = startOf(uri);
  return (start && `${start}${slug}/${uri.slice(start.length)}`) || uri;
}

/** Undoes `prefixedUri`. */
export const withoutPrefix = (slug: string, uri: string): string =>
  uri.startsWith(`${startOf(uri)}${slug}/`) ? uri.replace(`${slug}/`, '') : uri;

/** The resources or templates, with prefixed URIs where several servers have the same one; names of variables do not count. */
export function withDistinctUris(items: ListedItem[], key: 'uri' | 'uriTemplate', slugOf: (server: string) => string) {
  const form = ({ definition }: ListedItem) => String(definition[key]).replaceAll(/\{([+#./;?&]?)[^{}]*\}/g, '{$1}');
  const servers = new Map<string, Set<string>>();
  for (const item of items) servers.set(form(item), (servers.get(form(item)) ?? new Set()).add(item.server));
  return items.map((item) => {
    const own = String(item.definition[key]);
    const shown = servers.get(form(item))?.size === 1 ? own : prefixedUri(slugOf(item.server), own);
    return shown === own ? item : { ...item, own, definition: { ...item.definition, [key]: shown } };
  });
}

/** The server's own URI for one that clients see; undefined if `uri` does not belong to the server with this slug. */
export function ownUri(slug: string, uri: string): string | undefined {
  return schemes.some((one) => uri.startsWith(`${one}${slug}/`)) ? withoutPrefix(slug, uri) : undefined;
}

/** The tool or result, with the app's URI as clients see it, under every metadata key that clients read. */
export function withShownUris<T extends Pick<ToolDefinition, '_meta'> | JsonObject>(slug: string, item: T): T {
  const { _meta: meta } = item;
  if (!isObject(meta)) return item;
  const changed: JsonObject = { ...meta };
  for (const key of addressKeys) if (key in changed) changed[key] = shownUri(slug, changed[key]);
  if (isObject(meta.ui) && 'resourceUri' in meta.ui)
    changed.ui = { ...meta.ui, resourceUri: shownUri(slug, meta.ui.resourceUri) };
  return { ...item, _meta: changed };
}

/** The contents of a resource under the URI that the client asked for. */
export function withAskedUri(result: JsonObject, own: string, asked: string): JsonObject {
  if (!Array.isArray(result.contents)) return result;
  const contents = result.contents.map((item) => (isObject(item) && item.uri === own ? { ...item, uri: asked } : item));
  return { ...result, contents };
}

/** A quick check: most results have only text. */
export const mayHaveUris = ({ content, _meta: meta }: JsonObject): boolean =>
  meta !== undefined || (Array.isArray(content) && content.some((block) => isObject(block) && block.type !== 'text'));

/**
 * Changes the app URIs in a result's links and metadata to those that clients see, if `isShared` says that another server
 * uses the same URI. Returns any other result unchanged.
 */
export function withReadableUris(slug: string, result: JsonObject, isShared: (uri: string) => boolean): JsonObject {
  const { content, _meta: meta } = result;
  const needsChange = (uri: unknown) => typeof uri === 'string' && uri.startsWith(scheme) && isShared(uri);
  const blocks = Array.isArray(content) ? content : [];
  const isLinked = blocks.some((block) => isObject(block) && needsChange(linkOf(block).uri));
  const isNamed = isObject(meta) && addressesIn(meta).some(needsChange);
  if (!isLinked && !isNamed) return result;
  const named = isNamed ? withShownUris(slug, result) : result;
  if (!isLinked) return named;
  const changed = blocks.map((block) => {
    if (!isObject(block) || !needsChange(linkOf(block).uri)) return block;
    const link = { ...linkOf(block), uri: shownUri(slug, linkOf(block).uri) };
    return block.type === 'resource' ? { ...block, resource: link } : link;
  });
  return { ...named, content: changed };
}

/** The part of a block that has the URI: the embedded resource, or the block itself if it is a link. */
function linkOf(block: JsonObject): JsonObject {
  if (block.type === 'resource') return isObject(block.resource) ? block.resource : {};
  return block.type === 'resource_link' ? block : {};
}
